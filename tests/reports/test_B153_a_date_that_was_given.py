"""B153: a creation time that the caller gave is overwritten with now.

Design differs: lists go in the order of arrival, since that never changes under whoever pages; no
option forbids back-dating.
"""

import pytest

from lapse.model.instants import DAY, parse_instant
from tests.reports.helping import EXPONENTIAL, T0, Place, hit_ids, retrievability

GIVEN = parse_instant("2024-03-01T12:00:00Z", "created_at")


def test_a_given_date_is_kept_and_its_age_counts(place: Place) -> None:
    bank = place.bank(EXPONENTIAL)
    bank.remember("The boat was painted blue", id="new")
    bank.remember("The boat was painted blue once", id="old", created_at="2024-03-01T12:00:00Z")
    assert bank.get("old").memory.created_at == GIVEN
    assert (T0 - GIVEN) / DAY == 822
    assert bank.get("old").state.created_at == GIVEN
    shown = retrievability(bank, "boat painted", "old")
    assert shown == pytest.approx(0.995 ** (822 * 24), rel=1e-9)
    assert hit_ids(bank.recall("boat painted blue")) == ["new", "old"]
    bank.update("old", text="The boat was painted blue twice")
    assert bank.get("old").memory.created_at == GIVEN
