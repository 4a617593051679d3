"""K01, not reported: ages so long that a factor per hour leaves nothing a float can hold."""

import pytest

from tests.reports.helping import WEIGHTED, Place, ago, hit_ids


def test_twenty_and_thirty_years_are_still_told_apart(place: Place) -> None:
    bank = place.bank(WEIGHTED)
    for years in (30, 20):
        bank.remember(f"harbour {years}", id=f"y{years}", created_at=ago(days=365.25 * years))
    recall = bank.recall("harbour plans")
    recencies = [each.explanation.terms["recency_normalised"] for each in recall.hits]
    assert hit_ids(recall) == ["y20", "y30"]
    assert recencies == [1.0, 0.0]
    assert recall.hits[1].explanation.terms["recency"] == 0.0


@pytest.mark.parametrize("law", ["activation", "fsrs"])
def test_a_law_with_a_long_tail_tells_centuries_apart(place: Place, law: str) -> None:
    bank = place.bank({"law.name": law})
    for years in (400, 300, 200, 100):
        bank.remember(f"harbour {years}", id=f"y{years}", created_at=ago(days=365.25 * years))
    recall = bank.recall("harbour plans")
    strengths = [each.explanation.retrievability for each in recall.hits]
    assert strengths == sorted(strengths, reverse=True)
    assert len(set(strengths)) == 4
    assert strengths[-1] > 0
