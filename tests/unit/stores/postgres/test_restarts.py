"""A server that restarts or crashes loses nothing that was acknowledged, and doubles nothing."""

import threading
from collections.abc import Iterator
from contextlib import closing
from itertools import count, pairwise

import pytest

from lapse import Lapse
from lapse.errors import LapseError, StoreError
from lapse.model.changeset import Changes, ChangeSet, Committed
from lapse.model.outcome import Action
from lapse.model.verbs import Verb
from lapse.stores.postgres.connections import Connections, Mark
from lapse.stores.postgres.location import parse_location
from lapse.stores.postgres.outcomes import took_place
from lapse.stores.postgres.store import PostgresStore
from lapse.testing.fakes import ALICE, memory, record, writes
from lapse.testing.store_contract_writes import remember
from tests.postgres_server import with_owner
from tests.unit.stores.postgres.restarting import OwnServer, own

__all__ = ["own"]

pytestmark = pytest.mark.usefixtures("home")


@pytest.fixture
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))


@pytest.fixture
def store(own: OwnServer) -> Iterator[PostgresStore]:
    with_owner(own.url, ["DROP SCHEMA IF EXISTS own CASCADE"])
    with closing(PostgresStore.open(own.url)) as opened:
        yield opened


def no_pause(_: float) -> None:
    """Wait for nothing."""


def test_what_was_acknowledged_outlives_every_restart_and_nothing_is_half_there(
    own: OwnServer, store: PostgresStore
) -> None:
    del store
    acknowledged: list[str] = []
    told: list[str] = []
    ending = threading.Event()
    with closing(Lapse.open(own.url)) as mind:

        def work(name: str) -> None:
            bank = mind.bank("one")
            for at in count():
                if ending.is_set():
                    return
                ids = [f"{name}-{at}-{each}" for each in range(5)]
                try:
                    bank.remember_many([{"text": f"secret {each}", "id": each} for each in ids])
                    acknowledged.extend(ids)
                    bank.used(ids[:1])
                    bank.recall("secret", k=1)
                except LapseError as error:
                    told.append(f"{error} {error.fields}")
                    ending.wait(0.01)

        threads = [threading.Thread(target=work, args=(f"t{each}",)) for each in range(3)]
        for each in threads:
            each.start()
        try:
            for mode in ("immediate", "fast"):
                own.restart(mode)
                before, left = len(acknowledged), 6_000
                while len(acknowledged) < before + 30 and left:
                    left -= 1
                    ending.wait(0.01)
                assert left, f"nothing was written after a {mode} restart: {told[-1:]}"
        finally:
            ending.set()
            for each in threads:
                each.join(30)
        kept = [name for (name,) in with_owner(own.url, ["SELECT id FROM own.memory"])]
        assert mind.bank("one").verify_journal().sound
    assert len(kept) == len(set(kept))
    assert set(acknowledged) <= set(kept)
    whole = [each for each in kept if each.rpartition("-")[0] + "-4" in kept]
    assert len(whole) == len(kept)
    assert not any("secret" in each for each in told)
    assert all("postgres" in each for each in told), told


def test_a_number_that_a_crashed_server_gives_again_proves_nothing(
    own: OwnServer, store: PostgresStore
) -> None:
    remember(store, "m1")
    with_owner(own.url, ["CHECKPOINT"])
    # A write that the server crashes under, before anything of it has reached the disk …
    with store._connections.writing(ALICE) as link:
        change = writes(Changes(created=(record(memory("lost")),)))
        store._carry_out(link, change)
        name, marks = str(link.name), link.marks
        own.restart("immediate")
    assert not took_place(store._connections, name, marks, no_pause)
    # … and another one, which is given its number.
    given = [int(with_owner(own.url, ["SELECT pg_current_xact_id()::text"])[0][0])]
    while given[-1] < int(name):
        given.append(int(with_owner(own.url, ["SELECT pg_current_xact_id()::text"])[0][0]))
    if given[-1] != int(name):
        pytest.skip("this server had written so much to its disk that it gave no number again")
    remember(store, "m2")
    (status,) = with_owner(own.url, [f"SELECT pg_xact_status('{name}'::xid8)"])
    assert status == ("committed",)
    assert not took_place(store._connections, name, marks, no_pause)


def test_a_write_whose_fate_cannot_be_learnt_says_so_and_is_not_made_again() -> None:
    nowhere = Connections(parse_location("postgresql://nobody@127.0.0.1:1/nothing"))
    waits: list[float] = []
    mark = Mark(ref=ALICE, revision=1, entry=None)
    with pytest.raises(StoreError, match="whether it took place is not known"):
        took_place(nowhere, "1", [mark], waits.append)
    assert 5 < sum(waits) < 10
    assert all(one < next_one for one, next_one in pairwise(waits))


def test_what_was_written_is_told_as_written_though_the_server_goes_after_it(
    own: OwnServer, store: PostgresStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    del store
    commit = PostgresStore.commit

    def commit_and_stop(self: PostgresStore, change: ChangeSet) -> Committed:
        done = commit(self, change)
        if change.verb in (Verb.REMEMBER, Verb.UPDATE):
            own.control("-m", "fast", "stop")
        return done

    with closing(Lapse.open(own.url)) as mind:
        bank = mind.bank("one")
        bank.remember("the first", id="m1")
        with monkeypatch.context() as patched:
            patched.setattr(PostgresStore, "commit", commit_and_stop)
            told = bank.remember("the second", id="m2")
            own.start()
            changed = bank.update("m1", text="the first, changed")
        own.start()
        assert (changed.action, changed.memory.text) == (Action.UPDATED, "the first, changed")
        assert (told.id, told.action) == ("m2", Action.CREATED)
        assert told.note.startswith("written")
        assert bank.get("m1").memory.content_version == 2
        assert {each.memory.id for each in bank.list().records} == {"m1", "m2"}
