"""B090: clearing an expiry with an empty text stores an empty text that never compares sensibly.

Right: null clears it; a text that is no instant is refused and changes nothing.
"""

import pytest

from lapse.errors import ValidationError
from tests.reports.helping import Place, ago, hit_ids


@pytest.mark.parametrize("empty", ["", " ", "null", "none"])
def test_a_text_that_is_no_instant_is_refused(place: Place, empty: str) -> None:
    bank = place.bank()
    bank.remember("The ticket is at the desk", id="R", expires_at=ago(days=-3))
    before = bank.get("R")
    with pytest.raises(ValidationError) as caught:
        bank.update("R", expires_at=empty)
    assert [each.field for each in caught.value.faults] == ["expires_at"]
    assert bank.get("R") == before


def test_null_clears_it_for_good(place: Place) -> None:
    bank = place.bank({"retention.grace_days": 0})
    bank.remember("The ticket is at the desk", id="R", expires_at=ago(days=-3))
    bank.update("R", expires_at=None)
    record = bank.get("R")
    assert record.memory.expires_at is None
    assert record.state.expires_at is None
    place.clock.advance(days=4)
    bank.drain()
    assert bank.plan().items == ()
    assert hit_ids(bank.recall("ticket")) == ["R"]
    assert [each.memory.id for each in bank.list().records] == ["R"]
