"""B084: between its expiry and the next sweep an expired item is still returned.

Given an expiry at T0 and no sweep: out of every recall from that very instant.

Design differs: `get`, `list` and `count` are for whoever keeps the store, and show everything with
its dates, expired or not; what may be told is what recall and rank give.
"""

import pytest

from lapse.model.instants import SECOND, Instant
from lapse.model.query import Reason
from tests.reports.helping import T0, Place, ago, hit_ids


@pytest.mark.parametrize(("seconds", "told"), [(-1, ["R"]), (0, []), (1, [])])
def test_it_is_told_only_before_its_end(place: Place, seconds: int, told: list[str]) -> None:
    bank = place.bank()
    place.clock.set(ago(days=1))
    bank.remember("The ticket is at the desk", id="R", expires_at=T0)
    place.clock.set(Instant(T0 + seconds * SECOND))

    recall = bank.recall("ticket desk")
    assert hit_ids(recall) == told
    ranked = bank.rank([{"id": "R", "text": "The ticket is at the desk"}], query="ticket desk")
    assert hit_ids(ranked) == told
    if not told:
        assert [each.reason for each in recall.exclusions] == [Reason.EXPIRED]
        assert bank.why("ticket", "R").reason is Reason.EXPIRED
    assert bank.get("R").memory.expires_at == T0
