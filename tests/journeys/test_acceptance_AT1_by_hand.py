"""AT1, by hand: what is pinned, held, verified or cited stays, however often a plan is applied.

Control: an unprotected twin went with the first plan.
"""

from pathlib import Path

import pytest

from lapse.bank import Bank
from lapse.model.guards import Guard
from lapse.model.retention import Lifecycle
from tests.journeys.acceptance import on_every_store, place_on
from tests.reports.helping import ago

WHO = {"by": "anna", "reason": "monthly tidy"}
GUARDED = {
    "pinned": Guard.PINNED,
    "verified": Guard.VERIFIED,
    "exempt": Guard.EXEMPT,
    "evidence": Guard.AUDIT_EVIDENCE,
    "important": Guard.IMPORTANT,
    "held": Guard.HOLD,
    "cited": Guard.CITED,
}


def tell(bank: Bank) -> None:
    for name in (*GUARDED, "twin"):
        bank.remember(
            f"The crane {name} is red",
            id=name,
            importance=0.95 if name == "important" else 0.02,
            created_at=ago(days=3000),
            pinned=name == "pinned",
            exempt="contract" if name == "exempt" else None,
            audit_evidence=name == "evidence",
        )
    bank.verify_outcome(["verified"])
    bank.hold("case 7", ids=["held"], by="clerk", reason="a claim")
    bank.remember("Cranes are red", id="summary", derived_from=["cited"], pinned=True)


@on_every_store
@pytest.mark.parametrize("verb", ["suppress", "archive"])
@pytest.mark.parametrize("percentile", [None, 100.0])
def test_a_year_of_plans_takes_no_memory_that_a_guard_spares(
    kind: str, verb: str, percentile: float | None, tmp_path: Path
) -> None:
    with place_on(kind, tmp_path) as place:
        bank = place.bank({"retention.grace_days": 0})
        tell(bank)
        gone: list[str] = []
        for _ in range(12):
            plan = bank.plan(verb, percentile=percentile)
            bank.approve(plan.id, **WHO)
            done = bank.apply(plan.id).application
            gone += [] if done is None else done.applied
            place.clock.advance(days=30)
        assert gone == ["twin"]
        standing = {each.memory.id: each.state.lifecycle for each in bank.list().records}
        assert {name for name, each in standing.items() if each is not Lifecycle.ACTIVE} == {"twin"}


@on_every_store
def test_every_guard_is_named_as_the_reason(kind: str, tmp_path: Path) -> None:
    with place_on(kind, tmp_path) as place:
        bank = place.bank({"retention.grace_days": 0})
        tell(bank)
        spared = {
            name: sparing.guard
            for sparing in bank.plan(percentile=100.0).spared
            for name in sparing.examples
        }
        assert {name: spared.get(name) for name in GUARDED} == GUARDED
