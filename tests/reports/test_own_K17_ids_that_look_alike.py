"""Own case of K17: ids are compared letter by letter, within a batch as between batches."""

import pytest

from lapse.errors import ConflictError, NotFoundError
from tests.reports.helping import Place, everything

ALIKE = ("m-1", "M-1", "m-1 ", "m‑1", "ｍ-1", "m-01", "Zoë", "Zoe\u0308")


def test_ids_that_look_alike_name_different_memories(place: Place) -> None:
    bank = place.bank()
    for at, each in enumerate(ALIKE):
        bank.remember(f"Note number {at}", id=each)
    assert [each.memory.id for each in everything(bank)] == list(ALIKE)
    bank.pin([ALIKE[0]])
    assert [each.memory.id for each in everything(bank) if each.state.pinned] == [ALIKE[0]]
    with pytest.raises(NotFoundError):
        bank.get(" m-1")


def test_one_id_for_two_texts_in_one_batch_is_a_conflict_and_stores_nothing(place: Place) -> None:
    bank = place.bank()
    with pytest.raises(ConflictError):
        bank.remember_many(
            [
                {"text": "Lunch was soup", "id": "m-1"},
                {"text": "The harbour is quiet", "id": "m-2"},
                {"text": "Lunch was rice", "id": "m-1"},
            ]
        )
    assert everything(bank) == []
    again = [{"text": "Lunch was soup", "id": "m-1"}] * 2
    assert [each.action for each in bank.remember_many(again)] == ["created", "unchanged"]
