"""The worker: what wakes it, what stops it, what it survives."""

import logging
import threading

import pytest

from lapse.faces.scheduler import Worker

WAIT_S = 30
"""Longest that a test waits for another thread; never slept out when all is well."""


class Work:
    """Work that a test can hold up and count."""

    def __init__(self) -> None:
        self.calls = 0
        self.started = threading.Semaphore(0)
        self.go_on = threading.Semaphore(0)
        self.fails = False

    def __call__(self) -> None:
        self.calls += 1
        self.started.release()
        assert self.go_on.acquire(timeout=WAIT_S)
        if self.fails:
            raise RuntimeError("the store is busy")


def _await(semaphore: threading.Semaphore) -> None:
    assert semaphore.acquire(timeout=WAIT_S), "the worker never came"


def test_without_a_wake_there_is_no_thread() -> None:
    work = Work()
    before = threading.active_count()

    worker = Worker(work)
    worker.stop()

    assert threading.active_count() == before
    assert work.calls == 0


def test_a_wake_has_the_work_done_in_another_thread() -> None:
    seen: list[str] = []
    done = threading.Event()

    def work() -> None:
        seen.append(threading.current_thread().name)
        done.set()

    worker = Worker(work)
    worker.wake()
    assert done.wait(WAIT_S)
    worker.stop()

    assert seen == ["lapse-upkeep"]


def test_wakes_during_the_work_are_one_more_round() -> None:
    work = Work()
    worker = Worker(work)
    worker.wake()
    _await(work.started)

    for _ in range(5):
        worker.wake()
    work.go_on.release(2)
    _await(work.started)
    worker.stop()

    assert work.calls == 2


def test_wakes_that_follow_each_other_closely_are_one_round() -> None:
    work = Work()
    worker = Worker(work)

    for _ in range(50):
        worker.wake()
    _await(work.started)
    work.go_on.release(2)
    worker.stop()

    assert work.calls == 1


def test_stopping_does_not_wait_for_what_would_have_gathered() -> None:
    work = Work()
    worker = Worker(work, gather_s=10 * WAIT_S)
    worker.wake()
    stopper = threading.Thread(target=worker.stop)
    stopper.start()
    stopper.join(WAIT_S)

    assert not stopper.is_alive()
    assert work.calls == 0


def test_stopping_lets_the_work_under_way_end_and_no_other_begin() -> None:
    work = Work()
    worker = Worker(work)
    worker.wake()
    _await(work.started)

    stopper = threading.Thread(target=worker.stop)
    stopper.start()
    assert worker._woken.wait(WAIT_S), "stop never came to its wake"
    worker.wake()
    work.go_on.release()
    stopper.join(WAIT_S)

    assert not stopper.is_alive()
    assert work.calls == 1


def test_after_a_stop_a_wake_does_nothing_and_a_stop_may_come_again() -> None:
    work = Work()
    worker = Worker(work)
    worker.stop()

    worker.wake()
    worker.stop()

    assert work.calls == 0


def test_a_round_that_fails_is_logged_and_the_next_wake_tries_again(
    caplog: pytest.LogCaptureFixture,
) -> None:
    work = Work()
    work.fails = True
    worker = Worker(work)
    with caplog.at_level(logging.WARNING, logger="lapse.upkeep"):
        worker.wake()
        _await(work.started)
        work.go_on.release()
        worker.wake()
        _await(work.started)
        work.go_on.release()
        worker.stop()

    assert work.calls == 2
    assert "RuntimeError" in caplog.text
    assert "store is busy" not in caplog.text
