"""B041: min-max over one candidate, or over equal ones, divides by zero or orders by chance."""

import math

from lapse.bank import Bank
from tests.reports.helping import T0, VECTORS, WEIGHTED, Place, hit_ids, turned

ALIKE = {f"answer {name}": 0.6 for name in "abcde"}
EMBEDDER = turned(ALIKE, query="the question")

FLAT = 0.5
"""What a term counts that is the same for all candidates."""


def bank_of(place: Place) -> Bank:
    return place.bank({**VECTORS, **WEIGHTED}, embedder=EMBEDDER)


def test_a_single_candidate_has_the_flat_constant_in_every_term(place: Place) -> None:
    bank = bank_of(place)
    bank.remember("answer a", id="a", importance=0.9)
    recall = bank.recall("the question", k=5)
    terms = recall.hits[0].explanation.terms
    assert hit_ids(recall) == ["a"]
    assert [terms[f"{name}_normalised"] for name in ("recency", "importance", "relevance")] == [
        FLAT,
        FLAT,
        FLAT,
    ]
    assert recall.hits[0].score == FLAT


def test_five_equals_have_one_score_and_the_order_of_the_tie_rule(place: Place) -> None:
    bank = bank_of(place)
    for name in "cbead":
        bank.remember(f"answer {name}", id=name, importance=0.3, created_at=T0)
    recall = bank.recall("the question", k=5)
    assert hit_ids(recall) == list("abcde")
    assert {each.score for each in recall.hits} == {FLAT}


def test_of_two_equals_what_was_recorded_later_goes_first(place: Place) -> None:
    bank = bank_of(place)
    for name in "ab":
        bank.remember(f"answer {name}", id=name, created_at=T0)
        place.clock.advance(seconds=1)
    recall = bank.recall("the question", k=5)
    assert hit_ids(recall) == ["b", "a"]
    assert recall.hits[0].score == recall.hits[1].score


def test_where_two_terms_are_flat_the_third_alone_decides(place: Place) -> None:
    bank = bank_of(place)
    for name, importance in (("a", 0.2), ("b", 0.7)):
        bank.remember(f"answer {name}", id=name, importance=importance, created_at=T0)
    recall = bank.recall("the question", k=5)
    assert hit_ids(recall) == ["b", "a"]
    assert [each.score for each in recall.hits] == [
        round((FLAT + 1 + FLAT) / 3, 6),
        round((FLAT + 0 + FLAT) / 3, 6),
    ]
    assert all(
        math.isfinite(each) for hit in recall.hits for each in hit.explanation.terms.values()
    )


def test_no_candidate_at_all_gives_an_empty_answer(place: Place) -> None:
    bank = bank_of(place)
    assert bank.recall("the question", k=5).hits == ()
    bank.remember("unlike any question", id="x")
    assert bank.recall("the question", k=5).hits == ()
