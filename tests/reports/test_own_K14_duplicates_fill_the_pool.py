"""K14, not reported: near duplicates fill the pool before they are told apart; k stays empty."""

import pytest

from lapse.model.query import Reason
from tests.reports.helping import VECTORS, Place, hit_ids, turned

ALIKE = {f"the same thing said {'again and ' * at}again": 0.99 for at in range(150)}
OTHERS = {f"other {word}": 0.3 - at / 100 for at, word in enumerate(("one", "two", "three"))}
QUERY = "the question"
SAME_WORDS = "Lunch is at noon"


def test_a_hundred_and_fifty_near_duplicates_leave_places_to_what_follows(place: Place) -> None:
    bank = place.bank(VECTORS, embedder=turned({**ALIKE, **OTHERS}, query=QUERY))
    bank.remember_many({"text": text} for text in ALIKE)
    bank.remember_many({"text": text, "id": text} for text in OTHERS)
    recall = bank.recall(QUERY, k=4)
    assert hit_ids(recall)[1:] == list(OTHERS)
    duplicates = [each for each in recall.exclusions if each.reason is Reason.DUPLICATE]
    assert len(duplicates) == len(ALIKE) - 1


def test_a_pool_is_not_drawn_again_where_the_budget_left_places_empty(place: Place) -> None:
    bank = place.bank(VECTORS, embedder=turned({**ALIKE, **OTHERS}, query=QUERY))
    bank.remember_many({"text": text} for text in ALIKE)
    bank.remember_many({"text": text, "id": text} for text in OTHERS)
    recall = bank.recall(QUERY, k=4, budget_words=1)
    assert hit_ids(recall) == []
    assert len(recall.exclusions) == 100


@pytest.mark.parametrize("count", [150])
def test_the_same_words_of_other_subjects_are_no_duplicates_of_each_other(
    place: Place, count: int
) -> None:
    bank = place.bank({"recall.relevance": "text"})
    bank.remember_many(
        {"text": SAME_WORDS, "subject": f"team {at}", "id": f"team {at:03}"} for at in range(count)
    )
    recall = bank.recall(SAME_WORDS, k=120)
    assert len(recall.hits) == 120
    assert not [each for each in recall.exclusions if each.reason is Reason.DUPLICATE]
    one = bank.recall(SAME_WORDS, subject="team 149")
    assert hit_ids(one) == ["team 149"]
