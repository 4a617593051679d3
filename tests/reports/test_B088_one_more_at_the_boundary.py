"""B088: one extra stale hit exactly at the boundary, where strict and inclusive are confused.

An expiry is exclusive: at that instant it is over. An age limit is inclusive: that age is allowed.
"""

import pytest

from lapse.model.instants import HOUR, SECOND, Instant
from tests.reports.helping import T0, Place, hit_ids


@pytest.mark.parametrize(("microseconds", "told"), [(9_999_000, ["R"]), (10_000_000, [])])
def test_a_life_of_ten_seconds_is_over_at_ten_seconds(
    place: Place, microseconds: int, told: list[str]
) -> None:
    bank = place.bank()
    bank.remember("The ticket is at the desk", id="R", expires_at=Instant(T0 + 10 * SECOND))
    place.clock.set(Instant(T0 + microseconds))
    assert hit_ids(bank.recall("ticket")) == told


@pytest.mark.parametrize(("seconds", "told"), [(0, ["R"]), (1, [])])
def test_a_greatest_age_of_120_hours_includes_120_hours(
    place: Place, seconds: int, told: list[str]
) -> None:
    bank = place.bank()
    created_at = Instant(T0 - 120 * HOUR - seconds * SECOND)
    bank.remember("The ticket is at the desk", id="R", created_at=created_at)
    assert hit_ids(bank.recall("ticket", max_age_hours=120)) == told
