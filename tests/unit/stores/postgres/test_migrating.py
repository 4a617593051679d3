"""Moving into PostgreSQL and out of it again."""

from pathlib import Path
from secrets import token_hex

import pytest

from lapse.faces.app import Lapse
from lapse.faces.keys import VARIABLE
from lapse.faces.migrating import Outcome, migrate
from lapse.testing.fakes import FakeClock
from tests.unit.engine.copying import exported, filled


def test_a_store_comes_back_from_a_server_as_it_went(
    postgres_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv(VARIABLE, raising=False)
    joint = "&" if "?" in postgres_url else "?"
    server = f"{postgres_url}{joint}schema=moved_{token_hex(4)}"
    clock = FakeClock("2026-06-01T09:00Z")
    with Lapse.open(tmp_path / "a.db", clock=clock, background=False) as mind:
        filled(mind, clock)
        mind.bank("main", tenant="other").remember("Another tenant's plum", id="plum")
        before = exported(mind.bank("main"))
    there = migrate(tmp_path / "a.db", server, clock=clock)
    assert {each.outcome for each in there.banks} == {Outcome.MOVED}
    assert there.tombstone_keys == 1
    assert {each.outcome for each in migrate(tmp_path / "a.db", server, clock=clock).banks} == {
        Outcome.THERE
    }
    for back in (str(tmp_path / "b.db"), f"file://{tmp_path / 'folder'}"):
        done = migrate(server, back, clock=clock)
        assert {each.outcome for each in done.banks} == {Outcome.MOVED}
        with Lapse.open(back, clock=clock, background=False) as mind:
            assert exported(mind.bank("main")) == before
            assert mind.bank("main").verify_journal().sound
