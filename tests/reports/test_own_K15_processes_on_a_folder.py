"""K15: several processes tell, ask, use and sweep over one folder of files at once."""

import os
from multiprocessing import get_context
from multiprocessing.context import ForkServerContext
from pathlib import Path

import pytest

from lapse import Lapse
from lapse.model.instants import DAY, Instant
from lapse.model.retention import Lifecycle
from lapse.model.verbs import Verb
from lapse.testing.fakes import FakeClock
from tests.journeys.sharing_banks import ask_until, tell, use
from tests.journeys.sweeping_processes import POLICY, sweep_together
from tests.reports.helping import T0, everything

pytestmark = pytest.mark.skipif(os.name != "posix", reason="starts processes by fork")

TOLD, USES, PROCESSES, DUE = 60, 25, 3, 60
LATER = Instant(T0 + 90 * DAY)


@pytest.fixture(scope="module")
def processes() -> ForkServerContext:
    context = get_context("forkserver")
    context.set_forkserver_preload(
        ["tests.journeys.sharing_banks", "tests.journeys.sweeping_processes"]
    )
    return context


@pytest.fixture
def target(tmp_path: Path) -> str:
    return f"file://{tmp_path / 'folder'}"


def test_readers_and_a_writer_meet_no_error_and_nothing_is_lost(
    target: str, processes: ForkServerContext
) -> None:
    with Lapse.open(target, embedder=None, clock=FakeClock(T0), background=False) as mind:
        mind.bank("alice").remember("The first ship docked", id="first")
    over = processes.Event()
    reader = processes.Process(target=ask_until, args=(target, over))
    writer = processes.Process(target=tell, args=(target, TOLD))
    reader.start()
    writer.start()
    writer.join()
    over.set()
    reader.join()
    assert (reader.exitcode, writer.exitcode) == (0, 0)
    with Lapse.open(target, embedder=None, clock=FakeClock(T0), background=False) as mind:
        assert mind.bank("alice").stats().memories == TOLD + 1
        assert mind.bank("alice").doctor() == []


def test_uses_by_several_processes_are_counted_exactly(
    target: str, processes: ForkServerContext
) -> None:
    with Lapse.open(target, embedder=None, background=False) as mind:
        bank = mind.bank("alice")
        bank.remember("The first ship docked", id="first")
        users = [
            processes.Process(target=use, args=(target, f"p{at}", USES)) for at in range(PROCESSES)
        ]
        for each in users:
            each.start()
        for each in users:
            each.join()
        assert [each.exitcode for each in users] == [0] * PROCESSES
        bank.drain()
        assert bank.get("first").state.strength.access_count == USES * PROCESSES


def test_two_sweeps_of_a_folder_handle_each_memory_once(
    target: str, processes: ForkServerContext
) -> None:
    clock = FakeClock(T0)
    with Lapse.open(target, policy=POLICY, embedder=None, clock=clock, background=False) as mind:
        mind.bank("alice").remember_many(
            {"text": f"Ship number{at} docked", "id": f"m{at}", "importance": 0.0}
            for at in range(DUE)
        )
    together = processes.Barrier(2)
    sweepers = [
        processes.Process(target=sweep_together, args=(target, LATER, together)) for _ in range(2)
    ]
    for each in sweepers:
        each.start()
    for each in sweepers:
        each.join()
    assert 0 in [each.exitcode for each in sweepers]
    clock.set(LATER)
    with Lapse.open(target, policy=POLICY, embedder=None, clock=clock, background=False) as mind:
        bank = mind.bank("alice")
        assert {each.state.lifecycle for each in everything(bank)} == {Lifecycle.ARCHIVED}
        entries = mind._core.parts.store.journal(bank.ref, 0, 1000)
        moved = [item.row for each in entries if each.verb is Verb.SWEEP for item in each.items]
        assert len(moved) == len(set(moved)) == DUE
