"""A replay asks about what could have been used at an instant, and about nothing else."""

from pathlib import Path

from lapse.lab.log import Entry, Happening, in_order, read_entries, written
from lapse.lab.replaying import moments
from lapse.laws import law_for
from lapse.model.instants import DAY, Instant
from lapse.model.policy import LawPolicy


def _entry(day: float, memory: str, event: Happening) -> Entry:
    return Entry(at=Instant(round(day * DAY)), memory=memory, event=event)


def _asked(*happenings: tuple[float, str, Happening]) -> list[tuple[int, list[int]]]:
    log = [
        _entry(0, "a", Happening.CREATED),
        _entry(0, "b", Happening.CREATED),
        *(_entry(*each) for each in happenings),
        _entry(40, "b", Happening.USED),
    ]
    policy = LawPolicy()
    found = moments(in_order(log), law_for(policy), policy.decay, 10.0, 10.0)
    return [(len(each.uses), each.uses.tolist()) for each in found]


def test_what_is_out_of_recall_is_not_asked_about_until_it_is_back() -> None:
    found = _asked((5, "a", Happening.SUPPRESSED), (25, "a", Happening.RESTORED))
    assert [count for count, _ in found] == [1, 1, 2]


def test_what_ended_is_not_asked_about_unless_that_is_taken_back() -> None:
    gone = _asked((5, "a", Happening.SUPERSEDED))
    assert [count for count, _ in gone] == [1, 1, 1]
    back = _asked((5, "a", Happening.SUPERSEDED), (15, "a", Happening.RESTORED))
    assert [count for count, _ in back] == [1, 2, 2]


def test_a_use_while_out_of_recall_is_remembered_when_it_is_back() -> None:
    log = [
        _entry(0, "a", Happening.CREATED),
        _entry(1, "a", Happening.SUPPRESSED),
        _entry(5, "a", Happening.USED),
        _entry(8, "a", Happening.RESTORED),
        _entry(30, "a", Happening.USED),
    ]
    policy = LawPolicy()
    (first, _) = moments(log, law_for(policy), policy.decay, 10.0, 10.0)
    assert first.counts.tolist() == [2]
    assert first.recency_s.tolist() == [5 * 86_400]


def test_a_log_that_is_written_is_read_as_the_same_log(tmp_path: Path) -> None:
    log = [_entry(0, "a", Happening.CREATED), _entry(0.000001, "é", Happening.USED)]
    path = tmp_path / "log.jsonl"
    path.write_text("".join(written(log)), encoding="utf-8")
    assert read_entries(path) == log
