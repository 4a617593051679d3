"""B078: unattended tidy-up deleted most of a store; importance and heavy use gave no protection.

Right: the strong record is untouched; removals are bounded, reversible, and listed.

Design differs: the list names memories by id and never by text, so that it outlives an erasure.
"""

import pytest

from lapse.bank import Bank
from lapse.model.guards import Guard
from lapse.model.retention import Lifecycle
from tests.reports.helping import Place, ago, everything

EAGER = {
    "retention.grace_days": 0,
    "retention.plan_limit": 20,
    "law.cooldown_hours": 0,
}
WHO = {"by": "tidy-up", "reason": "delete all"}


def told(place: Place) -> Bank:
    bank = place.bank(EAGER)
    bank.remember("The house burns", id="strong", importance=0.99, created_at=ago(days=400))
    bank.remember_many(
        {
            "text": f"Somebody sneezed at table {at}",
            "id": f"trivial{at}",
            "importance": 0.05,
            "created_at": ago(days=400),
        }
        for at in range(50)
    )
    for at in range(214):
        bank.used(["strong"], event_id=f"use {at}", at=ago(days=28 - at / 10))
    bank.drain()
    return bank


@pytest.mark.parametrize(("percentile", "level"), [(100.0, None), (None, 1.0), (None, None)])
def test_a_tidy_up_takes_a_bounded_part_that_can_be_brought_back(
    place: Place, percentile: float | None, level: float | None
) -> None:
    bank = told(place)
    before = {each.memory.id: each for each in everything(bank)}
    plan = bank.plan(by="tidy-up", percentile=percentile, level=level)
    bank.approve(plan.id, **WHO)
    done = bank.apply(plan.id)

    assert done.application is not None
    gone = done.application.applied
    assert 0 < len(gone) <= 20
    assert "strong" not in gone
    assert bank.get("strong") == before["strong"]
    shown = {each.memory.id for each in bank.suppressed().records}
    assert shown == set(gone) == {each.memory_id for each in plan.items}
    assert bank.recall("house burns").hits[0].id == "strong"

    bank.restore(gone, by="anna", reason="it was too much")
    states = [each.state for each in everything(bank)]
    assert all(each.lifecycle is Lifecycle.ACTIVE for each in states)
    assert bank.recall("house burns").hits[0].id == "strong"


def test_the_strong_record_is_spared_for_a_reason_that_is_told(place: Place) -> None:
    plan = told(place).plan(percentile=100.0)
    sparing = {each.guard: each.examples for each in plan.spared}
    assert sparing[Guard.IMPORTANT] == ("strong",)
