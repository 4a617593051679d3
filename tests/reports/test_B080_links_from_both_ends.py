"""B080: archived links come back only when approached from one side.

Given A, B made from A, and C made from B; B is archived and restored. Both links stand from both
ends: what a memory was made from is in it, and who cites a memory protects it.
"""

import pytest

from lapse.bank import Bank
from lapse.model.guards import Guard
from tests.reports.helping import Place, ago

WHO = {"by": "anna", "reason": "a rehearsal"}


def told(place: Place) -> Bank:
    bank = place.bank({"retention.grace_days": 0})
    bank.remember("The crane is red", id="A", importance=0.1, created_at=ago(days=500))
    bank.remember(
        "There is a red crane", id="B", importance=0.1, created_at=ago(days=500), derived_from=["A"]
    )
    bank.remember("Cranes may be red", id="C", pinned=True, derived_from=["B"])
    return bank


def links(bank: Bank) -> dict[str, tuple[str, ...]]:
    """What each was made from."""
    return {each.memory.id: each.memory.derived_from for each in bank.list().records}


def cited(bank: Bank) -> tuple[str, ...]:
    """Which memories a plan spares because an active one was made from them."""
    spared = {each.guard: each.examples for each in bank.plan(percentile=100.0).spared}
    return tuple(sorted(spared.get(Guard.CITED, ())))


@pytest.mark.parametrize("verb", ["suppress", "archive"])
def test_both_links_stand_from_both_ends(place: Place, verb: str) -> None:
    bank = told(place)
    whole, both = links(bank), cited(bank)
    assert whole == {"A": (), "B": ("A",), "C": ("B",)}
    assert both == ("A", "B")

    getattr(bank, verb)(["B"], **WHO)
    assert links(bank) == whole
    assert cited(bank) == ()  # who cites A is away, and B itself is no candidate any more

    bank.restore(["B"], **WHO)
    assert links(bank) == whole
    assert cited(bank) == both
