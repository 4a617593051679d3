"""B113: two processes read in a loop while one writes, and writes fail with a lock error."""

import os
from multiprocessing import get_context
from pathlib import Path

import pytest

from lapse import Lapse
from lapse.testing.fakes import FakeClock
from tests.journeys.sharing_banks import ask_until, tell
from tests.reports.helping import T0

pytestmark = pytest.mark.skipif(os.name != "posix", reason="starts processes by fork")

RECORDS = 500


def test_nobody_meets_a_lock_and_every_record_is_stored(tmp_path: Path) -> None:
    context = get_context("forkserver")
    context.set_forkserver_preload(["tests.journeys.sharing_banks"])
    path = tmp_path / "agent.db"
    with Lapse.open(path, embedder=None, clock=FakeClock(T0), background=False) as mind:
        mind.bank("alice").remember("The first ship docked", id="first")
    over = context.Event()
    readers = [context.Process(target=ask_until, args=(path, over)) for _ in range(2)]
    writer = context.Process(target=tell, args=(path, RECORDS))
    for each in (*readers, writer):
        each.start()
    writer.join()
    over.set()
    for each in readers:
        each.join()
    assert [each.exitcode for each in (*readers, writer)] == [0, 0, 0]
    with Lapse.open(path, embedder=None, clock=FakeClock(T0), background=False) as mind:
        assert mind.bank("alice").stats().memories == RECORDS + 1
