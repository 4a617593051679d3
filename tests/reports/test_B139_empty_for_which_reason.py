"""B139: an empty pack does not say whether nothing exists, nothing matched, or nothing fitted."""

from collections import Counter

from lapse.model.query import Axis, Reason, Recall
from tests.reports.helping import VECTORS, Place, turned, words

TEXTS = {words(250, f"n{at}-"): 0.9 for at in range(9)}
QUERY = "the question"
EMBEDDER = turned(TEXTS, query=QUERY)


def reasons(recall: Recall) -> Counter[Reason]:
    assert recall.hits == ()
    return Counter(each.reason for each in recall.exclusions)


def test_an_empty_tray_over_budget_names_every_memory_that_did_not_fit(place: Place) -> None:
    bank = place.bank({**VECTORS, "recall.k": 9}, embedder=EMBEDDER)
    bank.remember_many({"text": text} for text in TEXTS)
    recall = bank.recall(QUERY, budget_words=120)
    assert reasons(recall) == {Reason.OVER_BUDGET: 9}
    assert {each.axis for each in recall.exclusions} == {Axis.CAPACITY}
    assert len(bank.recall(QUERY).hits) == 9


def test_an_empty_tray_of_an_empty_bank_names_nothing(place: Place) -> None:
    bank = place.bank(VECTORS, embedder=EMBEDDER)
    assert reasons(bank.recall(QUERY, budget_words=120)) == {}
    assert bank.stats().memories == 0


def test_an_empty_tray_below_the_threshold_says_that_nothing_matched(place: Place) -> None:
    bank = place.bank({**VECTORS, "recall.min_relevance": 0.95}, embedder=EMBEDDER)
    bank.remember_many({"text": text} for text in TEXTS)
    recall = bank.recall(QUERY, budget_words=120)
    assert reasons(recall) == {Reason.NO_MATCH: 9}
    assert {each.axis for each in recall.exclusions} == {Axis.RELEVANCE}


def test_an_empty_tray_beside_other_banks_is_that_of_an_empty_bank(place: Place) -> None:
    mind = place.open({**VECTORS}, embedder=EMBEDDER)
    for name, tenant in (("alice", "other"), ("bob", "default")):
        mind.bank(name, tenant=tenant).remember_many({"text": text} for text in TEXTS)
    recall = mind.bank("alice").recall(QUERY, budget_words=120)
    assert reasons(recall) == {}
    assert recall.warnings == ()
    assert mind.bank("alice").stats().memories == 0


def test_an_empty_tray_outside_the_scope_says_so_to_the_owner_of_the_bank(place: Place) -> None:
    bank = place.bank(VECTORS, embedder=EMBEDDER)
    bank.remember_many({"text": text, "tags": ["elsewhere"]} for text in TEXTS)
    recall = bank.recall(QUERY, budget_words=120, tags=["here"])
    assert reasons(recall) == {Reason.OUT_OF_SCOPE: 9}
    assert {each.axis for each in recall.exclusions} == {Axis.SCOPE}
