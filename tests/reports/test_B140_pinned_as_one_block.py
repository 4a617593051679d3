"""B140: pinned items are one block, which disappears whole when it does not fit."""

from lapse.bank import Bank
from lapse.model.query import Flag, Reason
from tests.reports.helping import VECTORS, Place, hit_ids, turned, words

PINNED = {words(30, f"pinned{at}-"): 0.5 - at / 10 for at in range(3)}
ORDINARY = {words(10, f"ordinary{at}-"): 0.9 - at / 10 for at in range(2)}
QUERY = "the question"


def told(place: Place, least: float = 0.0) -> Bank:
    bank = place.bank(
        {**VECTORS, "recall.min_relevance": least},
        embedder=turned({**PINNED, **ORDINARY}, query=QUERY),
    )
    for at, text in enumerate(PINNED):
        bank.remember(text, id=f"p{at}", pinned=True)
    for at, text in enumerate(ORDINARY):
        bank.remember(text, id=f"o{at}")
    return bank


def test_pinned_memories_go_in_one_by_one_and_first_and_leave_the_rest_to_others(
    place: Place,
) -> None:
    recall = told(place).recall(QUERY, budget_words=70)
    assert hit_ids(recall) == ["p0", "p1", "o0"]
    assert recall.words == 70
    assert all(Flag.PINNED in each.explanation.flags for each in recall.hits[:2])
    assert [(each.id, each.reason) for each in recall.exclusions] == [
        ("o1", Reason.OVER_BUDGET),
        ("p2", Reason.OVER_BUDGET),
    ]


def test_pinned_memories_count_towards_k(place: Place) -> None:
    recall = told(place).recall(QUERY, k=4)
    assert hit_ids(recall) == ["p0", "p1", "p2", "o0"]
    assert [(each.id, each.reason) for each in recall.exclusions] == [("o1", Reason.OVER_COUNT)]


def test_a_pin_does_not_make_relevant_what_is_below_the_threshold(place: Place) -> None:
    assert hit_ids(told(place, least=0.45).recall(QUERY)) == ["p0", "o0", "o1"]
