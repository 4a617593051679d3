"""B001: a time without a zone stops the decay of everything, where others have one.

Waits: the dry run of a sweep, for `plan`.
"""

from datetime import UTC, datetime

import pytest

from lapse.model.instants import InstantLike
from tests.reports.helping import EXPONENTIAL, Place, retrievability

DAY_BEFORE: tuple[InstantLike, ...] = (
    "2026-05-31T12:00:00",
    "2026-05-31T12:00:00+00:00",
    "2026-05-31T12:00:00Z",
    datetime(2026, 5, 31, 12),  # noqa: DTZ001 - a time without a zone is what the report is about
    datetime(2026, 5, 31, 12, tzinfo=UTC),
)


def test_a_use_told_without_a_zone_is_as_old_as_the_same_use_in_utc(place: Place) -> None:
    bank = place.bank(EXPONENTIAL)
    for at, used_at in enumerate(DAY_BEFORE):
        bank.remember(f"harbour {at}", id=f"m{at}", created_at="2026-05-01T00:00:00Z")
        bank.used([f"m{at}"], at=used_at)
    bank.drain()
    ages = [retrievability(bank, "harbour", f"m{at}") for at in range(len(DAY_BEFORE))]
    assert ages == [ages[0]] * len(DAY_BEFORE)
    assert ages[0] == pytest.approx(0.995**24)
    assert ages[0] == pytest.approx(0.88665, abs=5e-6)


def test_a_memory_told_without_a_zone_is_as_old_as_the_same_memory_in_utc(place: Place) -> None:
    bank = place.bank(EXPONENTIAL)
    for at, created_at in enumerate(DAY_BEFORE):
        bank.remember(f"harbour {at}", id=f"m{at}", created_at=created_at)
    hits = bank.recall("harbour").hits
    assert len(hits) == len(DAY_BEFORE)
    assert {each.memory.created_at for each in hits} == {hits[0].memory.created_at}
    assert hits[0].explanation.retrievability == pytest.approx(0.995**24)
