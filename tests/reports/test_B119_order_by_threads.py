"""B119: two arms find the same memory, and whichever thread ends first decides its score."""

from concurrent.futures import ThreadPoolExecutor

from lapse.model.codec import dumps
from tests.journeys.acceptance import order
from tests.reports.helping import Place, turned

QUERY = "harbour lantern"


def test_a_memory_found_by_both_arms_has_one_score_whoever_asks_when(place: Place) -> None:
    texts = {
        "the harbour lantern burns": 0.9,
        "the harbour is closed": 0.4,
        "a lantern for sale": 0.6,
        "nothing in common": 0.8,
    }
    bank = place.bank(embedder=turned(texts, QUERY))
    for at, text in enumerate(texts):
        bank.remember(text, id=f"m{at}")
    first = order(bank.recall(QUERY))
    with ThreadPoolExecutor(max_workers=8) as pool:
        answers = set(pool.map(lambda _: order(bank.recall(QUERY)), range(100)))
    assert answers == {first}


def test_equal_scores_are_put_in_order_by_what_the_memories_are(place: Place) -> None:
    bank = place.bank()
    for name in ("b", "a", "c"):
        bank.remember(f"harbour {name}", id=name)
    told = {dumps([each.id for each in bank.recall("harbour").hits]) for _ in range(20)}
    assert told == {'["a","b","c"]'}
