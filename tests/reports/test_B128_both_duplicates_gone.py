"""B128: a symmetric test for duplicates flags both members of a pair, and both are deleted.

Design differs: nothing is deleted for being like something else; duplicates are left out of one
answer, for lack of room. The survivor is the better ranked, pinned ones first. So of a chain C, D,
E the best one always stays: where D itself is best, it stands for C and E in that answer.
"""

import math

import pytest

from tests.reports.helping import VECTORS, ChosenVectors, Place, everything, hit_ids

SAME = "We meet at the harbour"
CHAIN = {
    "C": "The ferry leaves in the morning",
    "D": "The ferry leaves in the early morning",
    "E": "The ferry leaves early in the morning",
}
DEGREES = {"C": 0.0, "D": 15.0, "E": 30.0}


def chain(query_at: float) -> ChosenVectors:
    """C and D are alike, and D and E, but not C and E; the query lies at an angle of its own."""
    angles = {CHAIN[name]: degrees for name, degrees in DEGREES.items()} | {"when": query_at}
    return ChosenVectors(
        {
            text: (math.cos(math.radians(each)), math.sin(math.radians(each)))
            for text, each in angles.items()
        }
    )


def test_of_two_equal_texts_one_is_told_and_both_are_kept(place: Place) -> None:
    bank = place.bank()
    bank.remember(SAME, id="A", occurred_at="2026-05-01")
    bank.remember(SAME, id="B", occurred_at="2026-05-02")
    recall = bank.recall("harbour")
    assert len(recall.hits) == 1
    (left,) = recall.exclusions
    assert (left.reason, left.detail) == ("duplicate", recall.hits[0].id)
    assert {left.id, recall.hits[0].id} == {"A", "B"}
    assert len(everything(bank)) == 2


@pytest.mark.parametrize("pinned", ["A", "B"])
def test_a_pinned_one_of_two_equals_is_the_one_that_is_told(place: Place, pinned: str) -> None:
    bank = place.bank()
    bank.remember(SAME, id="A", occurred_at="2026-05-01")
    bank.remember(SAME, id="B", occurred_at="2026-05-02")
    bank.pin([pinned])
    assert hit_ids(bank.recall("harbour")) == [pinned]


@pytest.mark.parametrize(
    ("query_at", "told", "left"),
    [
        (-10.0, ["C", "E"], {"D": "C"}),
        (40.0, ["E", "C"], {"D": "E"}),
        (15.0, ["D"], {"C": "D", "E": "D"}),
    ],
)
def test_in_a_chain_only_what_is_like_a_survivor_is_left_out(
    place: Place, query_at: float, told: list[str], left: dict[str, str]
) -> None:
    bank = place.bank(VECTORS, embedder=chain(query_at))
    bank.remember_many({"text": text, "id": name} for name, text in CHAIN.items())
    recall = bank.recall("when")
    assert hit_ids(recall) == told
    assert {each.id: each.detail for each in recall.exclusions} == left
    assert {each.reason for each in recall.exclusions} == {"duplicate"}
    assert sorted(each.memory.id for each in everything(bank)) == sorted(CHAIN)


def test_another_stores_duplicates_are_judged_alike(place: Place) -> None:
    bank = place.bank()
    ranked = bank.rank(
        [{"id": "A", "text": SAME}, {"id": "B", "text": SAME}, {"id": "C", "text": CHAIN["C"]}],
        query="harbour ferry",
    )
    assert len({"A", "B"} & set(hit_ids(ranked))) == 1
    assert "C" in hit_ids(ranked)
