"""Jobs: done by one server, asked after at any, and told as failed when their server ended."""

import io
import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from lapse import Lapse
from lapse.errors import LimitError
from lapse.faces.rest.jobs import (
    AT_ONCE,
    MOST_WAITING,
    SILENT_S,
    SILENT_WHILE_WRITING_S,
    Jobs,
    Outcome,
    Progress,
)
from lapse.faces.rest.tokens import Tokens
from lapse.model.instants import SECOND, Instant
from lapse.stores.sql.noting import SqlNotes
from lapse.stores.sql.sqlite import SqliteStore
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


def until_ended(working: Jobs, job: str) -> None:
    while working.find(PLACE, WHO, job)["status"] not in ("done", "failed"):
        threading.Event().wait(0.01)


class Held:
    """Work that goes on until it is let go."""

    def __init__(self) -> None:
        self.begun, self.ends = threading.Event(), threading.Event()

    def __call__(self, _progress: Progress) -> Outcome:
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
    for each in jobs:
        until_ended(working, str(each))
    working.close()
    assert {working.find(PLACE, WHO, str(each))["status"] for each in jobs} == {"done"}


def test_work_that_clears_the_results_of_its_bank_is_still_told_of(lapse: Lapse) -> None:
    working = server(lapse)

    def clear(_progress: Progress) -> Outcome:
        working.forget(PLACE)
        return Outcome(result={"n": 2})

    job = str(working.start(PLACE, WHO, "apply", clear, 1.0)["id"])
    until_ended(working, job)
    working.close()
    assert working.find(PLACE, WHO, job)["result"] == {"n": 2}


def test_work_tells_how_far_it_is_while_it_holds_the_stores_one_place_for_writers(
    tmp_path: Path, clock: FakeClock
) -> None:
    file = io.BytesIO()
    with Lapse.open("memory://", clock=clock, background=False) as first:
        first.bank("b").remember("Tea is kept in the green tin", id="m")
        first.bank("b").export(file, by="ann", reason="to move")
    file.seek(0)
    with Lapse.open(tmp_path / "s.db", clock=clock, background=False) as lapse:
        working, told, done = server(lapse), threading.Event(), threading.Event()

        def work(progress: Progress) -> Outcome:
            def within(at: int, total: int) -> None:
                clock.advance(seconds=1)
                progress(at, total)
                told.set()
                assert done.wait(30)

            taken = lapse.bank("b").import_(file, by="ann", reason="to move", progress=within)
            return Outcome(result={"n": taken.created})

        job = str(working.start(PLACE, WHO, "import", work, 1.0)["id"])
        assert told.wait(30)
        seen = working.find(PLACE, WHO, job)
        assert (seen["status"], seen["done"], seen["total"]) == ("running", 1, 1)
        done.set()
        working.close()
        assert working.find(PLACE, WHO, job)["result"] == {"n": 1}


def test_a_server_that_ends_lets_run_what_runs_and_begins_nothing_more(
    lapse: Lapse, clock: FakeClock
) -> None:
    working, asked = server(lapse), server(lapse)
    work = Held()
    jobs = [str(working.start(PLACE, WHO, "plan", work, 1.0)["id"]) for _ in range(AT_ONCE + 3)]
    while [working.find(PLACE, WHO, each)["status"] for each in jobs].count("running") < AT_ONCE:
        threading.Event().wait(0.01)
    threading.Timer(0.05, work.ends.set).start()
    working.close()
    clock.advance(seconds=1)
    told = [asked.find(PLACE, WHO, each) for each in jobs]
    assert [each["status"] for each in told] == ["done"] * AT_ONCE + ["failed"] * 3
    problem = told[-1]["problem"]
    assert isinstance(problem, dict)
    assert (problem["error"], problem["status"]) == ("JobCutOffError", 503)
    assert "cut off by a shutdown before it was begun" in problem["detail"]
    with pytest.raises(LimitError, match="is ending"):
        working.start(PLACE, WHO, "plan", work, 1.0)


def test_work_that_outlives_its_servers_patience_is_stopped_where_it_tells_of_itself(
    lapse: Lapse,
) -> None:
    working, asked = server(lapse), server(lapse)
    begun, done = threading.Event(), [0]

    def endless(progress: Progress) -> Outcome:
        while True:
            begun.set()
            threading.Event().wait(0.005)
            progress(done[0], 10**9)
            done[0] += 1

    job = str(working.start(PLACE, WHO, "rate", endless, 1.0)["id"])
    assert begun.wait(30)
    working.close(grace_s=0.05)
    told, at = asked.find(PLACE, WHO, job), done[0]
    assert told["status"] == "failed"
    assert isinstance(told["problem"], dict)
    assert "before it was done" in told["problem"]["detail"]
    threading.Event().wait(0.05)
    assert done[0] == at


def test_work_that_says_nothing_is_given_up_and_its_late_word_changes_nothing(
    lapse: Lapse,
) -> None:
    working, asked = server(lapse), server(lapse)
    work = Held()
    job = str(working.start(PLACE, WHO, "plan", work, 1.0)["id"])
    assert work.begun.wait(30)
    working.close(grace_s=0.05)
    assert asked.find(PLACE, WHO, job)["status"] == "failed"
    work.ends.set()
    threading.Event().wait(0.05)
    assert asked.find(PLACE, WHO, job)["status"] == "failed"


def test_an_outcome_that_could_not_be_written_is_told_and_written_when_it_can_be(
    tmp_path: Path, lapse: Lapse
) -> None:
    store = SqliteStore.open(tmp_path / "s.db", busy_timeout_s=0.01)
    other = sqlite3.connect(tmp_path / "s.db", isolation_level=None, check_same_thread=False)
    assert isinstance(store.notes, SqlNotes)
    parts = lapse.parts
    tokens = Tokens.of(parts.keys, parts.entropy)
    working, asked = (Jobs(store.notes, tokens, parts.clock, parts.entropy) for _ in range(2))
    busy = threading.Event()

    def work(_progress: Progress) -> Outcome:
        other.execute("BEGIN IMMEDIATE")
        busy.set()
        return Outcome(result={"n": 3})

    job = str(working.start(PLACE, WHO, "plan", work, 1.0)["id"])
    assert busy.wait(30)
    until_ended(working, job)
    assert asked.find(PLACE, WHO, job)["status"] == "running"
    other.execute("ROLLBACK")
    working.close()
    assert asked.find(PLACE, WHO, job)["result"] == {"n": 3}
    other.close()
    store.close()


def test_an_import_may_be_silent_for_longer_because_nobody_can_write_while_it_lasts(
    lapse: Lapse, clock: FakeClock
) -> None:
    working, asked = server(lapse), server(lapse)
    work = Held()
    job = str(working.start(PLACE, WHO, "import", work, 1.0)["id"])
    assert work.begun.wait(30)
    begun = clock.now()
    clock.set(Instant(begun + (SILENT_WHILE_WRITING_S - 60) * SECOND))
    assert asked.find(PLACE, WHO, job)["status"] == "running"
    work.ends.set()
    working.close()
