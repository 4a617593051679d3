"""Own case of K23: the change to another model breaks half-way; the old vectors go on answering."""

import pytest

from lapse.engine import embedding
from lapse.errors import EmbedderError
from tests.reports.helping import Place
from tests.reports.helping_b import NamedModel

BATCH, COUNT = 32, 50


def test_a_broken_move_answers_from_the_old_vectors_and_goes_on_where_it_stopped(
    in_file: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedding, "BATCH", BATCH)
    old, new = NamedModel("old", dimension=32), NamedModel("new", dimension=64)
    bank = in_file.bank(embedder=old)
    bank.remember_many({"text": f"note number{at}", "id": f"m{at}"} for at in range(COUNT))
    new.break_after = 1  # one batch is made, the next is not
    moving = in_file.bank(embedder=new)
    with pytest.raises(EmbedderError, match="out of order"):
        moving.reembed()
    assert [len(each) for each in new.calls] == [BATCH]

    recall = bank.recall("note number7")
    assert recall.warnings == ()
    assert recall.hits[0].explanation.cosine == pytest.approx(1, abs=1e-5)
    assert moving.recall("number7").hits[0].id == "m7"

    new.break_after = None
    assert moving.reembed() == COUNT - BATCH
    assert moving.recall("note number7").hits[0].explanation.cosine == pytest.approx(1, abs=1e-5)
    assert moving.stats().without_vector == 0
    assert moving.doctor() == []
