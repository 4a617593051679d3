"""What is asked of a server, and what follows on each answer."""

import json
from collections.abc import Mapping, Sequence
from itertools import count

import pytest

from lapse.errors import (
    AccessError,
    ConflictError,
    LapseError,
    LimitError,
    NotFoundError,
    PolicyError,
    StoreBusyError,
    TombstonedError,
    UnknownCallerError,
    UnreachableError,
    ValidationError,
    VersionConflictError,
    fault,
)
from lapse.faces.operations import TABLE
from lapse.faces.operations.results import Marked
from lapse.faces.remote.exchange import Asker, exchange
from lapse.faces.remote.raising import error_in
from lapse.faces.remote.steps import Ask, Lost, Manner, Outcome, Pause, Reply
from lapse.faces.rest.problems import problem_of
from lapse.model.memory import BankRef

MARKED = {"changed": 1}
KEY = "Idempotency-Key"


def reply(status: int, body: Mapping[str, object], **headers: str) -> Reply:
    named = {name.replace("_", "-"): each for name, each in headers.items()}
    return Reply(status=status, headers=named, body=json.dumps(body).encode())


def refusal(error: LapseError) -> Reply:
    problem = problem_of(error, "r1")
    headers = {name.lower(): each for name, each in problem.headers.items()}
    return Reply(status=problem.status, headers=headers, body=json.dumps(problem.body).encode())


class Told:
    """An exchange carried out with answers that are known beforehand."""

    def __init__(
        self,
        operation: str,
        given: Mapping[str, object],
        answers: Sequence[Reply | Lost],
        *,
        retries: int = 2,
        bank: str = "notes",
        watched: list[tuple[int, int]] | None = None,
    ) -> None:
        words = count(1)
        manner = Manner(new_word=lambda: f"word-{next(words)}", retries=retries)
        asker = Asker(place=BankRef(tenant="acme", name=bank), manner=manner)
        seen = None if watched is None else (lambda done, total: watched.append((done, total)))
        self._steps = exchange(TABLE[operation], given, asker, seen)
        self._answers = list(answers)
        self.asked: list[Ask] = []
        self.pauses: list[float] = []

    def run(self) -> object:
        outcome: Outcome = None
        while True:
            try:
                step = self._steps.send(outcome)
            except StopIteration as ended:
                found: object = ended.value
                assert not self._answers
                return found
            if isinstance(step, Pause):
                self.pauses.append(step.seconds)
                outcome = None
            else:
                self.asked.append(step)
                outcome = self._answers.pop(0)


def test_a_write_goes_under_one_key_however_often_it_is_sent() -> None:
    told = Told("pin", {"ids": ["a"]}, [Lost(why="cut"), Lost(why="cut"), reply(200, MARKED)])
    assert getattr(told.run(), "changed", None) == 1
    assert [each.headers[KEY] for each in told.asked] == ["word-1"] * 3
    assert told.pauses == [0.1, 0.2]


def test_what_reads_is_repeated_without_a_key() -> None:
    told = Told("verify_journal", {}, [Lost(why="cut"), refusal(NotFoundError("none"))])
    with pytest.raises(NotFoundError):
        told.run()
    assert [KEY in each.headers for each in told.asked] == [False, False]


def test_a_write_without_retries_is_sent_once_and_without_a_key() -> None:
    told = Told("pin", {"ids": ["a"]}, [Lost(why="cut")], retries=0)
    with pytest.raises(UnreachableError, match="did not answer: cut"):
        told.run()
    assert [KEY in each.headers for each in told.asked] == [False]


def test_a_server_that_is_busy_is_asked_again_when_it_says() -> None:
    busy = refusal(StoreBusyError("another writer"))
    told = Told("pin", {"ids": ["a"]}, [busy, reply(200, MARKED)])
    told.run()
    assert told.pauses == [1.0]


def test_a_longer_wait_than_allowed_is_told_as_the_error_it_came_with() -> None:
    told = Told("pin", {"ids": ["a"]}, [refusal(LimitError("too fast", retry_after_s=60))])
    with pytest.raises(LimitError) as caught:
        told.run()
    assert caught.value.retry_after_s == 60
    assert told.pauses == []


def test_what_another_moment_does_not_change_is_not_asked_again() -> None:
    for error in (ConflictError("no"), LimitError("no"), ValidationError.of("a", 1, "b")):
        told = Told("pin", {"ids": ["a"]}, [refusal(error)])
        with pytest.raises(type(error)):
            told.run()


def test_a_lost_write_that_is_still_at_work_is_waited_for() -> None:
    under_way = refusal(ConflictError("under way", fields={"under_way": "true"}))
    told = Told("pin", {"ids": ["a"]}, [Lost(why="cut"), under_way, reply(200, MARKED)])
    assert getattr(told.run(), "changed", None) == 1


def test_a_lost_write_is_waited_for_longer_than_it_would_be_repeated() -> None:
    under_way = refusal(ConflictError("under way", fields={"under_way": "true"}))
    outcomes: list[Reply | Lost] = [Lost(why="cut"), *[under_way] * 20, reply(200, MARKED)]
    told = Told("pin", {"ids": ["a"]}, outcomes, retries=1)
    assert getattr(told.run(), "changed", None) == 1
    assert max(told.pauses) <= 1.0


def test_a_lost_write_that_is_never_done_is_not_waited_for_without_end() -> None:
    under_way = refusal(ConflictError("under way", fields={"under_way": "true"}))
    told = Told("pin", {"ids": ["a"]}, [Lost(why="cut"), *[under_way] * 700])
    with pytest.raises(ConflictError, match="under way"):
        told.run()
    assert 600 <= sum(told.pauses) <= 603


def test_a_request_that_somebody_else_is_at_is_not_waited_for() -> None:
    under_way = refusal(ConflictError("under way", fields={"under_way": "true"}))
    told = Told("pin", {"ids": ["a"]}, [under_way])
    with pytest.raises(ConflictError):
        told.run()


@pytest.mark.parametrize(
    "error",
    [
        NotFoundError("no such memory", fields={"ids": "tea"}),
        VersionConflictError("another version", fields={"version": "2"}),
        TombstonedError("was erased", fields={"tombstones": "t"}),
        AccessError("may not", fields={"role": "reader"}),
        UnknownCallerError("no key"),
        LimitError("too fast", retry_after_s=3),
        PolicyError([fault("recall.k", -1, "needs 1 or more")]),
        ValidationError([fault("text", "x", "must say something"), fault("b", 1, "c")]),
    ],
    ids=lambda each: type(each).__name__,
)
def test_an_error_comes_back_with_its_class_and_fields(error: LapseError) -> None:
    again = error_in(refusal(error))
    assert type(again) is type(error)
    assert again.fields == error.fields
    assert again.__notes__ == ["request r1"]
    if not isinstance(error, ValidationError):
        assert str(again) == str(error)


def test_a_fault_of_the_server_itself_is_told_as_one() -> None:
    error = error_in(refusal(ZeroDivisionError("secret")))  # type: ignore[arg-type]  # none of ours
    assert type(error) is LapseError
    assert "secret" not in str(error)


def test_what_a_later_server_tells_besides_is_passed_over() -> None:
    told = Told("pin", {"ids": ["m"]}, [reply(200, {**MARKED, "of_a_later_version": [1]})])
    assert told.run() == Marked(changed=1)


@pytest.mark.parametrize(
    "answer",
    [
        Reply(status=404, headers={"content-type": "text/html"}, body=b"<html>nginx"),
        Reply(status=200, headers={"content-type": "text/html"}, body=b"<html>hello"),
        reply(200, {"of_another_version": True}),
        reply(418, {"error": "TeapotError", "detail": "short and stout"}),
    ],
    ids=["a page", "a page that succeeds", "another version", "another kind of error"],
)
def test_what_no_server_of_this_version_says_is_told_so(answer: Reply) -> None:
    with pytest.raises(UnreachableError):
        Told("pin", {"ids": ["a"]}, [answer]).run()


def test_what_destroys_is_looked_at_and_confirmed() -> None:
    moved = {"verb": "suppress", "applied": False, "ids": ["a"], "spared": [], "unchanged": []}
    moved |= {"selection": None}
    shown = reply(200, {**moved, "preview": {"id": "p1", "expires_at": "…"}})
    done = reply(200, {**moved, "applied": True})
    given = {"ids": ["a"], "by": "ann", "reason": "over", "yes": True}
    told = Told("suppress", given, [shown, done])
    assert getattr(told.run(), "applied", None) is True
    first, second = (json.loads(each.body or b"") for each in told.asked)
    assert first == {"ids": ["a"]}
    assert second == {"ids": ["a"], "by": "ann", "reason": "over", "confirm": "p1"}


def test_what_changed_between_the_two_calls_is_looked_at_again_but_not_for_ever() -> None:
    moved = {"verb": "suppress", "applied": False, "ids": ["a"], "spared": [], "unchanged": []}
    moved |= {"selection": None}
    shown = reply(200, {**moved, "preview": {"id": "p1", "expires_at": "…"}})
    stale = refusal(ConflictError("not what was shown", fields={"field": "confirm"}))
    told = Told("suppress", {"ids": ["a"], "yes": True}, [shown, stale] * 3)
    with pytest.raises(ConflictError):
        told.run()


def test_long_work_that_somebody_watches_is_a_job() -> None:
    job = {"id": "j", "status": "running", "done": 1, "total": 2, "result": None, "problem": None}
    answers = [
        reply(202, job, location="/v1/jobs/j"),
        reply(200, job),
        reply(200, {**job, "done": 2}),
        reply(200, {**job, "done": 2, "status": "done", "result": {"vectors": 2}}),
    ]
    seen: list[tuple[int, int]] = []
    told = Told("reembed", {}, answers, watched=seen)
    assert getattr(told.run(), "vectors", None) == 2
    assert seen == [(1, 2), (2, 2)]
    assert told.asked[0].headers["Prefer"] == "respond-async"
    assert {each.path for each in told.asked[1:]} == {"/v1/jobs/j"}


def test_a_job_that_failed_raises_what_it_failed_with() -> None:
    problem = problem_of(NotFoundError("gone", fields={"ids": "x"}), "r").body
    job = {"id": "j", "status": "failed", "done": 0, "total": None, "problem": problem}
    told = Told("reembed", {}, [reply(202, job, location="/j"), reply(200, job)], watched=[])
    with pytest.raises(NotFoundError):
        told.run()


def test_names_stay_one_segment_of_the_path() -> None:
    told = Told("get", {"id": "a/b?c"}, [refusal(NotFoundError("none"))], bank="..")
    with pytest.raises(NotFoundError):
        told.run()
    assert told.asked[0].path == "/v1/tenants/acme/banks/%2E%2E/memories/a%2Fb%3Fc"


@pytest.mark.parametrize("name", ["", " ", None, 7])
def test_a_path_needs_a_name(name: object) -> None:
    with pytest.raises(ValidationError) as caught:
        Told("get", {"id": name}, []).run()
    assert [each.field for each in caught.value.faults] == ["id"]


def test_a_page_goes_on_at_a_plain_position() -> None:
    told = Told(
        "list",
        {"after": 12, "limit": 3, "kinds": ["semantic", "episodic"], "latest_only": True},
        [reply(200, {"records": [], "next_cursor": "15"})],
    )
    assert getattr(told.run(), "next_after", None) == 15
    assert sorted(told.asked[0].query) == [
        ("cursor", "12"),
        ("kinds", "episodic"),
        ("kinds", "semantic"),
        ("latest_only", "true"),
        ("limit", "3"),
    ]
    assert told.asked[0].headers["Prefer"] == "positions"


@pytest.mark.parametrize("value", [b"bytes", object(), float("nan")])
def test_a_value_without_a_json_form_is_refused_by_name(value: object) -> None:
    with pytest.raises(ValidationError):
        Told("remember", {"text": "x", "metadata": {"a": value}}, []).run()


def test_what_has_no_route_says_why() -> None:
    with pytest.raises(ValidationError, match="server's own disk"):
        Told("backup", {"path": "x"}, []).run()
