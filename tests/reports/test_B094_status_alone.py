"""B094: a sweep selects by status alone, and another writer flips the status of what is held.

The hold is a condition of its own, looked at when the sweep acts, whatever the state says by then.
"""

import pytest

from lapse.bank import Bank
from lapse.errors import GuardedError
from lapse.model.guards import Guard
from lapse.model.retention import Lifecycle
from lapse.model.sweep import SweepReport
from tests.reports.helping import Place

AUTO = {
    "forgetting.mode": "lifecycle",
    "forgetting.auto_apply": True,
    "retention.max_active": "none",
}


def told(place: Place) -> Bank:
    bank = place.bank(AUTO)
    for name in ("held", "free"):
        bank.remember(f"The ship {name} docked", id=name, importance=0.0)
    return bank


def swept(bank: Bank) -> SweepReport:
    report = bank.sweep().report
    assert report is not None
    return report


def test_what_is_held_is_never_swept_however_its_status_changes(place: Place) -> None:
    bank = told(place)
    bank.suppress(["held"], by="clerk", reason="quiet")
    bank.hold("case 7", ids=["held"], by="counsel", reason="a claim")
    place.clock.advance(days=90)

    assert swept(bank).applied == 1  # the free one
    assert bank.get("held").state.lifecycle is Lifecycle.SUPPRESSED

    bank.restore(["held"], by="job", reason="rewritten by a job")
    place.clock.advance(days=90)
    report = swept(bank)
    assert (report.applied, [each.guard for each in report.spared]) == (0, [Guard.HOLD])
    with pytest.raises(GuardedError):
        bank.archive(["held"], by="job", reason="rewritten by a job")
    assert swept(bank).applied == 0
    assert bank.get("held").state.lifecycle is Lifecycle.ACTIVE


def test_once_the_hold_is_released_the_next_sweep_takes_it(place: Place) -> None:
    bank = told(place)
    bank.hold("case 7", ids=["held"], by="counsel", reason="a claim")
    place.clock.advance(days=90)
    swept(bank)
    bank.release("case 7", by="counsel", reason="settled")
    assert swept(bank).applied == 1
    assert bank.get("held").state.lifecycle is Lifecycle.ARCHIVED
