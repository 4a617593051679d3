"""AT1: guarded memories far below every level; a year of sweeps that apply by themselves.

Control: an unprotected twin of each went.
"""

from pathlib import Path

import pytest

from lapse.bank import Bank
from lapse.model.policy import LawName
from lapse.model.retention import Lifecycle
from tests.journeys.acceptance import on_every_store, place_on
from tests.reports.helping import ago, everything

GUARDED = ("pinned", "held", "verified", "cited", "exempt", "audit", "important")
SETTINGS = {
    "forgetting.mode": "lifecycle",
    "forgetting.auto_apply": True,
    "retention.max_active": 3,
    "retention.max_canary_drop": 1.0,
}


def tell(bank: Bank) -> None:
    for name in GUARDED:
        for each in (name, f"{name}-twin"):
            importance = 1.0 if each == "important" else 0.0
            bank.remember(
                f"The ship {each} docked",
                id=each,
                importance=importance,
                created_at=ago(days=2000),
                audit_evidence=each == "audit",
            )
    bank.remember(
        "Ships docked", id="summary", derived_from=["cited"], created_at=ago(days=1), pinned=True
    )
    bank.pin(["pinned"])
    bank.hold("case 7", ids=["held"], by="counsel", reason="a claim")
    bank.verify_outcome(["verified"], by="owner")
    bank.exempt(["exempt"], reason="contract", by="owner")


@on_every_store
@pytest.mark.parametrize("law", [LawName.ACTIVATION, LawName.EBBINGHAUS, LawName.EXPONENTIAL])
def test_a_year_of_sweeps_leaves_what_is_guarded_and_takes_its_twins(
    kind: str, law: LawName, tmp_path: Path
) -> None:
    with place_on(kind, tmp_path) as place:
        bank = place.bank({**SETTINGS, "law.name": law.value})
        tell(bank)
        before = {each.memory.id: each.state for each in everything(bank)}
        for _ in range(52):
            place.clock.advance(days=7)
            assert bank.sweep(by="scheduler").report is not None
        after = {each.memory.id: each.state for each in everything(bank)}
        for name in GUARDED:
            assert after[name] == before[name]
            assert after[f"{name}-twin"].lifecycle is Lifecycle.ARCHIVED
        assert after["summary"].lifecycle is Lifecycle.ACTIVE
        assert bank.doctor() == []
        history = bank.stats(history=True).sweeps
        assert history is not None
        assert len(history) == 52
        assert sum(each.applied for each in history) == len(GUARDED)
