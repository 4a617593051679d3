"""B164: opening with a new model drops the vectors of the old one."""

import pytest

from lapse.bank import Bank
from tests.reports.helping import Place, hit_ids
from tests.unit.engine.opening import WordEmbedder

COUNT = 100


def found_by_vector(bank: Bank) -> int:
    """How many memories a search by vectors alone finds by their own text."""
    bank.set_policy({"recall.relevance": "vector"})
    found = 0
    for at in range(COUNT):
        recall = bank.recall(f"note number{at}", k=1)
        found += hit_ids(recall) == [f"m{at}"] and recall.hits[0].explanation.cosine is not None
    bank.set_policy({"recall.relevance": ""})
    return found


def test_a_visit_with_another_model_leaves_every_vector(in_file: Place) -> None:
    old = WordEmbedder("old", dimension=1024)
    first = in_file.open(embedder=old)
    first.bank("alice").remember_many(
        {"text": f"note number{at}", "id": f"m{at}"} for at in range(COUNT)
    )
    assert found_by_vector(first.bank("alice")) == COUNT
    first.close()

    visitor = in_file.open(embedder=WordEmbedder("new", dimension=64))
    visitor.bank("alice").recall("number7")
    visitor.bank("alice").remember("told under the new model", id="later")
    visitor.bank("alice").exempt(["m7"], reason="kept for the trip")
    visitor.drain()
    visitor.close()

    embedded = len(old.calls)
    again = in_file.bank(embedder=old)
    assert found_by_vector(again) == COUNT
    # Each question was embedded, and no memory again.
    assert len(old.calls) - embedded == COUNT
    assert again.drain().embedded == 1
    assert again.recall("told under the new model").hits[0].explanation.cosine == pytest.approx(1)


def test_only_reembed_replaces_vectors(in_file: Place) -> None:
    first = in_file.open(embedder=WordEmbedder("old", dimension=1024))
    first.bank("alice").remember_many(
        {"text": f"note number{at}", "id": f"m{at}"} for at in range(COUNT)
    )
    first.close()
    second = in_file.bank(embedder=WordEmbedder("new", dimension=512))
    assert found_by_vector(second) == 0
    second.reembed()
    assert found_by_vector(second) > 0.9 * COUNT  # some words share a direction
    assert in_file.bank(embedder=WordEmbedder("old", dimension=1024)).recall("number7").warnings
