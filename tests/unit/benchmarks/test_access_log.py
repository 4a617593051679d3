"""Logs of accesses, and the questions they can answer."""

from pathlib import Path

import pytest

from benchmarks.access_log import Access, Touch, questions, read_log
from lapse.model.instants import DAY, Instant


def _log(*lines: tuple[int, float, Touch]) -> list[Access]:
    return [
        Access(item=item, at=Instant(round(day * DAY)), touch=touch) for item, day, touch in lines
    ]


def test_a_log_is_read_in_order_of_time_and_without_its_remarks(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    path.write_text("# path,seconds,kind\n1,20,2\n0,10,1\n", encoding="utf-8")
    assert read_log(path) == [
        Access(item=0, at=Instant(10_000_000), touch=Touch.ADDED),
        Access(item=1, at=Instant(20_000_000), touch=Touch.CHANGED),
    ]


@pytest.mark.parametrize("line", ["0,10", "0,ten,1", "0,10,9"])
def test_a_line_of_another_form_is_refused(tmp_path: Path, line: str) -> None:
    path = tmp_path / "log.csv"
    path.write_text(line, encoding="utf-8")
    with pytest.raises(ValueError, match=r"."):
        read_log(path)


def test_a_question_asks_for_the_uses_of_the_thirty_days_after_it() -> None:
    log = _log(
        (0, 0, Touch.ADDED),
        (1, 1, Touch.ADDED),
        (0, 365, Touch.CHANGED),
        (0, 366, Touch.CHANGED),
        (0, 395, Touch.RENAMED_AND_CHANGED),
        (1, 395.5, Touch.CHANGED),
    )
    asked = list(questions(log))
    assert [each.now for each in asked] == [365 * DAY]
    assert asked[0].living == [0, 1]
    assert asked[0].uses == {0: 2}
    assert [each.at for each in asked[0].news] == [0, DAY, 365 * DAY]


def test_what_was_deleted_or_is_yet_to_be_born_is_not_asked_about() -> None:
    log = _log(
        (0, 0, Touch.ADDED),
        (1, 0, Touch.ADDED),
        (2, 0, Touch.ADDED),
        (1, 10, Touch.DELETED),
        (2, 10, Touch.DELETED),
        (2, 20, Touch.CHANGED),
        (3, 370, Touch.ADDED),
        (1, 371, Touch.CHANGED),
        (0, 400, Touch.DELETED),
    )
    asked = list(questions(log))
    assert len(asked) == 1
    assert asked[0].living == [0, 2]
    assert asked[0].uses == {}


def test_a_deletion_is_no_use() -> None:
    log = _log((0, 0, Touch.ADDED), (0, 366, Touch.DELETED), (1, 400, Touch.ADDED))
    assert [each.uses for each in questions(log)] == [{}]


def test_each_access_is_news_to_one_question_only() -> None:
    log = _log((0, 0, Touch.ADDED), *((0, day, Touch.CHANGED) for day in range(360, 500, 7)))
    asked = list(questions(log))
    assert len(asked) == 4
    told = [access for each in asked for access in each.news]
    assert told == [each for each in log if each.at <= asked[-1].now]


@pytest.mark.parametrize("days", [[], [0], [0, 394]])
def test_a_log_too_short_to_know_an_answer_asks_nothing(days: list[float]) -> None:
    assert list(questions(_log(*((0, day, Touch.CHANGED) for day in days)))) == []
