"""Which memories will be needed: rankers over small logs of known outcome."""

from collections.abc import Callable
from pathlib import Path

import pytest

from benchmarks.access_log import Access, Touch, read_log
from benchmarks.need import ByLaw, Judged, auc_difference, judge, rankers, results
from lapse.model.instants import DAY, Instant
from lapse.model.policy import LawName

NAMES = ["activation", "fsrs", "ebbinghaus", "exponential", "lru", "lfu", "random"]


def _access(item: int, day: float) -> Access:
    touch = Touch.ADDED if day == 0 else Touch.CHANGED
    return Access(item=item, at=Instant(round(day * DAY)), touch=touch)


def _weekly_and_never(days: int) -> list[Access]:
    """Item 0 is used every week; items 1 to 4 never again."""
    log = [_access(item, 0) for item in range(5)]
    return log + [_access(0, day) for day in range(7, days, 7)]


def test_whoever_looks_at_the_past_finds_what_is_used_every_week() -> None:
    judged = judge(_weekly_and_never(500), rankers())
    found = results(judged)
    assert list(found) == NAMES
    for name in NAMES[:-1]:
        assert found[name] == {"auc": 1.0, "hit20": 1.0}
    assert found["random"] != {"auc": 1.0, "hit20": 1.0}


def test_questions_that_nothing_or_everything_answers_are_not_judged() -> None:
    log = [_access(item, day) for day in (0, 420, 456) for item in (0, 1)]
    judged = judge(log, rankers())
    assert judged["lru"] == []
    told = [each for each in log if each.item == 0 or each.at < 400 * DAY]
    assert len(judge(told, rankers())["lru"]) == 1


@pytest.mark.parametrize("name", list(LawName))
def test_uses_within_one_cooldown_count_once(name: LawName) -> None:
    seldom, often = ByLaw.of(name), ByLaw.of(name)
    for each in [_access(0, 0), _access(0, 10.1)]:
        seldom.learn(each)
        often.learn(each)
    often.learn(_access(0, 10.15))
    assert seldom.held == often.held
    often.learn(_access(0, 11.5))
    assert seldom.held != often.held


def test_a_difference_is_taken_question_by_question() -> None:
    ours = [Judged(auc=0.9, kept=1, uses=1), Judged(auc=0.5, kept=1, uses=1)]
    theirs = [Judged(auc=0.8, kept=1, uses=1), Judged(auc=0.4, kept=1, uses=1)]
    assert auc_difference(ours, theirs) == pytest.approx((0.1, 0.1, 0.1))


@pytest.mark.parametrize("repository", ["flask", "requests"])
def test_activation_foresees_need_better_than_the_last_use_does(
    shared_data: Callable[[str], Path], repository: str
) -> None:
    log = read_log(shared_data(f"data/gitlogs/{repository}.csv"))
    both = {name: each for name, each in rankers().items() if name in ("activation", "lru")}
    judged = judge(log, both)
    apart, low, _ = auc_difference(judged["activation"], judged["lru"])
    assert apart >= 0.02
    assert low > 0
