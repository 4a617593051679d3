"""B194: after an import, work in the background runs flat out for an hour, unannounced.

What follows an import is embedding: batch by batch, by one thread, telling how far it is, and going
on where it was interrupted.
"""

import threading

import pytest

from lapse import Lapse
from lapse.engine import embedding, writing
from lapse.errors import EmbedderError
from tests.reports.helping import Place, hit_ids
from tests.reports.helping_b import NamedModel

COUNT, PART, BATCH = 300, 100, 25
"""Memories of the import, and how many of them are one write and one call of the model."""


@pytest.fixture(autouse=True)
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same number of batches as a tenfold import has."""
    monkeypatch.setattr(writing, "BATCH", PART)
    monkeypatch.setattr(embedding, "BATCH", BATCH)


def drafts() -> list[dict[str, object]]:
    return [{"text": f"note number{at}", "id": f"m{at}"} for at in range(COUNT)]


def test_an_import_tells_how_far_it_is_and_what_comes_after_goes_on_where_it_stopped(
    place: Place,
) -> None:
    model = NamedModel("model", dimension=16)
    model.break_after = 4  # batches
    bank, told = place.bank(embedder=model), list[tuple[int, int]]()

    stored = bank.remember_many(drafts(), progress=lambda done, total: told.append((done, total)))

    assert told == [(100, COUNT), (200, COUNT), (300, COUNT)]
    assert "words only" in stored[-1].note
    assert [len(each) for each in model.calls] == [BATCH] * 4
    recall = bank.recall("number299")
    assert hit_ids(recall) == ["m299"]
    assert "no vectors yet" in recall.warnings[0]

    model.break_after = None
    assert bank.drain().moved
    embedded = [text for each in model.calls for text in each]
    assert len(embedded) == len(set(embedded)) == COUNT
    assert bank.stats().without_vector == 0


def test_making_vectors_anew_can_be_stopped_and_gone_on_with(in_file: Place) -> None:
    first, second = NamedModel("model", dimension=16), NamedModel("other", dimension=8)
    in_file.bank(embedder=first).remember_many(drafts()[:100])
    bank, told = in_file.bank(embedder=second), list[tuple[int, int]]()

    def stop_half_way(done: int, total: int) -> None:
        told.append((done, total))
        if done == 2 * BATCH:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        bank.reembed(progress=stop_half_way)
    assert hit_ids(bank.recall("number7")) == ["m7"]
    assert bank.reembed(progress=lambda done, total: told.append((done, total))) == 100 - 2 * BATCH
    assert [done for done, _ in told] == [25, 50, 25, 50]
    assert all(len(each) <= BATCH for each in second.calls)


def test_work_in_the_background_is_one_thread_that_stops_when_asked(place: Place) -> None:
    model = NamedModel("model", dimension=16)
    mind = Lapse.open(place.target, embedder=model)
    before = threading.active_count()
    bank = mind.bank("alice")
    for at in range(50):
        bank.remember(f"note number{at}")
        bank.used([bank.list().records[0].memory.id], event_id=f"e{at}")
    assert threading.active_count() <= before + 1
    mind.close()
    assert threading.active_count() == before
    assert "lapse-upkeep" not in {each.name for each in threading.enumerate()}


def test_without_an_embedder_there_is_no_work_to_announce(place: Place) -> None:
    bank = place.bank()
    bank.remember_many(drafts()[:100])
    assert bank.drain().embedded == 0
    with pytest.raises(EmbedderError, match="no embedder"):
        bank.reembed()
