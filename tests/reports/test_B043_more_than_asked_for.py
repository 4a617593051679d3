"""B043: asked for k, the retriever gives k recent ones plus the similar ones.

Design differs: a k of 0 is refused, as out of its range.
"""

import pytest

from lapse.bank import Bank
from lapse.errors import PolicyError
from tests.reports.helping import VECTORS, Place, ago, hit_ids, turned

RECENT = {f"recent {number}": 0.1 for number in range(10)}
SIMILAR = {f"similar {number}": 0.8 for number in range(10)}
EMBEDDER = turned({**RECENT, **SIMILAR}, query="the question")


def told(place: Place, scorer: str) -> Bank:
    bank = place.bank(
        {**VECTORS, "scoring.scorer": scorer, "recall.pool_minimum": 1}, embedder=EMBEDDER
    )
    for texts, days in ((RECENT, 0.1), (SIMILAR, 300)):
        for text in texts:
            bank.remember(text, id=text, created_at=ago(days=days))
    return bank


@pytest.mark.parametrize("scorer", ["boost", "weighted", "blend"])
@pytest.mark.parametrize(("k", "expected"), [(1, 1), (3, 3), (20, 20), (100, 20)])
def test_as_many_are_told_as_were_asked_for_and_none_twice(
    place: Place, scorer: str, k: int, expected: int
) -> None:
    told_ids = hit_ids(told(place, scorer).recall("the question", k=k))
    assert len(told_ids) == expected
    assert len(set(told_ids)) == expected


def test_a_k_of_0_is_refused_with_its_range(place: Place) -> None:
    with pytest.raises(PolicyError, match=r"recall\.k.*from 1 to 10000"):
        told(place, "boost").recall("the question", k=0)
