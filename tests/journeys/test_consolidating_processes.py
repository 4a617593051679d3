"""Processes that cross the threshold together derive each memory once."""

import os
from multiprocessing import get_context
from pathlib import Path

import pytest

from lapse import Lapse
from lapse.testing.fakes import START, FakeClock
from tests.journeys.consolidating_processes import consolidate_together
from tests.unit.engine.consolidating import ON, derived, stages, tell

pytestmark = pytest.mark.skipif(os.name != "posix", reason="starts processes by fork")

PROCESSES, SESSIONS = 3, 6


def test_processes_that_tend_one_file_derive_each_memory_once(tmp_path: Path) -> None:
    path = tmp_path / "shared.db"
    with Lapse.open(path, embedder=None, clock=FakeClock(), background=False) as mind:
        bank = mind.bank("alice")
        for at in range(SESSIONS):
            said = [f"House {at}{part} was sold to client {part}{at}." for part in "ABCD"]
            tell(bank, said, session=f"s{at}")
        bank.set_policy(dict(ON))  # type: ignore[arg-type]  # plain values
    context = get_context("forkserver")
    context.set_forkserver_preload(["tests.journeys.consolidating_processes"])
    together = context.Barrier(PROCESSES)
    started = [
        context.Process(target=consolidate_together, args=(path, START, together))
        for _ in range(PROCESSES)
    ]
    for each in started:
        each.start()
    for each in started:
        each.join()
    assert [each.exitcode for each in started] == [0] * PROCESSES
    with Lapse.open(path, embedder=None, clock=FakeClock(), background=False) as mind:
        bank = mind.bank("alice")
        bank.drain()
        assert sorted(each.session or "" for each in derived(bank)) == [
            f"s{at}" for at in range(SESSIONS)
        ]
        told = stages(mind.parts.store, bank)
        assert (told.count("scheduled"), told.count("done")) == (SESSIONS, SESSIONS)
        assert bank.verify_journal().sound
