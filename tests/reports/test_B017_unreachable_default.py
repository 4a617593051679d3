"""B017: a plausible default puts a right memory of eight months out of reach, and nobody is told.

Design differs: a term that is the same for all candidates counts 0.5, not 0, so the totals are
other than in the report; and ties go to the more relevant, so at weights 1, 1, 1 the old memory is
first.
"""

import pytest

from lapse.bank import Bank
from lapse.model.query import Axis, Reason
from tests.reports.helping import VECTORS, WEIGHTED, Place, ago, hit_ids, turned

FILLERS = {f"filler {number}": 0.30 for number in range(9)}
EMBEDDER = turned({"the right answer": 0.95, **FILLERS}, query="the question")


def told(place: Place, settings: dict[str, object]) -> Bank:
    bank = place.bank({**VECTORS, **settings}, embedder=EMBEDDER)
    bank.remember("the right answer", id="a", created_at=ago(days=250), importance=0.5)
    for at, text in enumerate(FILLERS):
        bank.remember(text, id=f"f{at}", created_at=ago(hours=1), importance=0.5)
    return bank


def test_a_tray_with_room_for_all_holds_the_old_memory_and_says_how_weak_it_is(
    place: Place,
) -> None:
    recall = told(place, dict(WEIGHTED)).recall("the question", k=10)
    found = next(each for each in recall.hits if each.id == "a").explanation
    assert len(recall.hits) == 10
    assert found.terms["recency"] == pytest.approx(8.68e-14, rel=1e-3)
    assert found.relevance == 0.95


def test_the_old_memory_is_first_where_relevance_weighs_twice(place: Place) -> None:
    recall = told(place, dict(WEIGHTED)).recall("the question", k=2, weight_relevance=2)
    assert hit_ids(recall)[0] == "a"
    assert [each.score for each in recall.hits] == [0.625, 0.375]


def test_at_equal_weights_all_tie_and_the_more_relevant_is_first(place: Place) -> None:
    recall = told(place, dict(WEIGHTED)).recall("the question", k=10)
    assert hit_ids(recall) == ["a", *(f"f{at}" for at in range(9))]
    assert {each.score for each in recall.hits} == {0.5}


def test_the_default_scorer_keeps_the_old_memory_within_reach(place: Place) -> None:
    assert "a" in hit_ids(told(place, {}).recall("the question", k=10))


def test_what_a_smaller_tray_leaves_out_is_told_with_its_strength(place: Place) -> None:
    bank = told(place, {})
    left = next(each for each in bank.recall("the question", k=8).exclusions if each.id == "a")
    assert left.reason is Reason.OVER_COUNT
    assert left.axis is Axis.CAPACITY
    assert left.explanation.relevance == 0.95
    assert left.explanation.retrievability < 0.05
    assert left.explanation.boost < 1
    assert hit_ids(bank.recall("the question", k=1, mode="off")) == ["a"]
