"""B165: an update deletes the old vector before making the new one fails.

Design differs: an embedder that fails is no reason to refuse a text. The new text stands, is found
by its words, says so, and gets its vector later; never does the new text stand beside the vector of
the old one. What an update cannot write changes nothing.
"""

import pytest

from lapse.errors import StoreError, ValidationError
from tests.reports.helping import VECTORS, Place, hit_ids
from tests.reports.helping_b import FailingOnCall, store_of, with_faults


def test_a_text_whose_vector_cannot_be_made_is_found_by_its_words(place: Place) -> None:
    # The first call makes the vector of the first text, the second is the update's.
    bank = place.bank(embedder=FailingOnCall(2))
    bank.remember("I prefer tea", id="m1")

    told = bank.update("m1", text="I prefer lemonade")

    assert told.action == "updated"
    assert "out of order" in told.note
    recall = bank.recall("lemonade")
    assert hit_ids(recall) == ["m1"]
    assert recall.hits[0].explanation.cosine is None
    assert bank.recall("tea").hits == ()

    assert bank.drain().embedded == 1
    assert bank.recall("lemonade").hits[0].explanation.cosine == pytest.approx(0.577, abs=1e-3)


def test_the_old_vector_never_answers_for_the_new_text(place: Place) -> None:
    bank = place.bank(VECTORS, embedder=FailingOnCall(2))
    bank.remember("I prefer tea", id="m1")
    bank.update("m1", text="Nothing of the kind")
    assert bank.recall("I prefer tea").hits == ()
    bank.drain()
    assert hit_ids(bank.recall("Nothing of the kind")) == ["m1"]


def test_an_update_that_is_refused_leaves_text_and_vector(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    mind = place.open(VECTORS, embedder=FailingOnCall())
    bank, faults = mind.bank("alice"), with_faults(store_of(mind), monkeypatch)
    bank.remember("I prefer tea", id="m1")
    before = bank.get("m1")

    faults.refused = 1
    with pytest.raises(StoreError, match="disk is full"):
        bank.update("m1", text="I prefer lemonade")
    with pytest.raises(ValidationError):
        bank.update("m1", text="\x00")

    assert bank.get("m1") == before
    assert bank.recall("I prefer tea").hits[0].explanation.cosine == pytest.approx(1)
    assert bank.stats().without_vector == 0
