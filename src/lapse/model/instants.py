"""Instants: integer microseconds since 1970-01-01T00:00:00Z, everywhere inside Lapse.

Decides how a time that a caller writes becomes an instant, and how an instant is shown. Refuses to
know what time it is now: `now` is always a parameter.
"""

import math
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from typing import NewType, TypeAlias

from lapse.errors import ValidationError

Instant = NewType("Instant", int)

MICROSECOND = 1
SECOND = 1_000_000
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE
DAY = 24 * HOUR

EARLIEST = Instant(-62_135_596_800 * SECOND)
"""0001-01-01T00:00:00Z, the first instant that can be written."""

LATEST = Instant(253_402_300_799 * SECOND + 999_999)
"""9999-12-31T23:59:59.999999Z, the last instant that can be written."""

_CALENDAR_DAYS = (LATEST - EARLIEST) // DAY + 1
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_EPOCH_WITHOUT_ZONE = _EPOCH.replace(tzinfo=None)
_STEP = timedelta(microseconds=1)
_WHAT = "needs an ISO 8601 time such as 2026-03-01T09:00Z, a datetime, or integer microseconds"

InstantLike: TypeAlias = Instant | int | str | datetime | date


def parse_instant(value: object, field: str) -> Instant:
    """Read an instant.

    Args:
        value: A datetime (without a zone: UTC), a date (its midnight, UTC), ISO 8601 text (without
            a zone: UTC), or integer microseconds since the epoch.
        field: Name for the error.

    Raises:
        ValidationError: Another type, unreadable text, or a year outside 1 to 9999.
    """
    match value:
        case bool():
            raise ValidationError.of(field, value, _WHAT)
        case int():
            return _bounded(value, field, value)
        case datetime():
            return _from_datetime(value, field)
        case date():
            midnight = datetime(value.year, value.month, value.day, tzinfo=UTC)
            return _from_datetime(midnight, field)
        case str():
            return _from_text(value, field)
        case _:
            raise ValidationError.of(field, value, _WHAT)


def to_datetime(instant: Instant) -> datetime:
    """Give the instant as an aware UTC datetime, exact to the microsecond."""
    return _EPOCH + timedelta(microseconds=instant)


@lru_cache(maxsize=4096)
def to_iso(instant: Instant) -> str:
    """Write the instant as ISO 8601 in UTC, with microseconds only where they are not zero."""
    return to_datetime(instant).isoformat().replace("+00:00", "Z")


def days(count: float) -> int:
    """Microseconds in `count` days, rounded to the nearest."""
    return round(count * DAY)


def hours(count: float) -> int:
    """Microseconds in `count` hours, rounded to the nearest."""
    return round(count * HOUR)


def age_days(since: Instant, now: Instant) -> float:
    """Days from `since` to `now`; a future `since` counts as age 0."""
    return max(now - since, 0) / DAY


def plus_days(instant: Instant, count: float) -> Instant:
    """Move an instant by days, kept within what can be written.

    Raises:
        ValidationError: `count` is NaN.
    """
    if math.isnan(count):
        raise ValidationError.of("days", count, "needs a number")
    if abs(count) > _CALENDAR_DAYS:
        return LATEST if count > 0 else EARLIEST
    return Instant(min(max(instant + days(count), EARLIEST), LATEST))


def _from_text(value: str, field: str) -> Instant:
    text = value.strip()
    try:
        return _from_datetime(datetime.fromisoformat(text), field)
    except ValueError:
        raise ValidationError.of(field, value, _WHAT) from None


def _from_datetime(value: datetime, field: str) -> Instant:
    aware = value if value.tzinfo is not None else value.replace(tzinfo=UTC)
    # An offset can carry year 1 or 9999 out of the calendar, so the offset is taken off as a
    # number.
    naive = aware.replace(tzinfo=None) - _EPOCH_WITHOUT_ZONE
    offset = aware.utcoffset() or timedelta()
    return _bounded((naive - offset) // _STEP, field, value)


def _bounded(micros: int, field: str, given: object) -> Instant:
    if not EARLIEST <= micros <= LATEST:
        raise ValidationError.of(field, given, "needs a year from 1 to 9999")
    return Instant(micros)
