"""Many rows at once, the same as one by one; counts of terms; and what a backup holds."""

from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from lapse.model.changeset import Changes
from lapse.model.verbs import Verb
from lapse.stores.postgres.counting import WRITES_BETWEEN_FOLDS
from lapse.stores.postgres.link import MANY
from lapse.stores.postgres.store import PostgresStore
from lapse.stores.sql.sqlite import SqliteStore
from lapse.testing.fakes import ALICE, memory, record, use, writes
from lapse.testing.store_contract_events import drain
from lapse.testing.store_contract_snapshots import snapshot
from lapse.testing.store_contract_writes import remember, update
from tests.postgres_server import with_owner
from tests.unit.stores.postgres.conftest import BOB, SCHEMA

COUNT = 2 * MANY + 7


@pytest.fixture
def in_file(tmp_path: Path) -> SqliteStore:
    return SqliteStore.open(tmp_path / "same.db")


def test_a_bulk_load_leaves_what_single_writes_leave(
    store: PostgresStore, in_file: SqliteStore
) -> None:
    texts = [f"note {at} of {at % 13}\t\\N \n'quoted' é" for at in range(COUNT)]
    created = tuple(record(memory(f"m{at}", text)) for at, text in enumerate(texts))
    uses = tuple(use(f"m{at}", f"e{at % 5}") for at in range(COUNT))
    for each in (store, in_file):
        each.commit(writes(Changes(created=created)))
        each.commit(writes(Changes(enqueued=uses), verb=Verb.USED))
        each.commit(writes(Changes(enqueued=uses), verb=Verb.USED))
        drain(each, 2 * COUNT)
    assert snapshot(store, ALICE) == snapshot(in_file, ALICE)
    assert list(store.faults(ALICE)) == []
    in_file.close()


def test_a_state_told_twice_in_one_large_write_is_the_later_one(store: PostgresStore) -> None:
    names = [f"m{at}" for at in range(COUNT)]
    remember(store, *names)
    found = {each.memory.id: each.state for each in store.get(ALICE, names)}
    told = [(name, replace(found[name], pinned=True)) for name in names]
    again = [("m0", replace(found["m0"], pinned=False))]
    store.commit(writes(Changes(states=tuple(told + again)), verb=Verb.PIN))
    kept = store.get(ALICE, ["m0", "m1"])
    assert [each.state.pinned for each in kept] == [False, True]


def test_counts_of_terms_are_appended_and_folded_in_now_and_then(
    store: PostgresStore, url: str
) -> None:
    waiting = f"SELECT count(*) FROM {SCHEMA}.term_delta"
    remember(store, "m0")
    for at in range(1, WRITES_BETWEEN_FOLDS - 1):
        store.commit(writes(Changes(created=(record(memory(f"m{at}", "tea tea milk")),))))
    assert with_owner(url, [waiting])[0][0] > 0
    assert list(store.faults(ALICE)) == []
    store.commit(writes(Changes(created=(record(memory("last", "tea")),))))
    assert with_owner(url, [waiting]) == [(0,)]
    held = with_owner(url, [f"SELECT df FROM {SCHEMA}.term WHERE term = 'tea'"])
    assert held == [(WRITES_BETWEEN_FOLDS - 1,)]
    assert list(store.faults(ALICE)) == []


def test_a_term_that_nobody_holds_any_more_is_gone_before_any_fold(
    store: PostgresStore, url: str
) -> None:
    store.commit(writes(Changes(created=(record(memory("m1", "oolong")),))))
    store.commit(writes(Changes(created=(record(memory("m2", "oolong")),))))
    store.commit(writes(Changes(revised=(update("m1", "milk"),)), verb=Verb.UPDATE))
    store.commit(writes(Changes(revised=(update("m2", "milk"),)), verb=Verb.UPDATE))
    assert with_owner(url, [f"SELECT df FROM {SCHEMA}.term WHERE term = 'oolong'"]) == []
    assert list(store.faults(ALICE)) == []


def test_a_backup_holds_every_tenant_and_goes_on_numbering(
    store: PostgresStore, tmp_path: Path
) -> None:
    remember(store, "a", "b")
    store.commit(writes(Changes(created=(record(memory("theirs", ref=BOB)),)), ref=BOB))
    store.commit(writes(Changes(removed=("b",)), verb=Verb.REPAIR))
    store.backup(str(tmp_path / "copy.db"))
    with closing(SqliteStore.open(tmp_path / "copy.db")) as copy:
        for ref in (ALICE, BOB):
            assert snapshot(copy, ref) == snapshot(store, ref)
            assert list(copy.faults(ref)) == []
        gone = max(each.row for each in copy.get(ALICE, ["a"])) + 1
        remember(copy, "c")
        assert copy.get(ALICE, ["c"])[0].row > gone
