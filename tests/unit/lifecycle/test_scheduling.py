"""The suggested schedule: weekly, nightly when busy, in quiet hours."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lapse.lifecycle.scheduling import (
    interval_days,
    next_sweep_at,
    sweep_is_due,
    writes_per_day,
)
from lapse.model.instants import DAY, HOUR, Instant, parse_instant
from lapse.model.policy import Policy, RetentionPolicy
from lapse.model.policy_layers import apply
from lapse.model.policy_sources import from_diff

WEEKLY = RetentionPolicy()
SUNDAY = parse_instant("2026-06-07T02:00Z", "sunday")


def _quiet(start: int, end: int) -> RetentionPolicy:
    diff = {"retention.sweep_from_hour": start, "retention.sweep_until_hour": end}
    return apply(Policy(), from_diff(diff)).retention


@pytest.mark.parametrize(("per_day", "days"), [(0, 7), (200, 7), (200.1, 1), (9000, 1)])
def test_a_bank_is_swept_weekly_and_a_busy_one_nightly(per_day: float, days: float) -> None:
    assert interval_days(WEEKLY, per_day) == days
    assert next_sweep_at(WEEKLY, SUNDAY, per_day) == SUNDAY + days * DAY


def test_writes_are_counted_by_the_day() -> None:
    assert writes_per_day(1400, SUNDAY, Instant(SUNDAY + 7 * DAY)) == 200
    assert writes_per_day(300, SUNDAY, Instant(SUNDAY + HOUR)) == 300
    assert writes_per_day(300, SUNDAY, Instant(SUNDAY - DAY)) == 300


def test_a_bank_that_was_never_swept_is_due_in_the_next_quiet_hour() -> None:
    assert next_sweep_at(WEEKLY, None, 0) is None
    assert sweep_is_due(WEEKLY, None, 0, SUNDAY)
    assert not sweep_is_due(WEEKLY, None, 0, Instant(SUNDAY + 4 * HOUR))


@pytest.mark.parametrize(
    ("window", "hours"),
    [
        ((1, 5), {1, 2, 3, 4}),
        ((22, 2), {22, 23, 0, 1}),
        ((0, 0), set(range(24))),
        ((23, 0), {23}),
    ],
)
def test_sweeps_keep_to_the_quiet_hours(window: tuple[int, int], hours: set[int]) -> None:
    policy = _quiet(*window)
    midnight = parse_instant("2026-06-07T00:00Z", "midnight")
    due = {at for at in range(24) if sweep_is_due(policy, None, 0, Instant(midnight + at * HOUR))}
    assert due == hours


@given(st.integers(0, 23), st.integers(0, 23), st.integers(-(10**15), 10**16))
def test_the_next_sweep_is_the_first_quiet_instant_after_the_interval(
    start: int, end: int, last: int
) -> None:
    policy = _quiet(start, end)
    at = next_sweep_at(policy, Instant(last), 0)
    assert at is not None
    assert sweep_is_due(policy, Instant(last), 0, at)
    assert last + 7 * DAY <= at < last + 8 * DAY
    if at > last + 7 * DAY:
        assert not sweep_is_due(policy, Instant(last), 0, Instant(at - 1))
