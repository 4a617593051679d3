"""B130: sending the same memory again gives an internal error, because its id exists.

Waits: telling an id again after its deletion, for `erase`.
"""

import pytest

from lapse.errors import ConflictError
from tests.reports.helping import Place, everything


def test_the_same_id_and_text_again_is_the_same_memory_unchanged(place: Place) -> None:
    bank = place.bank()
    first = bank.remember("Lunch was soup", id="m-1", tags=["food"], importance=0.3)
    before = bank.get("m-1")
    again = bank.remember("Lunch was soup", id="m-1", tags=["food"], importance=0.3)
    bank.drain()
    assert (first.action, again.action) == ("created", "unchanged")
    assert again.memory == first.memory
    assert bank.get("m-1") == before
    assert len(everything(bank)) == 1


@pytest.mark.parametrize("fields", [{"text": "Lunch was rice"}, {"tags": ["other"]}])
def test_the_same_id_with_another_content_is_a_conflict_and_changes_nothing(
    place: Place, fields: dict[str, object]
) -> None:
    bank = place.bank()
    told: dict[str, object] = {"text": "Lunch was soup", "id": "m-1", "tags": ["food"]}
    bank.remember_many([told])
    before = bank.get("m-1")
    with pytest.raises(ConflictError, match="update") as caught:
        bank.remember_many([{"text": "Something new"}, told | fields])
    assert (caught.value.fields, caught.value.http_status) == ({"id": "m-1"}, 409)
    assert bank.get("m-1") == before
    assert len(everything(bank)) == 1


def test_an_updated_memory_is_not_told_again_by_its_first_text(place: Place) -> None:
    bank = place.bank()
    bank.remember("Lunch was soup", id="m-1")
    bank.update("m-1", text="Lunch was rice")
    with pytest.raises(ConflictError):
        bank.remember("Lunch was soup", id="m-1")
    assert bank.remember("Lunch was rice", id="m-1").action == "unchanged"
