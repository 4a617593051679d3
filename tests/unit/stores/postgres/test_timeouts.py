"""A statement that is stopped half way through a verb leaves nothing, and a pool that works."""

from collections.abc import Callable
from contextlib import closing

import psycopg
import pytest

from lapse import Lapse
from lapse.bank import Bank
from lapse.errors import StoreBusyError
from lapse.stores.postgres.location import parse_location
from tests.postgres_server import with_owner
from tests.unit.stores.postgres.conftest import SCHEMA

VERBS: dict[str, Callable[[Bank], object]] = {
    "remember": lambda bank: bank.remember("secret new"),
    "remember many": lambda bank: bank.remember_many([{"text": f"secret {i}"} for i in range(300)]),
    "update": lambda bank: bank.update("m1", text="secret changed"),
    "suppress": lambda bank: bank.suppress(ids=["m1"], by="me", reason="asked for"),
    "erase": lambda bank: bank.erase(ids=["m1"], by="me", reason="asked for"),
    "hold": lambda bank: bank.hold("case", by="me", reason="asked for", ids=["m1"]),
}
WHOLE = (
    "SELECT (SELECT count(*) FROM {0}.memory), (SELECT count(*) FROM {0}.retention),"
    " (SELECT sum(content_version) FROM {0}.memory), (SELECT count(*) FROM {0}.tombstone),"
    " (SELECT string_agg(lifecycle, ',' ORDER BY row) FROM {0}.retention)"
)


@pytest.mark.parametrize("verb", VERBS)
def test_a_verb_that_is_stopped_half_way_leaves_nothing_and_can_be_asked_for_again(
    verb: str, url: str, monkeypatch: pytest.MonkeyPatch, tmp_path: object
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    short = f"{url}&statement_timeout_s=0.15&pool=1"
    with closing(Lapse.open(short, background=False)) as mind:
        bank = mind.bank("one")
        bank.remember("secret old", id="m1")
        before = with_owner(url, [WHOLE.format(SCHEMA)])
        with closing(psycopg.connect("", **dict(parse_location(url).connection))) as other:  # type: ignore[arg-type] # libpq's own names
            # Whatever reaches the journal waits here, after it wrote its rows.
            other.execute(f"LOCK TABLE {SCHEMA}.journal".encode())
            for _ in range(2):
                with pytest.raises(StoreBusyError, match="statement_timeout_s") as caught:
                    VERBS[verb](bank)
                assert "secret" not in f"{caught.value} {caught.value.fields}"
            other.rollback()
        assert with_owner(url, [WHOLE.format(SCHEMA)]) == before
        VERBS[verb](bank)
        assert bank.verify_journal().sound
