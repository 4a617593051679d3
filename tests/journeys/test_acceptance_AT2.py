"""AT2: what happened to a memory since it was planned spares it, with a reason of its own.

Control: of the same plan, what nothing happened to is applied.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType

import pytest

from lapse.bank import Bank
from lapse.model.guards import Guard
from lapse.model.retention import Lifecycle
from tests.journeys.acceptance import on_every_store, place_on
from tests.reports.helping import ago

NAMES = ("corrected", "used", "cited", "held", "pinned", "verified", "moved", "untouched")

HAPPENINGS: Mapping[str, Callable[[Bank], object]] = MappingProxyType(
    {
        "corrected": lambda bank: bank.update("corrected", text="It was the other harbour"),
        "used": lambda bank: bank.used(["used"]),
        "cited": lambda bank: bank.remember("A summary", id="sum", derived_from=["cited"]),
        "held": lambda bank: bank.hold("matter", ids=["held"], by="clerk", reason="a claim"),
        "pinned": lambda bank: bank.pin(["pinned"]),
        "verified": lambda bank: bank.verify_outcome(["verified"]),
        "moved": lambda bank: bank.archive(["moved"], by="alice", reason="by hand"),
    }
)

REASONS = {
    "corrected": Guard.CHANGED,
    # Used, it is no longer below its level, and that is asked before whether it was used.
    "used": Guard.IN_GRACE,
    "cited": Guard.CITED,
    "held": Guard.HOLD,
    "pinned": Guard.PINNED,
    "verified": Guard.VERIFIED,
    "moved": Guard.ALREADY_THERE,
}


@on_every_store
@pytest.mark.parametrize("verb", ["suppress", "archive"])
def test_each_that_something_happened_to_is_skipped_with_its_reason(
    kind: str, verb: str, tmp_path: Path
) -> None:
    with place_on(kind, tmp_path) as place:
        bank = place.bank({})
        for name in NAMES:
            bank.remember(f"{name} note", id=name, importance=0.1, created_at=ago(days=90))
        plan = bank.plan(verb, by="planner")
        assert {each.memory_id for each in plan.items} == set(NAMES)
        for happen in HAPPENINGS.values():
            happen(bank)
        before = {name: bank.get(name).state.lifecycle for name in HAPPENINGS}

        bank.approve(plan.id, by="boss", reason="quarterly tidy")
        done = bank.apply(plan.id)

        assert done.application is not None
        assert {each.memory_id: each.guard for each in done.application.skipped} == REASONS
        assert {name: bank.get(name).state.lifecycle for name in HAPPENINGS} == before
        assert done.application.applied == ("untouched",)
        assert bank.get("untouched").state.lifecycle is not Lifecycle.ACTIVE
