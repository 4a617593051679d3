"""B064: the nightly reconcile reads the source again and makes the forgotten fact anew."""

from lapse.model.outcome import Action
from tests.reports.helping import Place, everything

WHO = {"by": "anna", "reason": "asked for"}
FACTS = [
    {"text": "Ute keeps nine hens in the yard.", "id": "f1"},
    {"text": "Otto paints the fence every spring.", "id": "f2"},
]


def test_only_what_was_not_forgotten_comes_back_until_it_is_allowed(place: Place) -> None:
    bank = place.bank()
    bank.remember_many(FACTS)
    bank.erase(["f1"], **WHO)
    again = bank.remember_many(FACTS)
    bank.drain()
    assert [each.action for each in again] == [Action.REFUSED, Action.UNCHANGED]
    assert "erased before" in again[0].note
    assert [each.memory.id for each in everything(bank)] == ["f2"]
    bank.lift_tombstone(bank.tombstones()[0].tombstone.id, **WHO)
    assert bank.remember_many(FACTS)[0].action is Action.CREATED
    assert [each.memory.id for each in everything(bank)] == ["f2", "f1"]
