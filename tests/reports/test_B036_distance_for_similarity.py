"""B036: a distance is handed on as a similarity, and a higher threshold removes the best matches.

Waits: other vector backends, for those stores.
"""

import pytest

from lapse.bank import Bank
from lapse.errors import ValidationError
from tests.reports.helping import VECTORS, Place, hit_ids, turned

# Of unit vectors, squared distance = 2 − 2·cosine.
COSINES = {f"squared distance {distance}": 1 - distance / 2 for distance in (0.30, 1.20, 1.50)}
QUERY = "the question"


def told(place: Place, least: float, relevance: str = "vector") -> Bank:
    bank = place.bank(
        {**VECTORS, "recall.min_relevance": least, "recall.relevance": relevance},
        embedder=turned(COSINES, query=QUERY),
    )
    for text in reversed(COSINES):
        bank.remember(text, id=text)
    return bank


def test_relevance_is_the_cosine_and_falls_with_distance(place: Place) -> None:
    for relevance in ("vector", "hybrid"):
        hits = told(place, 0.0, relevance).recall(QUERY).hits
        assert [each.id for each in hits] == list(COSINES)
        assert [each.explanation.relevance for each in hits] == [0.85, 0.40, 0.25]
        assert [each.explanation.cosine for each in hits] == [0.85, 0.40, 0.25]


def test_a_higher_threshold_keeps_the_best(place: Place) -> None:
    assert hit_ids(told(place, 0.5).recall(QUERY)) == ["squared distance 0.3"]
    assert hit_ids(told(place, 0.3).recall(QUERY)) == list(COSINES)[:2]


def test_vectors_of_another_store_are_compared_by_cosine_whatever_their_length(
    place: Place,
) -> None:
    bank = place.bank({"recall.min_relevance": 0.5})
    embedder = turned(COSINES, query=QUERY)
    query, *vectors = embedder.embed([QUERY, *COSINES], None).tolist()
    candidates = [
        {"id": text, "text": text, "vector": [10 * number for number in vector]}
        for text, vector in zip(COSINES, vectors, strict=True)
    ]
    recall = bank.rank(candidates, query=QUERY, query_vector=[3 * number for number in query])
    assert hit_ids(recall) == ["squared distance 0.3"]
    assert recall.hits[0].explanation.relevance == 0.85


@pytest.mark.parametrize(
    "query_vector", [[float("nan"), 1.0], [float("inf"), 0.0], "north", [None]]
)
def test_a_query_vector_that_is_none_is_refused(place: Place, query_vector: list[float]) -> None:
    candidates = [{"id": "a", "text": "harbour", "vector": [1.0, 0.0]}]
    with pytest.raises(ValidationError, match="query_vector"):
        place.bank().rank(candidates, query=QUERY, query_vector=query_vector)
