"""Two processes write to one file and four read it: nothing is lost, late or locked."""

import os
from contextlib import closing
from multiprocessing import get_context
from multiprocessing.context import ForkServerContext
from pathlib import Path

import pytest

from lapse.model.journal import GENESIS, follows
from lapse.stores.sql.sqlite import SqliteStore
from lapse.testing.store_contract_snapshots import whole_journal
from tests.journeys.sharing_processes import COUNTER, REF, begin, open_together, read, write

pytestmark = pytest.mark.skipif(os.name != "posix", reason="starts processes by fork")

WRITERS, READERS = 2, 4
WRITES, READS = 200, 150
OPENERS = 4


@pytest.fixture(scope="module")
def processes() -> ForkServerContext:
    """Processes that start from one that has everything loaded and no file open."""
    context = get_context("forkserver")
    context.set_forkserver_preload(["tests.journeys.sharing_processes"])
    return context


def test_two_writers_and_four_readers_share_one_file(
    tmp_path: Path, processes: ForkServerContext
) -> None:
    path = tmp_path / "shared.db"
    published = processes.Value("q", begin(path))
    started = [
        processes.Process(target=write, args=(path, name, WRITES, published))
        for name in ("a", "b")[:WRITERS]
    ]
    started += [
        processes.Process(target=read, args=(path, READS, published)) for _ in range(READERS)
    ]
    for each in started:
        each.start()
    for each in started:
        each.join()
    # A process that met "database is locked", or a read that came too late, ended with 1.
    assert [each.exitcode for each in started] == [0] * (WRITERS + READERS)
    with closing(SqliteStore.open(path)) as store:
        total = WRITERS * WRITES
        assert store.revision(REF) == total + 1
        assert store.count(REF) == total + 1
        (counter,) = store.get(REF, [COUNTER])
        assert counter.state.strength.access_count == total
        assert len(store.events(REF, [COUNTER])) == total
        entries = whole_journal(store, REF)
        hashes = [GENESIS, *(each.hash for each in entries)]
        assert len(entries) == total + 1
        assert all(follows(e, before) for e, before in zip(entries, hashes, strict=False))
        assert list(store.faults(REF)) == []


def test_processes_that_open_a_new_file_at_once_all_get_it(
    tmp_path: Path, processes: ForkServerContext
) -> None:
    paths = [tmp_path / f"new{at}.db" for at in range(8)]
    together = processes.Barrier(OPENERS, timeout=60)
    started = [
        processes.Process(target=open_together, args=(paths, str(at), together))
        for at in range(OPENERS)
    ]
    for each in started:
        each.start()
    for each in started:
        each.join()
    assert [each.exitcode for each in started] == [0] * OPENERS
    for path in paths:
        with closing(SqliteStore.open(path)) as store:
            assert store.count(REF) == OPENERS
            assert list(store.faults(REF)) == []
