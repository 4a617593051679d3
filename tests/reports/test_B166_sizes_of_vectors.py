"""B166: a model of unknown size is taken for one of 1536, and every vector is thrown away.

Design differs: what an embedder gives back beside its word is an error that is told, and none that
loses a text: the memory is stored, found by its words, and its note says why.
"""

from collections.abc import Callable, Sequence

import numpy as np
import pytest

from lapse.errors import EmbedderError
from tests.reports.helping import Place, hit_ids
from tests.reports.helping_b import Rows
from tests.unit.engine.opening import WordEmbedder

TEXTS = [f"note number{at}" for at in range(5)]


class LearningModel(WordEmbedder):
    """Knows its own size only once it has made a vector, and is in no table."""

    def __init__(self) -> None:
        super().__init__("unheard-of", dimension=1024, vocabulary=0)

    @property
    def dimension(self) -> int:
        return int(self.embed(["a first word"], None).shape[1])


def test_the_size_is_what_the_model_gives(place: Place) -> None:
    bank = place.bank(embedder=LearningModel())
    for at, text in enumerate(TEXTS):
        assert bank.remember(text, id=f"m{at}").note == ""
    recall = bank.recall("note number3")
    assert recall.warnings == ()
    assert recall.hits[0].id == "m3"
    assert recall.hits[0].explanation.cosine == pytest.approx(1)
    assert bank.stats().without_vector == 0


class LooseModel(WordEmbedder):
    """Gives back whatever the test says, as code without types may."""

    def __init__(self, spoil: Callable[[Rows], object]) -> None:
        super().__init__("loose", vocabulary=0)
        self._spoil = spoil

    def embed(self, texts: Sequence[str], idf: Rows | None) -> Rows:
        return self._spoil(super().embed(texts, idf))  # type: ignore[return-value]  # on purpose


SPOILT: dict[str, Callable[[Rows], object]] = {
    "another size": lambda rows: rows[:, :-1],
    "nothing": lambda rows: rows[:0],
    "an empty list": lambda rows: rows[:0].tolist(),
    "different sizes": lambda rows: [[0.1] * (at + 1) for at in range(len(rows))],
    "no result": lambda rows: [None] * len(rows),
    "words": lambda rows: [["a", "b"]] * len(rows),
}


@pytest.mark.parametrize("spoil", SPOILT.values(), ids=SPOILT)
def test_vectors_of_no_or_another_size_are_told_of_with_the_first_memory(
    place: Place, spoil: Callable[[Rows], object]
) -> None:
    bank = place.bank(embedder=LooseModel(spoil))
    first = bank.remember("note number0", id="m0")
    assert "loose-64" in first.note
    assert "found by its words only" in first.note
    second = bank.remember_many([{"text": text} for text in TEXTS[1:]])[0]
    assert "loose-64" in second.note
    recall = bank.recall("number0")
    assert hit_ids(recall) == ["m0"]
    assert "no vectors yet" in recall.warnings[0]
    with pytest.raises(EmbedderError, match="loose-64"):
        bank.reembed()


def test_vectors_that_come_in_another_size_later_are_no_vectors(place: Place) -> None:
    good = [True]
    model = LooseModel(lambda rows: rows if good[0] else np.hstack([rows, rows]))
    bank = place.bank(embedder=model)
    bank.remember("note number0", id="m0")
    good[0] = False
    told = bank.remember("note number1", id="m1")
    assert "reembed" in told.note
    assert hit_ids(bank.recall("number1"))[:1] == ["m1"]
    assert "text only" in bank.recall("number1").warnings[0]
    good[0] = True
    bank.drain()
    assert bank.stats().without_vector == 0
    assert bank.recall("note number1").hits[0].explanation.cosine == pytest.approx(1, abs=1e-3)
