"""B136: ratings are computed and shown but play no part in ranking or when two become one."""

import pytest

from tests.reports.helping import WEIGHTED, Place, ago, hit_ids


def test_the_weightier_goes_first_where_importance_counts_and_they_tie_where_it_does_not(
    place: Place,
) -> None:
    bank = place.bank({**WEIGHTED, "scoring.weight_importance": 1})
    for name, importance in (("slight", 0.2), ("grave", 0.9)):
        bank.remember(f"harbour {name}", id=name, importance=importance, created_at=ago(days=3))
    assert hit_ids(bank.recall("harbour plans")) == ["grave", "slight"]
    bank.set_policy({"scoring.weight_importance": 0})
    scores = [each.score for each in bank.recall("harbour plans").hits]
    assert scores[0] == scores[1]


def test_ratings_count_in_the_default_order_as_well(place: Place) -> None:
    bank = place.bank()
    for name, importance in (("a slight one", 0.2), ("z grave one", 0.9)):
        bank.remember(f"harbour {name}", id=name[0], importance=importance, created_at=ago(days=30))
    recall = bank.recall("harbour plans")
    assert hit_ids(recall) == ["z", "a"]
    assert [each.explanation.importance for each in recall.hits] == [0.9, 0.2]


@pytest.mark.parametrize("first", [0.2, 0.9])
def test_told_again_the_rating_it_was_stored_with_stays(place: Place, first: float) -> None:
    # Two tellings of one text are one memory, and a rating is given once: only a verified outcome
    # raises it. What matters more is told so by `verify_outcome`.
    bank = place.bank()
    bank.remember("The harbour opens at six", id="m", importance=first)
    bank.remember("The harbour opens at six", importance=1.1 - first)
    assert bank.get("m").state.importance == first
    bank.verify_outcome(["m"])
    assert bank.get("m").state.importance == 1.0
