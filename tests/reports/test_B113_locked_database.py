"""B113: two processes read in a loop while one writes, and writes fail with a lock error."""

import os
from multiprocessing import get_context

import pytest

from lapse import Lapse
from tests.journeys.sharing_banks import ask_until, tell
from tests.reports.helping import Place

pytestmark = pytest.mark.skipif(os.name != "posix", reason="starts processes by fork")

RECORDS = 500
FEWER = 100
"""Where a server or a folder waits for the disk with each of them."""


def test_nobody_meets_a_lock_and_every_record_is_stored(in_file: Place) -> None:
    context = get_context("forkserver")
    context.set_forkserver_preload(["tests.journeys.sharing_banks"])
    path = in_file.target
    records = FEWER if "://" in path else RECORDS
    with Lapse.open(path, embedder=None, clock=in_file.clock, background=False) as mind:
        mind.bank("alice").remember("The first ship docked", id="first")
    over = context.Event()
    readers = [context.Process(target=ask_until, args=(path, over)) for _ in range(2)]
    writer = context.Process(target=tell, args=(path, records))
    for each in (*readers, writer):
        each.start()
    writer.join()
    over.set()
    for each in readers:
        each.join()
    assert [each.exitcode for each in (*readers, writer)] == [0, 0, 0]
    with Lapse.open(path, embedder=None, clock=in_file.clock, background=False) as mind:
        assert mind.bank("alice").stats().memories == records + 1
