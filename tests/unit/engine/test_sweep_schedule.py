"""Scheduled sweeps: which banks, when, and by whom."""

import threading

import pytest

from lapse.engine.sweep_schedule import sweep_scheduled
from lapse.faces.scheduler import Worker
from lapse.ports import Store
from tests.unit.engine.opening import Opened, opened
from tests.unit.engine.sweeping import AUTO, tell

QUIET, BUSY_HOUR = "2026-06-07T02:00Z", "2026-06-07T12:00Z"


def _told(store: Store, **more: object) -> Opened:
    lapse = opened(store, policy=AUTO | {each.replace("__", "."): v for each, v in more.items()})
    tell(lapse.alice, 3)
    return lapse


def test_a_bank_is_swept_in_its_quiet_hours_and_then_not_for_a_week(store: Store) -> None:
    lapse = _told(store)
    lapse.clock.set(BUSY_HOUR)
    assert sweep_scheduled(lapse.core) == []
    lapse.clock.set("2026-06-08T02:00Z")
    (done,) = sweep_scheduled(lapse.core)
    assert done.report is not None
    assert (done.report.applied, done.report.by) == (3, "lapse")
    for day in range(9, 15):
        lapse.clock.set(f"2026-06-{day:02}T02:00Z")
        assert sweep_scheduled(lapse.core) == []
    lapse.clock.set("2026-06-15T02:00Z")
    assert len(sweep_scheduled(lapse.core)) == 1


def test_a_busy_bank_is_swept_nightly(store: Store) -> None:
    lapse = _told(store, retention__busy_writes_per_day=5)
    lapse.clock.set(QUIET)
    assert len(sweep_scheduled(lapse.core)) == 1
    for at in range(20):
        lapse.alice.remember(f"The ferry {at} is painted")
    lapse.clock.set("2026-06-08T02:00Z")
    assert len(sweep_scheduled(lapse.core)) == 1
    lapse.clock.set("2026-06-09T02:00Z")
    assert sweep_scheduled(lapse.core) == []


@pytest.mark.parametrize("mode", ["rank", "filter", "observe"])
def test_only_banks_in_mode_lifecycle_are_scheduled(store: Store, mode: str) -> None:
    lapse = _told(store, forgetting__mode=mode, forgetting__auto_apply=False)
    lapse.mind.bank("never written").recall("anything")
    lapse.clock.set(QUIET)
    assert sweep_scheduled(lapse.core) == []


def test_the_worker_looks_at_the_schedule_without_being_woken_again() -> None:
    rounds = threading.Semaphore(0)
    worker = Worker(rounds.release, every_s=0.01)
    worker.wake()
    assert all(rounds.acquire(timeout=10) for _ in range(3))
    worker.stop()
