"""own K09: telling again is refused, but an update of another memory brings the text back."""

import pytest

from lapse.errors import TombstonedError
from tests.reports.helping import Place

WHO = {"by": "anna", "reason": "asked for"}


def test_an_update_is_held_against_what_was_erased(place: Place) -> None:
    bank = place.bank()
    bank.remember("Ute keeps nine hens in the yard.", id="hens")
    bank.remember("Otto paints the fence.", id="fence")
    bank.erase(["hens"], **WHO)
    with pytest.raises(TombstonedError):
        bank.update("fence", text="Otto paints. Ute keeps nine hens in the yard.")
    assert bank.get("fence").memory.content_version == 1
    assert bank.update("fence", text="Ute keeps ten hens in the yard.").id == "fence"
