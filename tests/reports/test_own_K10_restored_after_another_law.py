"""Own case of K10: the policy changed while a memory was away; it comes back dated by the new one.

A date computed under a policy that is no longer in force would make a restored memory fade by rules
that nobody has set.
"""

import pytest

from tests.reports.helping import Place, ago

WHO = {"by": "anna", "reason": "a mistake"}


@pytest.mark.parametrize("verb", ["suppress", "archive"])
def test_it_fades_like_its_twin_that_stayed(place: Place, verb: str) -> None:
    bank = place.bank()
    for name in ("away", "here"):
        bank.remember("The crane is red", id=name, subject=name, created_at=ago(days=9))
    before = bank.get("here").state
    getattr(bank, verb)(["away"], **WHO)
    bank.set_policy({"law.name": "ebbinghaus"})
    bank.drain()
    bank.restore(["away"], **WHO)
    away, here = bank.get("away").state, bank.get("here").state
    assert here.fades_at != before.fades_at
    assert (away.fades_at, away.strength) == (here.fades_at, here.strength)
    assert away.policy_version == here.policy_version == 1
