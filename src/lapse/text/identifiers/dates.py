"""Dates and times of day, in the form of ISO 8601 whatever order they were written in.

Decides what reads as one date and as one time. Refuses to guess: 03/04/2026 stays as written, since
two conventions read it differently, and a date without a year is none.
"""

import re
from collections.abc import Iterator
from typing import Final

from lapse.model.identifier import Identifier, IdentifierType

_MONTHS: Final = (
    *("january", "february", "march", "april", "may", "june", "july"),
    *("august", "september", "october", "november", "december"),
)
_MONTH: Final = (
    "(?P<month>" + "|".join(rf"{each[:3]}(?:{each[3:]})?" for each in _MONTHS) + "|sept)"
)
_DAY: Final = r"(?P<day>[0-3]?\d)(?:st|nd|rd|th)?"
_YEAR: Final = r"(?P<year>(?:1[5-9]|2[01])\d\d)"

WORDED: Final = re.compile(
    rf"\b(?:{_MONTH}\.? {_DAY},? {_YEAR}|{_DAY.replace('day', 'day2')}[ -](?:of )?"
    rf"{_MONTH.replace('month', 'month2')}\.?,?[ -]{_YEAR.replace('year', 'year2')})\b",
    re.IGNORECASE,
)
"""A date whose month is a word: `June 5, 2026`, `5th of June 2026`, `5-Jun-2026`."""

_ISO: Final = re.compile(r"(?P<year>\d{4})([-/.])(?P<month>\d{1,2})\2(?P<day>\d{1,2})(?:T.*)?")
_COMPACT: Final = re.compile(r"(?P<year>(?:19|20)\d\d)(?P<month>[01]\d)(?P<day>[0-3]\d)")
_LOCAL: Final = re.compile(r"(\d{1,2})([-/.])(\d{1,2})\2((?:19|20)\d\d)")

CLOCK: Final = re.compile(
    r"\b(?P<hour>[01]?\d|2[0-3])(?:[:.h](?P<minute>[0-5]\d))?(?::[0-5]\d)?"
    r" ?(?P<half>[ap])\.?m\b\.?",
    re.IGNORECASE,
)
"""A time of day on a clock of twelve hours: `2:30 PM`, `9pm`."""

_DAYTIME: Final = re.compile(r"(?P<hour>[01]?\d|2[0-3])(?::|h)(?P<minute>[0-5]\d)(?::[0-5]\d)?")


def worded_dates(text: str) -> Iterator[tuple[re.Match[str], Identifier]]:
    """Dates with a month in words, and where they stand."""
    for match in WORDED.finditer(text):
        month = (match["month"] or match["month2"]).lower()[:3]
        number = next(at for at, each in enumerate(_MONTHS, 1) if each.startswith(month))
        day = int(match["day"] or match["day2"])
        found = _date(match["year"] or match["year2"], number, day)
        if found is not None:
            yield match, found


def clock_times(text: str) -> Iterator[tuple[re.Match[str], Identifier]]:
    """Times with am or pm, and where they stand."""
    for match in CLOCK.finditer(text):
        hour = int(match["hour"])
        if 1 <= hour <= 12:
            later = 12 * (match["half"].lower() == "p")
            yield match, _time(hour % 12 + later, int(match["minute"] or 0))


def date_of(chunk: str) -> Identifier | None:
    """The date that a chunk of digits is, or None."""
    iso = _ISO.fullmatch(chunk) or _COMPACT.fullmatch(chunk)
    if iso is not None:
        return _date(iso["year"], int(iso["month"]), int(iso["day"]))
    local = _LOCAL.fullmatch(chunk)
    if local is None:
        return None
    first, second = int(local[1]), int(local[3])
    if first > 12 or first == second:
        return _date(local[4], second, first)
    if second > 12:
        return _date(local[4], first, second)
    return Identifier(type=IdentifierType.DATE, canonical=f"{first}/{second}/{local[4]}")


def time_of(chunk: str) -> Identifier | None:
    """The time of day on a clock of 24 hours that a chunk is, or None."""
    match = _DAYTIME.fullmatch(chunk)
    return None if match is None else _time(int(match["hour"]), int(match["minute"]))


def _date(year: str, month: int, day: int) -> Identifier | None:
    if not (1 <= month <= 12 and 1 <= day <= 31):
        return None
    return Identifier(type=IdentifierType.DATE, canonical=f"{year}-{month:02}-{day:02}")


def _time(hour: int, minute: int) -> Identifier:
    return Identifier(type=IdentifierType.TIME, canonical=f"{hour:02}:{minute:02}")
