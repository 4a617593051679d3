"""Own case of K11: a memory that was put away passes its end there; it does not come back told.

Restoring brings back what was, and what was has an end: the memory is active again and hidden, as
it would be had nobody put it away.
"""

import pytest

from lapse.model.query import Reason
from lapse.model.retention import Lifecycle
from tests.reports.helping import Place, ago, hit_ids

WHO = {"by": "anna", "reason": "a mistake"}


@pytest.mark.parametrize("verb", ["suppress", "archive"])
def test_restored_after_its_end_it_is_active_and_not_told(place: Place, verb: str) -> None:
    bank = place.bank()
    bank.remember("The ticket is at the desk", id="R", expires_at=ago(days=-2))
    getattr(bank, verb)(["R"], **WHO)
    place.clock.advance(days=3)
    bank.restore(["R"], **WHO)
    assert bank.get("R").state.lifecycle is Lifecycle.ACTIVE
    assert hit_ids(bank.recall("ticket")) == []
    assert bank.why("ticket", "R").reason is Reason.EXPIRED
