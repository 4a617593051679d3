"""What SQLite's failures are called, and that a failed write leaves nothing behind."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from lapse.errors import (
    ConflictError,
    CorruptStoreError,
    StoreBusyError,
    StoreError,
    StoreFullError,
)
from lapse.model.changeset import Changes, ChangeSet
from lapse.model.verbs import Verb
from lapse.model.view import Reads, View
from lapse.stores.sql.connections import translated
from lapse.stores.sql.sqlite import SqliteStore
from lapse.testing.fakes import ALICE, START, memory, record, writes
from lapse.testing.store_contract_snapshots import snapshot
from lapse.testing.store_contract_writes import entry, remember

PATH = Path("folder/store.db")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    with closing(SqliteStore.open(tmp_path / "store.db", busy_timeout_s=0.01)) as store:
        yield store


def failure_of(act: Callable[[], object]) -> sqlite3.Error:
    with pytest.raises(sqlite3.Error) as told:
        act()
    return told.value


def test_a_write_that_another_holds_up_too_long_says_so(store: SqliteStore) -> None:
    remember(store, "a")
    with closing(sqlite3.connect(store._connections.path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreBusyError, match="try again"):
            remember(store, "b")
        assert store.count(ALICE) == 1
        other.execute("ROLLBACK")
    remember(store, "b")
    assert store.count(ALICE) == 2


def test_a_write_that_another_thread_holds_up_too_long_says_so(store: SqliteStore) -> None:
    remember(store, "a")
    with store._connections.writing(), pytest.raises(StoreBusyError, match="another thread"):
        remember(store, "b")
    remember(store, "b")
    assert store.count(ALICE) == 2


def test_a_full_disk_says_so_and_leaves_nothing_behind(store: SqliteStore) -> None:
    remember(store, "a")
    before = snapshot(store, ALICE)
    with store._connections.lent() as connection:
        (pages,) = connection.execute("PRAGMA page_count").fetchone()
        connection.execute(f"PRAGMA max_page_count={pages + 2}")
    big = tuple(record(memory(f"m{at}", "word " * 1000)) for at in range(100))
    with pytest.raises(StoreFullError, match="no room left"):
        store.commit(writes(Changes(created=big)))
    assert snapshot(store, ALICE) == before
    assert list(store.faults(ALICE)) == []


def test_a_file_that_cannot_be_written_says_so(store: SqliteStore) -> None:
    remember(store, "a")
    path = store._connections.path
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as reader:
        failed = failure_of(lambda: reader.execute("DELETE FROM memory"))
    told = translated(failed, path)
    assert isinstance(told, StoreError)
    assert "cannot be written" in str(told)
    assert told.fields["sqlite"] == "SQLITE_READONLY"


def test_a_backup_that_fails_leaves_no_file(store: SqliteStore, tmp_path: Path) -> None:
    remember(store, "a")
    store.close()
    with pytest.raises(StoreError, match="is closed"):
        store.backup(str(tmp_path / "copy.db"))
    assert not list(tmp_path.glob("copy*"))


def test_a_file_that_vanished_says_so(tmp_path: Path) -> None:
    missing = tmp_path / "missing" / "store.db"
    told = translated(failure_of(lambda: sqlite3.connect(missing)), missing)
    assert "cannot be opened" in str(told)


@pytest.mark.parametrize(
    ("code", "kind", "words"),
    [
        (sqlite3.SQLITE_BUSY, StoreBusyError, "too long"),
        (sqlite3.SQLITE_LOCKED, StoreBusyError, "too long"),
        (sqlite3.SQLITE_IOERR, StoreError, "check the disk"),
        (sqlite3.SQLITE_FULL, StoreFullError, "no room"),
        (sqlite3.SQLITE_CORRUPT, CorruptStoreError, "restore a backup"),
        (sqlite3.SQLITE_NOTADB, CorruptStoreError, "not a SQLite file"),
        (sqlite3.SQLITE_ERROR, StoreError, "refused"),
        (None, StoreError, "refused"),
    ],
)
def test_each_failure_has_its_own_name(
    code: int | None, kind: type[StoreError], words: str
) -> None:
    error = sqlite3.OperationalError("something")
    if code is not None:
        error.sqlite_errorcode = code | 0x100  # an extended code means the same
    told = translated(error, PATH)
    assert type(told) is kind
    assert words in str(told)
    assert told.fields["path"] == str(PATH)


def test_what_utf_8_cannot_write_is_refused_as_a_store_error(store: SqliteStore) -> None:
    lone = record(replace(memory("a"), value="\ud800", key="k"))
    with pytest.raises(StoreError, match="refused a value"):
        store.commit(writes(Changes(created=(lone,))))
    assert store.bank(ALICE) is None


def test_whatever_a_judge_raises_comes_through_and_the_store_goes_on(store: SqliteStore) -> None:
    def stumble(view: View) -> Changes:
        raise ZeroDivisionError(str(view.bank.ref))

    change = ChangeSet(verb=Verb.PIN, ref=ALICE, now=START, reads=Reads(), judge=stumble)
    for _ in range(20):
        with pytest.raises(ZeroDivisionError):
            store.commit(change)
    remember(store, "a")
    assert store.count(ALICE) == 1


def test_a_refused_write_does_not_use_up_a_connection(store: SqliteStore) -> None:
    remember(store, "a")
    for _ in range(50):
        with pytest.raises(ConflictError):
            store.commit(writes(Changes(created=(record(memory("a")),))))
    assert len(store._connections._free) == 1


def test_a_judge_may_read_the_store_it_judges_for(store: SqliteStore) -> None:
    remember(store, "a")

    def look_around(view: View) -> Changes:
        assert store.revision(ALICE) == view.bank.revision
        changed = [(each, held.state) for each, held in view.records.items()]
        return Changes(states=tuple(changed), journal=entry(Verb.PIN, *view.records))

    change = ChangeSet(
        verb=Verb.PIN, ref=ALICE, now=START, reads=Reads(ids=("a",)), judge=look_around
    )
    assert store.commit(change).revision == 2
