"""B138: the first result is always admitted, however large, so that packs take twice the budget.

Lapse renders no headings: what a tray takes is what the texts of its hits take.
"""

import pytest

from lapse.bank import Bank
from lapse.model.query import Axis, Reason
from tests.reports.helping import VECTORS, Place, hit_ids, turned, words

SIZES = {"a": 200, "b": 20, "c": 30, "d": 10}
TEXTS = {name: words(size, name) for name, size in SIZES.items()}
QUERY = "the question"
SCORES = (0.9, 0.8, 0.7, 0.6)
RANKED = turned(dict(zip(TEXTS.values(), SCORES, strict=True)), query=QUERY)


def told(place: Place) -> Bank:
    bank = place.bank(VECTORS, embedder=RANKED)
    for name, text in TEXTS.items():
        bank.remember(text, id=name)
    return bank


def test_what_is_too_large_is_passed_over_and_what_follows_fits(place: Place) -> None:
    bank = told(place)
    assert hit_ids(bank.recall(QUERY)) == ["a", "b", "c", "d"]
    recall = bank.recall(QUERY, budget_words=50)
    assert hit_ids(recall) == ["b", "c"]
    assert recall.words == 50
    assert [(each.id, each.reason, each.axis) for each in recall.exclusions] == [
        ("a", Reason.OVER_BUDGET, Axis.CAPACITY),
        ("d", Reason.OVER_BUDGET, Axis.CAPACITY),
    ]


def test_what_is_told_is_never_cut_to_fit(place: Place) -> None:
    recall = told(place).recall(QUERY, budget_words=50)
    assert [each.text for each in recall.hits] == [TEXTS["b"], TEXTS["c"]]
    assert [each.words for each in recall.hits] == [20, 30]


@pytest.mark.parametrize("scorer", ["boost", "weighted"])
def test_the_budget_holds_for_another_stores_candidates_too(place: Place, scorer: str) -> None:
    bank = place.bank({"scoring.scorer": scorer})
    bank.set_policy({"forgetting.mode": "rank"})
    candidates = [
        {"id": name, "text": text, "score": score}
        for (name, text), score in zip(TEXTS.items(), SCORES, strict=True)
    ]
    recall = bank.rank(candidates, query=QUERY, budget_words=50)
    assert hit_ids(recall) == ["b", "c"]
    assert [each.reason for each in recall.exclusions] == [Reason.OVER_BUDGET] * 2
