"""K23, our own: a change of tags makes no vector anew and loses none, whatever the model."""

import pytest

from tests.reports.helping import Place
from tests.unit.engine.opening import WordEmbedder


def test_a_change_of_tags_embeds_no_text_again(place: Place) -> None:
    model = WordEmbedder(vocabulary=0)
    bank = place.bank(embedder=model)
    bank.remember("I prefer tea", id="m1")
    calls = len(model.calls)
    model.broken = True
    bank.update("m1", tags=["drink"])
    assert bank.stats().without_vector == 0
    assert len(model.calls) == calls


def test_a_change_of_tags_under_another_model_keeps_the_vector(in_file: Place) -> None:
    old = WordEmbedder("old", vocabulary=0)
    in_file.bank(embedder=old).remember("I prefer tea", id="m1")
    in_file.bank(embedder=WordEmbedder("new", vocabulary=0)).update("m1", tags=["drink"])
    again = in_file.bank(embedder=old)
    assert again.recall("I prefer tea").hits[0].explanation.cosine == pytest.approx(1)
