"""Jobs: done by one server, asked after at any, and told as failed when their server ended."""

import threading
from collections.abc import Iterator

import pytest

from lapse import Lapse
from lapse.errors import LimitError
from lapse.faces.rest.jobs import MOST_WAITING, SILENT_S, Jobs, Outcome, Progress
from lapse.faces.rest.tokens import Tokens
from lapse.model.instants import Instant
from lapse.testing.fakes import FakeClock
from tests.faces.conftest import NOW

PLACE, WHO = "place", "key"


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock(NOW)


@pytest.fixture
def lapse(clock: FakeClock) -> Iterator[Lapse]:
    with Lapse.open("memory://", clock=clock, background=False) as opened:
        yield opened


def server(lapse: Lapse) -> Jobs:
    parts = lapse.parts
    return Jobs(lapse.notes, Tokens.of(parts.keys, parts.entropy), parts.clock, parts.entropy)


class Held:
    """Work that goes on until it is let go."""

    def __init__(self) -> None:
        self.begun, self.ends = threading.Event(), threading.Event()

    def __call__(self, progress: Progress) -> Outcome:
        progress(1, 2)
        self.begun.set()
        assert self.ends.wait(30)
        return Outcome(result={"n": 1})


def test_a_job_whose_server_ended_has_failed_for_every_other_server(
    lapse: Lapse, clock: FakeClock
) -> None:
    ended, asked = server(lapse), server(lapse)
    work = Held()
    job = str(ended.start(PLACE, WHO, "plan", work, 1.0)["id"])
    assert work.begun.wait(30)
    assert asked.find(PLACE, WHO, job)["status"] == "running"
    clock.advance(seconds=SILENT_S + 1)
    told = asked.find(PLACE, WHO, job)
    problem = told["problem"]
    assert told["status"] == "failed"
    assert isinstance(problem, dict)
    assert (problem["error"], problem["status"]) == ("JobCutOffError", 503)
    work.ends.set()
    ended.close()
    assert asked.find(PLACE, WHO, job)["status"] == "done"


def test_a_job_that_takes_long_lives_as_long_as_its_server_says_so(
    lapse: Lapse, clock: FakeClock
) -> None:
    working, asked = server(lapse), server(lapse)
    work = Held()
    job = str(working.start(PLACE, WHO, "plan", work, 1.0)["id"])
    assert work.begun.wait(30)
    for _ in range(5):
        clock.advance(seconds=SILENT_S - 1)
        working.beat()
        assert asked.find(PLACE, WHO, job)["status"] == "running"
    work.ends.set()
    working.close()
    told = asked.find(PLACE, WHO, job)
    assert (told["status"], told["result"], "seen" in told) == ("done", {"n": 1}, False)
    clock.advance(seconds=600)
    assert asked.find(PLACE, WHO, job)["status"] == "done"


def test_what_waits_behind_long_work_is_alive_too_and_too_many_are_refused(
    lapse: Lapse, clock: FakeClock
) -> None:
    working, work = server(lapse), Held()
    jobs = [working.start(PLACE, WHO, "plan", work, 1.0)["id"] for _ in range(MOST_WAITING)]
    with pytest.raises(LimitError):
        working.start(PLACE, WHO, "plan", work, 1.0)
    clock.set(Instant(clock.now() + SILENT_S * 1_000_000))
    working.beat()
    clock.advance(seconds=SILENT_S - 1)
    assert working.find(PLACE, WHO, str(jobs[-1]))["status"] == "queued"
    work.ends.set()
    working.close()
    assert {working.find(PLACE, WHO, str(each))["status"] for each in jobs} == {"done"}


def test_work_that_clears_the_results_of_its_bank_is_still_told_of(lapse: Lapse) -> None:
    working = server(lapse)

    def clear(_progress: Progress) -> Outcome:
        working.forget(PLACE)
        return Outcome(result={"n": 2})

    job = str(working.start(PLACE, WHO, "apply", clear, 1.0)["id"])
    working.close()
    assert working.find(PLACE, WHO, job)["result"] == {"n": 2}
