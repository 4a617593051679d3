"""B016: a straight line of decay goes below zero after some weeks, and the record is thrown away.

Lapse's straight line is the recency of an event: one factor among others, and bounded.
"""

import pytest

from lapse.model.query import Recall
from tests.reports.helping import Place, ago, everything

WEIGHT = 0.4
LINE = {
    "scoring.event_recency": "linear",
    "scoring.event_window_days": 20,  # 0.05 a day
    "scoring.event_weight": WEIGHT,
}
AGES = (10, 20, 30, 400)


def recency(recall: Recall, days: int) -> float:
    """The line's own value, read back from 1 + w·(recency − 0.5); w is halved while strength ranks.

    Raises:
        StopIteration: The memory is no hit.
    """
    hit = next(each for each in recall.hits if each.id == f"d{days}")
    return (hit.explanation.event_recency - 1) / (WEIGHT / 2) + 0.5


def test_a_line_ends_at_zero_and_everything_stays_within_reach(place: Place) -> None:
    bank = place.bank(LINE)
    for days in AGES:
        at = ago(days=days)
        bank.remember(f"harbour visit {days}", id=f"d{days}", occurred_at=at, created_at=at)
    recall = bank.recall("harbour plans")
    assert [recency(recall, days) for days in AGES] == pytest.approx([0.5, 0, 0, 0])
    assert all(each.score > 0 for each in recall.hits)
    assert [each.memory.id for each in everything(bank)] == [f"d{days}" for days in AGES]
    for days in AGES:
        assert bank.recall(f"harbour visit {days}", k=1).hits[0].id == f"d{days}"


def test_a_line_starts_at_one_for_what_is_yet_to_happen(place: Place) -> None:
    bank = place.bank(LINE)
    bank.remember("harbour visit", id="d0", occurred_at=ago(days=-5))
    assert recency(bank.recall("harbour plans"), 0) == pytest.approx(1.0)
