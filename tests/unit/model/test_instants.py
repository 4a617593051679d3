"""Reading and writing instants: zones, the ends of the calendar, and what is no time at all."""

import math
from datetime import UTC, date, datetime, timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lapse.errors import ValidationError
from lapse.model.instants import (
    DAY,
    EARLIEST,
    HOUR,
    LATEST,
    MINUTE,
    SECOND,
    Instant,
    age_days,
    days,
    hours,
    parse_instant,
    plus_days,
    to_datetime,
    to_iso,
)

OFFSETS = st.integers(-24 * 60 + 1, 24 * 60 - 1).map(lambda m: timezone(timedelta(minutes=m)))
INSTANTS = st.integers(EARLIEST, LATEST).map(Instant)
MARCH = parse_instant("2026-03-01T09:00Z", "at")


class Silent(tzinfo):
    """A zone that does not know its own offset."""

    def utcoffset(self, _at: datetime | None) -> timedelta | None:
        return None

    def tzname(self, _at: datetime | None) -> str | None:
        return None

    def dst(self, _at: datetime | None) -> timedelta | None:
        return None


def _fault_of(value: object) -> str:
    with pytest.raises(ValidationError) as caught:
        parse_instant(value, "valid_from")
    assert [each.field for each in caught.value.faults] == ["valid_from"]
    return str(caught.value)


@given(INSTANTS)
def test_an_instant_survives_text_and_datetime(instant: Instant) -> None:
    assert parse_instant(to_iso(instant), "at") == instant
    assert parse_instant(to_datetime(instant), "at") == instant
    assert parse_instant(instant, "at") == instant


@given(INSTANTS)
def test_text_is_utc_and_shows_microseconds_only_where_there_are_some(instant: Instant) -> None:
    text = to_iso(instant)

    assert text.endswith("Z")
    assert ("." in text) == (instant % SECOND != 0)


@given(INSTANTS, INSTANTS)
def test_text_of_whole_seconds_sorts_as_time_does(one: Instant, other: Instant) -> None:
    first, second = (Instant(each // SECOND * SECOND) for each in (one, other))

    assert (to_iso(first) < to_iso(second)) == (first < second)


@given(INSTANTS, OFFSETS)
def test_an_offset_names_the_same_instant_as_utc_does(instant: Instant, zone: timezone) -> None:
    offset = zone.utcoffset(None)
    moved = instant + offset // timedelta(microseconds=1)
    if not EARLIEST <= moved <= LATEST:
        return
    local = to_datetime(Instant(moved)).replace(tzinfo=zone)

    assert parse_instant(local, "at") == instant
    assert parse_instant(local.isoformat(), "at") == instant


@given(INSTANTS)
def test_a_time_without_a_zone_is_utc(instant: Instant) -> None:
    naive = to_datetime(instant).replace(tzinfo=None)

    assert parse_instant(naive, "at") == instant
    assert parse_instant(naive.isoformat(), "at") == instant
    assert parse_instant(naive.isoformat(" "), "at") == instant


@given(st.dates())
def test_a_date_is_its_midnight_in_utc(day: date) -> None:
    midnight = datetime(day.year, day.month, day.day, tzinfo=UTC)

    assert parse_instant(day, "at") == parse_instant(midnight, "at")
    assert parse_instant(day.isoformat(), "at") == parse_instant(midnight, "at")


def test_a_zone_that_does_not_know_its_offset_counts_as_none() -> None:
    vague = datetime(2026, 3, 1, 9, tzinfo=Silent())

    assert parse_instant(vague, "at") == MARCH


def test_the_hour_that_comes_twice_in_autumn_is_two_instants() -> None:
    berlin = ZoneInfo("Europe/Berlin")
    first = datetime(2026, 10, 25, 2, 30, tzinfo=berlin)

    early, late = (parse_instant(first.replace(fold=fold), "at") for fold in (0, 1))

    assert late - early == HOUR
    assert to_iso(early) == "2026-10-25T00:30:00Z"


def test_the_hour_that_spring_leaves_out_is_read_with_the_offset_before_it() -> None:
    berlin = ZoneInfo("Europe/Berlin")

    assert to_iso(parse_instant(datetime(2026, 3, 29, 2, 30, tzinfo=berlin), "at")) == (
        "2026-03-29T01:30:00Z"
    )


def test_ages_across_a_change_of_clocks_are_real_time() -> None:
    berlin = ZoneInfo("Europe/Berlin")
    before = parse_instant(datetime(2026, 3, 28, 12, tzinfo=berlin), "at")
    after = parse_instant(datetime(2026, 3, 29, 12, tzinfo=berlin), "at")

    assert age_days(before, after) == pytest.approx(23 / 24, abs=0)


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("2026-03-01", "2026-03-01T00:00:00Z"),
        ("2026-03-01T09:00Z", "2026-03-01T09:00:00Z"),
        ("2026-03-01 09:00:00", "2026-03-01T09:00:00Z"),
        ("  2026-03-01T09:00Z\n", "2026-03-01T09:00:00Z"),
        ("20260301T090000Z", "2026-03-01T09:00:00Z"),
        ("2026-03-01T09:00:00.5+05:30", "2026-03-01T03:30:00.500000Z"),
        ("2026-03-01T09:00:00.123456-00:00", "2026-03-01T09:00:00.123456Z"),
        ("2026-03-01T00:00:00-11:59", "2026-03-01T11:59:00Z"),
        ("0001-01-01T00:00:00Z", "0001-01-01T00:00:00Z"),
        ("9999-12-31T23:59:59.999999Z", "9999-12-31T23:59:59.999999Z"),
    ],
)
def test_iso_text_is_read(text: str, iso: str) -> None:
    assert to_iso(parse_instant(text, "at")) == iso


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "yesterday",
        "not-a-date",
        "2026-13-01",
        "2026-02-30",
        "09:00",
        "1772355600",
        "-1",
        "2026-03-01T25:00Z",
        "2026-03-01T09:00:60Z",
        "2026-03-01T09:00+99:00",
        "NaN",
        "\x00",
    ],
)
def test_text_that_is_no_time_is_refused_by_field_and_value(text: str) -> None:
    assert "needs an ISO 8601 time" in _fault_of(text)


@pytest.mark.parametrize("value", [None, True, False, 1.5, math.nan, b"2026", [2026], object()])
def test_what_is_no_time_is_refused(value: object) -> None:
    assert "needs an ISO 8601 time" in _fault_of(value)


@pytest.mark.parametrize(
    "value",
    [EARLIEST - 1, LATEST + 1, 2**63, -(2**63), 10**30, 10**5000, -(10**5000)],
    ids=["before year 1", "after year 9999", "2^63", "-2^63", "10^30", "10^5000", "-10^5000"],
)
def test_an_integer_outside_the_calendar_is_refused(value: int) -> None:
    assert "needs a year from 1 to 9999" in _fault_of(value)


@pytest.mark.parametrize(
    "value",
    [
        datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=1))),
        datetime(9999, 12, 31, 23, 59, tzinfo=timezone(timedelta(hours=-1))),
        "0001-01-01T00:00:00+00:01",
        "9999-12-31T23:59:59-00:01",
    ],
)
def test_an_offset_that_leads_out_of_the_calendar_is_refused(value: object) -> None:
    assert "needs a year from 1 to 9999" in _fault_of(value)


def test_the_ends_of_the_calendar_are_the_ends_of_datetime() -> None:
    assert to_datetime(EARLIEST) == datetime.min.replace(tzinfo=UTC)
    assert to_datetime(LATEST) == datetime.max.replace(tzinfo=UTC)


def test_units_are_microseconds() -> None:
    assert (SECOND, MINUTE, HOUR, DAY) == (10**6, 60 * 10**6, 3600 * 10**6, 86400 * 10**6)
    assert days(1.5) == 36 * HOUR
    assert hours(0.25) == 15 * MINUTE


@given(INSTANTS, INSTANTS)
def test_an_age_is_never_negative(since: Instant, now: Instant) -> None:
    assert age_days(since, now) == max(now - since, 0) / DAY


def test_a_future_instant_has_age_0() -> None:
    assert age_days(Instant(MARCH + 10 * DAY), MARCH) == 0.0


def test_ages_keep_their_minutes() -> None:
    assert age_days(Instant(MARCH - MINUTE), MARCH) == pytest.approx(1 / 1440, rel=1e-12)


@given(INSTANTS, st.floats(-1e9, 1e9))
def test_moving_by_days_stays_in_the_calendar(instant: Instant, count: float) -> None:
    moved = plus_days(instant, count)

    assert EARLIEST <= moved <= LATEST
    assert moved == min(max(instant + days(count), EARLIEST), LATEST)


@pytest.mark.parametrize("count", [math.inf, 1e300, 1e308])
def test_moving_by_more_days_than_there_are_ends_at_an_end(count: float) -> None:
    assert plus_days(MARCH, count) == LATEST
    assert plus_days(MARCH, -count) == EARLIEST


def test_moving_by_no_number_of_days_is_a_mistake_that_is_told() -> None:
    with pytest.raises(ValidationError, match="days"):
        plus_days(MARCH, math.nan)


@pytest.mark.parametrize(
    "written",
    ["2026-05-31T12:00:00", "2026-05-31T12:00:00+00:00"],
)
def test_b001_a_time_without_a_zone_is_as_old_as_the_same_one_in_utc(written: str) -> None:
    now = parse_instant("2026-06-01T12:00:00Z", "now")

    assert age_days(parse_instant(written, "last_accessed"), now) == 1.0


@pytest.mark.parametrize("zone", ["America/Los_Angeles", "UTC", "Asia/Tokyo"])
def test_b005_the_zone_of_the_host_changes_no_stored_instant(
    zone: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TZ", zone)
    aware = datetime(2026, 7, 25, 2, tzinfo=UTC).astimezone(ZoneInfo(zone))

    stored = parse_instant(aware, "created_at")

    assert to_iso(stored) == "2026-07-25T02:00:00Z"
    assert parse_instant("2026-07-25", "from") <= stored < parse_instant("2026-07-26", "to")


@pytest.mark.parametrize("value", ["not-a-date", "", None])
def test_b011_an_unreadable_time_is_refused_when_it_is_told_not_when_it_is_ranked(
    value: object,
) -> None:
    assert "valid_from" in _fault_of(value)
