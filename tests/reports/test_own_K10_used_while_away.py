"""Own case of K10: what happened to a memory while it was away is not undone by bringing it back.

A restored memory is as it would be had it never been away: uses that were reported and marks that
were set meanwhile count.
"""

from dataclasses import replace

import pytest

from tests.reports.helping import Place, ago

WHO = {"by": "anna", "reason": "a mistake"}


@pytest.mark.parametrize("verb", ["suppress", "archive"])
def test_it_is_as_if_it_had_never_been_away(place: Place, verb: str) -> None:
    bank = place.bank()
    for name in ("away", "here"):
        bank.remember("The crane is red", id=name, subject=name, created_at=ago(days=50))
    getattr(bank, verb)(["away"], **WHO)
    place.clock.advance(days=3)
    for name in ("away", "here"):
        bank.used([name])
        bank.drain()
        bank.pin([name])
        bank.unpin([name])
        bank.exempt([name], reason="contract")
        bank.update(name, tags=["tool"])
    place.clock.advance(days=3)
    bank.restore(["away"], **WHO)
    away, here = bank.get("away"), bank.get("here")
    assert replace(away.state, protected_until=None) == here.state
    assert replace(away.memory, id="here", subject="here") == here.memory
    assert away.state.strength.reinforcement_count == 1
