"""B071: a late usage write makes a deleted record anew, as a half-empty row."""

import pytest

from lapse.errors import NotFoundError
from tests.reports.helping import Place, everything

WHO = {"by": "anna", "reason": "asked for"}


def test_a_queued_use_of_what_was_erased_leaves_nothing(place: Place) -> None:
    bank = place.bank({"reinforcement.weight_returned": 0.1})
    bank.remember("The boat is blue", id="a")
    bank.remember("The shed is red", id="b")
    bank.recall("boat")  # its event of being returned waits in RAM
    bank.used(["a"])
    bank.erase(["a"], **WHO)
    bank.drain()
    with pytest.raises(NotFoundError):
        bank.get("a")
    with pytest.raises(NotFoundError):
        bank.used(["a"])
    assert [each.memory.id for each in everything(bank)] == ["b"]
    assert (bank.stats().memories, bank.stats().pending_events) == (1, 0)
