"""K01, not reported: one instant written in many ways, and the hour that a clock shows twice."""

from datetime import date, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest

from lapse.model.instants import HOUR, InstantLike, parse_instant
from tests.reports.helping import EXPONENTIAL, Place

NOON = parse_instant("2026-05-31T12:00:00Z", "noon")

SPELLINGS: tuple[InstantLike, ...] = (
    NOON,
    "2026-05-31T12:00Z",
    "2026-05-31 12:00:00.000000",
    "20260531T120000Z",
    "  2026-05-31T12:00:00+00:00  ",
    "2026-05-31T17:45:00+05:45",
    "2026-05-31T02:30:00-09:30",
    "2026-W22-7T12:00:00Z",
    datetime(2026, 5, 31, 22, tzinfo=timezone(timedelta(hours=10))),
    datetime(2026, 5, 31, 8, tzinfo=ZoneInfo("America/New_York")),
)


def test_every_spelling_of_an_instant_gives_the_same_age(place: Place) -> None:
    bank = place.bank(EXPONENTIAL)
    for at, created_at in enumerate(SPELLINGS):
        bank.remember(f"harbour {at}", id=f"m{at}", created_at=created_at)
    hits = bank.recall("harbour plans", k=len(SPELLINGS)).hits
    assert len(hits) == len(SPELLINGS)
    assert {each.explanation.anchor for each in hits} == {NOON}
    assert {each.explanation.retrievability for each in hits} == {0.995**24}


def test_the_hour_that_a_clock_shows_twice_is_two_hours(place: Place) -> None:
    zone = ZoneInfo("America/New_York")
    bank = place.bank(EXPONENTIAL)
    for fold in (0, 1):
        twice = datetime(2025, 11, 2, 1, 30, fold=fold, tzinfo=zone)
        bank.remember(f"harbour {fold}", id=f"m{fold}", created_at=twice)
    first, second = (bank.get(f"m{fold}").memory.created_at for fold in (0, 1))
    assert second - first == HOUR


def test_a_date_alone_is_its_midnight_by_utc(place: Place) -> None:
    bank = place.bank(EXPONENTIAL)
    bank.remember("harbour one", id="a", created_at=date(2026, 5, 31))
    bank.remember("harbour two", id="b", created_at="2026-05-31")
    midnight = parse_instant("2026-05-31T00:00:00Z", "midnight")
    assert {bank.get(each).memory.created_at for each in ("a", "b")} == {midnight}
    strengths = [each.explanation.retrievability for each in bank.recall("harbour plans").hits]
    assert strengths == [pytest.approx(0.995**36)] * 2
