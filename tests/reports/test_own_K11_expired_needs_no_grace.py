"""Own case of K11: an end that somebody stated needs no grace period, and a pin outlives it.

A sweep that gave an expired memory its grace would keep for a month what is over, and one that read
the end alone would take what a user pinned.
"""

from lapse.bank import Bank
from lapse.model.guards import Guard
from tests.reports.helping import Place, ago


def told(place: Place) -> Bank:
    bank = place.bank()
    for name in ("over", "pinned", "held"):
        bank.remember(
            f"The ticket {name} is at the desk",
            id=name,
            expires_at=ago(days=-1),
            pinned=name == "pinned",
        )
    bank.remember("The ticket office is at the harbour", id="open")
    bank.hold("case 7", ids=["held"], by="clerk", reason="a claim")
    return bank


def test_what_is_over_is_due_at_once_and_what_is_guarded_never(place: Place) -> None:
    bank = told(place)
    assert bank.plan().items == ()
    place.clock.advance(days=1)
    plan = bank.plan()
    assert [each.memory_id for each in plan.items] == ["over"]
    assert {each.guard: each.count for each in plan.spared}[Guard.HOLD] == 1
    place.clock.advance(days=4000)
    later = {each.memory_id for each in bank.plan().items}
    assert later.isdisjoint({"pinned", "held"})
