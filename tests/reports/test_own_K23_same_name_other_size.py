"""Own case of K23: a model changes its size under the same name, as a remote one may overnight."""

import pytest

from lapse.errors import EmbedderError
from tests.reports.helping import Place, hit_ids
from tests.reports.helping_b import NamedModel


def filled(place: Place) -> None:
    bank = place.bank(embedder=NamedModel("model", dimension=256))
    bank.remember_many({"text": f"note number{at}", "id": f"m{at}"} for at in range(20))


def test_a_model_of_another_size_refuses_no_text_and_hides_no_memory(in_file: Place) -> None:
    filled(in_file)
    bank = in_file.bank(embedder=NamedModel("model", dimension=128))

    told = bank.remember("a note on quokkas", id="later")
    changed = bank.update("m3", text="a note on wombats")

    assert "(1, 128), not (1, 256)" in told.note
    assert "reembed" in changed.note
    assert hit_ids(bank.recall("quokkas"))[:1] == ["later"]
    assert hit_ids(bank.recall("wombats"))[:1] == ["m3"]
    (warning,) = bank.recall("number7").warnings
    assert "reembed" in warning
    (odd,) = bank.doctor()
    assert "256 numbers" in odd
    assert "with 128" in odd


def test_making_the_vectors_anew_ends_it(in_file: Place) -> None:
    filled(in_file)
    bank = in_file.bank(embedder=NamedModel("model", dimension=128))
    bank.remember("a note on quokkas", id="later")
    assert bank.reembed() == 21
    recall = bank.recall("note number7")
    assert recall.warnings == ()
    assert recall.hits[0].explanation.cosine == pytest.approx(1, abs=1e-5)
    assert bank.doctor() == []
    ranked = bank.rank([{"id": "x", "text": "note number7"}], query="note number7")
    assert ranked.hits[0].explanation.cosine == pytest.approx(1, abs=1e-5)


def test_a_half_filled_space_of_the_old_size_is_not_gone_on_with(in_file: Place) -> None:
    filled(in_file)
    broken = NamedModel("new", dimension=64)
    broken.broken = True
    bank = in_file.bank(embedder=broken)
    with pytest.raises(EmbedderError, match="out of order"):
        bank.reembed()
    other = in_file.bank(embedder=NamedModel("new", dimension=32))
    assert other.reembed() == 20
    assert other.recall("note number7").hits[0].explanation.cosine == pytest.approx(1, abs=1e-5)
