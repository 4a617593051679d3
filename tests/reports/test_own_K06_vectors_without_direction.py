"""K06, not reported: vectors of no length or an absurd one, and a question that has no vector."""

from collections.abc import Mapping

import pytest

from lapse.bank import Bank
from lapse.model.codec import dumps
from tests.reports.helping import ChosenVectors, Place, hit_ids

# Any text that is not named here has a vector of zeros.
EMBEDDER = ChosenVectors({"harbour in the north": (1.0, 0.0), "what lies north": (1.0, 0.0)})


def told(place: Place, relevance: str) -> Bank:
    bank = place.bank({"recall.relevance": relevance}, embedder=EMBEDDER)
    bank.remember("harbour in the north", id="known")
    bank.remember("harbour of zeros", id="zeros")
    return bank


@pytest.mark.parametrize("relevance", ["hybrid", "vector"])
def test_a_question_without_a_direction_is_answered_by_its_words(
    place: Place, relevance: str
) -> None:
    recall = told(place, relevance).recall("zeros harbour")
    assert hit_ids(recall) == ["zeros", "known"]
    # Raises on anything that is not finite.
    assert all(dumps(each.explanation) for each in recall.hits)


def test_a_memory_without_a_direction_is_found_by_its_words(place: Place) -> None:
    bank = told(place, "hybrid")
    assert hit_ids(bank.recall("what lies north")) == ["known"]
    assert hit_ids(bank.recall("harbour of zeros"))[0] == "zeros"


@pytest.mark.parametrize("length", [1e-30, 1e-3, 1e3, 1e30, 1e39])
def test_the_length_of_another_stores_vector_says_nothing(place: Place, length: float) -> None:
    candidates: list[Mapping[str, object]] = [
        {"id": "near", "text": "harbour one", "vector": [0.8 * length, 0.6 * length]},
        {"id": "far", "text": "harbour two", "vector": [0.0, 1.0]},
        {"id": "zeros", "text": "harbour three", "vector": [0.0, 0.0]},
    ]
    recall = place.bank().rank(candidates, query="lighthouse", query_vector=[length, 0.0])
    assert hit_ids(recall) == ["near"]
    assert recall.hits[0].explanation.cosine == pytest.approx(0.8, abs=1e-6)
