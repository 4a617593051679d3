"""Connections: lent, given back, left to the parent, and the log of writes kept small."""

import os
import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from threading import Barrier

import pytest

from lapse.stores.sql import connections as module
from lapse.stores.sql.connections import MOST_IDLE
from lapse.stores.sql.sqlite import SqliteStore
from lapse.testing.fakes import ALICE
from lapse.testing.store_contract_writes import remember


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    with closing(SqliteStore.open(tmp_path / "store.db")) as store:
        yield store


def test_a_connection_is_used_again(store: SqliteStore) -> None:
    for at in range(5):
        remember(store, f"m{at}")
        assert store.revision(ALICE) == at + 1
    assert len(store._connections._free) == 1


def test_no_more_connections_are_kept_than_a_few(store: SqliteStore) -> None:
    together = Barrier(20, timeout=60)

    def hold(_: int) -> None:
        with store._connections.lent() as connection:
            together.wait()
            connection.execute("SELECT 1")

    with ThreadPoolExecutor(max_workers=20) as pool:
        list(pool.map(hold, range(20)))
    assert len(store._connections._free) == MOST_IDLE


def test_deleted_content_is_overwritten_and_relations_are_held(store: SqliteStore) -> None:
    with store._connections.lent() as connection:
        settings = {
            name: connection.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("journal_mode", "secure_delete", "foreign_keys", "synchronous")
        }
    assert settings == {
        "journal_mode": "wal",
        "secure_delete": 1,
        "foreign_keys": 1,
        "synchronous": 1,
    }


def test_closing_leaves_one_file_that_holds_everything(store: SqliteStore) -> None:
    remember(store, *(f"m{at}" for at in range(100)))
    path = store._connections.path
    assert store._connections.wal_bytes() > 0
    store.close()
    assert [each.name for each in path.parent.iterdir()] == [path.name]
    with closing(sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)) as alone:
        assert alone.execute("SELECT count(*) FROM memory").fetchone() == (100,)


def test_the_log_is_emptied_at_close_though_another_has_the_file_open(
    store: SqliteStore, tmp_path: Path
) -> None:
    with closing(SqliteStore.open(tmp_path / "store.db")) as other:
        remember(store, *(f"m{at}" for at in range(100)))
        assert other.revision(ALICE) == 1
        store.close()
        assert other._connections.wal_bytes() == 0
        assert other.count(ALICE) == 100


def test_a_log_that_a_reader_let_grow_is_emptied_when_the_reader_is_gone(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "WAL_LIMIT_BYTES", 200_000)
    sizes = []
    with store._connections.reading() as reader:
        reader.execute("SELECT count(*) FROM memory").fetchone()
        for at in range(130):
            remember(store, f"m{at}")
        sizes.append(store._connections.wal_bytes())
    for at in range(64):
        remember(store, f"n{at}")
        sizes.append(store._connections.wal_bytes())
    assert sizes[0] > 200_000
    assert min(sizes) < 100_000
    assert store.count(ALICE) == 194


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
def test_a_child_process_leaves_its_parents_connections_alone(store: SqliteStore) -> None:
    remember(store, "parent")
    child = os.fork()
    if child == 0:
        try:
            remember(store, "child")
            fresh = store._connections._inherited and len(store._connections._free) == 1
            os._exit(0 if fresh else 1)
        except BaseException:  # noqa: BLE001 - a child must never come back into pytest
            os._exit(2)
    assert os.waitpid(child, 0)[1] == 0
    remember(store, "parent again")
    assert store.count(ALICE) == 3
    assert list(store.faults(ALICE)) == []
