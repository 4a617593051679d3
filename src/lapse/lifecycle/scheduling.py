"""When a bank should be swept next.

Weekly; nightly for a busy bank; in the hours when it is quiet. Decides the suggested schedule from
the policy and from how much was written since the last sweep. Refuses to sweep, to wait and to read
a clock: whoever runs the worker, or a cron, asks.
"""

from lapse.model.instants import DAY, HOUR, Instant, plus_days
from lapse.model.policy import RetentionPolicy

DAY_HOURS = 24


def writes_per_day(writes: int, since: Instant, now: Instant) -> float:
    """Writes a day over a span; a span below a day counts as a day."""
    return writes / max((now - since) / DAY, 1.0)


def interval_days(policy: RetentionPolicy, per_day: float) -> float:
    """Days between sweeps of a bank with so many writes a day."""
    if per_day > policy.busy_writes_per_day:
        return min(policy.busy_sweep_interval_days, policy.sweep_interval_days)
    return policy.sweep_interval_days


def next_sweep_at(policy: RetentionPolicy, last: Instant | None, per_day: float) -> Instant | None:
    """From when a bank should be swept: the first quiet hour once its interval has passed.

    Args:
        policy: Intervals and quiet hours, in UTC.
        last: When it was swept last, or None for never: then it is due at once.
        per_day: Writes a day since then.
    """
    if last is None:
        return None
    return _quiet_from(policy, plus_days(last, interval_days(policy, per_day)))


def sweep_is_due(
    policy: RetentionPolicy, last: Instant | None, per_day: float, now: Instant
) -> bool:
    """Whether a bank should be swept now."""
    at = next_sweep_at(policy, last, per_day)
    return (at is None or at <= now) and _quiet(policy, now)


def _quiet(policy: RetentionPolicy, at: Instant) -> bool:
    start, end = policy.sweep_from_hour, policy.sweep_until_hour
    hour = at % DAY // HOUR
    # A window that ends before it starts goes past midnight; one without length is the whole day.
    return start == end or (hour - start) % DAY_HOURS < (end - start) % DAY_HOURS


def _quiet_from(policy: RetentionPolicy, at: Instant) -> Instant:
    if _quiet(policy, at):
        return at
    start = Instant(at - at % DAY + policy.sweep_from_hour * HOUR)
    return start if start >= at else plus_days(start, 1)
