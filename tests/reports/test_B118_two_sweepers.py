"""B118: two sweeps run together, and one is killed halfway; each memory goes once.

A hundred memories are due. Whoever comes second is told that a sweep is running; after a kill the
lease frees itself by the clock and the next sweep does the rest. Run over a file, a folder and
PostgreSQL. What lies in RAM alone belongs to one process.
"""

import os
from multiprocessing import get_context
from multiprocessing.context import ForkServerContext

import pytest

from lapse import Lapse
from lapse.engine.sweeping import PORTION
from lapse.model.instants import Instant
from lapse.model.retention import Lifecycle
from lapse.model.sweep import SweepOutcome
from lapse.model.verbs import Verb
from lapse.testing.fakes import FakeClock
from tests.journeys.sweeping_processes import DIED, POLICY, sweep_and_die, sweep_together
from tests.reports.helping import T0, Place, everything

pytestmark = pytest.mark.skipif(os.name != "posix", reason="starts processes by fork")

DAY = 86_400_000_000
LATER = Instant(T0 + 90 * DAY)


@pytest.fixture(scope="module")
def processes() -> ForkServerContext:
    context = get_context("forkserver")
    context.set_forkserver_preload(["tests.journeys.sweeping_processes"])
    return context


def opened(path: str, now: Instant) -> Lapse:
    return Lapse.open(path, policy=POLICY, embedder=None, clock=FakeClock(now), background=False)


def filled(path: str, count: int) -> None:
    with opened(path, T0) as mind:
        mind.bank("alice").remember_many(
            {"text": f"Ship number{at} docked", "id": f"m{at}", "importance": 0.0}
            for at in range(count)
        )


def moves(mind: Lapse) -> list[int]:
    """Internal numbers of the memories that sweeps moved, as the journal tells."""
    entries = mind._core.parts.store.journal(mind.bank("alice").ref, 0, 1000)
    return [item.row for each in entries if each.verb is Verb.SWEEP for item in each.items]


def test_two_sweeps_at_the_same_instant_handle_each_memory_once(
    in_file: Place, processes: ForkServerContext
) -> None:
    path = in_file.target
    filled(path, 100)
    together = processes.Barrier(2)
    sweepers = [
        processes.Process(target=sweep_together, args=(path, LATER, together)) for _ in range(2)
    ]
    for each in sweepers:
        each.start()
    for each in sweepers:
        each.join()
    assert 0 in [each.exitcode for each in sweepers]
    with opened(path, LATER) as mind:
        bank = mind.bank("alice")
        assert {each.state.lifecycle for each in everything(bank)} == {Lifecycle.ARCHIVED}
        assert len(moves(mind)) == len(set(moves(mind))) == 100
        assert bank.doctor() == []


def test_a_second_sweep_is_told_that_one_is_running_and_takes_over_after_a_kill(
    in_file: Place, processes: ForkServerContext
) -> None:
    path = in_file.target
    filled(path, PORTION + 100)
    dying = processes.Process(target=sweep_and_die, args=(path, LATER, 1))
    dying.start()
    dying.join()
    assert dying.exitcode == DIED
    with opened(path, Instant(LATER + 1_000_000)) as mind:
        assert mind.bank("alice").sweep().outcome is SweepOutcome.ALREADY_RUNNING
        assert len(moves(mind)) == PORTION
    with opened(path, Instant(LATER + 61_000_000)) as mind:
        done = mind.bank("alice").sweep()
        assert done.report is not None
        assert done.report.applied == 100
        assert len(moves(mind)) == len(set(moves(mind))) == PORTION + 100
