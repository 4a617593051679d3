"""B005: times are written in the host's zone, and filters by date pick the wrong day.

Waits: a filter by two dates, for `select`; here the day is filtered by age.
"""

import time
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from lapse.bank import Bank
from lapse.faces.outside import SystemClock
from lapse.model.codec import dumps
from lapse.model.instants import parse_instant, to_iso
from lapse.testing.fakes import FakeClock
from tests.reports.helping import Place, everything, hit_ids

ZONES = ("America/Los_Angeles", "UTC", "Asia/Tokyo")
STORED_AT = parse_instant("2026-07-25T02:00:00Z", "stored_at")
MIDNIGHT_AFTER = parse_instant("2026-07-26T00:00:00Z", "midnight")


@pytest.fixture
def host_zone(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """Where a test may move its host to; afterwards the host is where it was."""
    with monkeypatch.context() as moved:
        yield moved
    time.tzset()


@pytest.fixture(params=ZONES)
def zone(request: pytest.FixtureRequest, host_zone: pytest.MonkeyPatch) -> str:
    """The zone that the host of a test is in."""
    return move(host_zone, str(request.param))


def move(host_zone: pytest.MonkeyPatch, zone: str) -> str:
    host_zone.setenv("TZ", zone)
    time.tzset()
    return zone


def stored_once_and_updated(place: Place) -> Bank:
    bank = place.bank()
    place.clock.set(STORED_AT)
    bank.remember("the ferry leaves at nine", id="ferry")
    bank.update("ferry", tags=["travel"])
    return bank


def test_what_is_stored_does_not_depend_on_the_zone_of_the_host(place: Place, zone: str) -> None:
    record = stored_once_and_updated(place).get("ferry")
    assert time.tzname != ("UTC", "UTC") or zone == "UTC"
    assert to_iso(record.memory.created_at) == "2026-07-25T02:00:00Z"
    assert to_iso(record.memory.recorded_from) == "2026-07-25T02:00:00Z"
    assert record.state.created_at == record.memory.created_at


def test_a_day_holds_what_was_stored_in_it_by_utc(place: Place, zone: str) -> None:
    bank = stored_once_and_updated(place)
    place.clock.set(MIDNIGHT_AFTER)
    assert hit_ids(bank.recall("ferry", max_age_hours=24)) == ["ferry"]
    assert hit_ids(bank.recall("ferry", max_age_hours=21.99)) == []


def test_a_local_time_that_names_its_zone_is_that_instant(place: Place, zone: str) -> None:
    local = datetime.fromtimestamp(STORED_AT / 1_000_000, tz=ZoneInfo(zone))
    bank = place.bank()
    bank.remember("the ferry leaves at nine", id="ferry", created_at=local)
    assert bank.get("ferry").memory.created_at == STORED_AT


def test_recall_and_list_show_the_same_times(place: Place, zone: str) -> None:
    bank = stored_once_and_updated(place)
    recalled = dumps(bank.recall("ferry").hits[0].memory)
    assert recalled == dumps(everything(bank)[0].memory)
    assert '"created_at":"2026-07-25T02:00:00Z"' in recalled


def test_the_clock_of_the_host_gives_the_same_instants_in_every_zone(zone: str) -> None:
    before = time.time_ns() // 1000
    now = SystemClock().now()
    assert before <= now <= time.time_ns() // 1000


def test_three_hosts_in_three_zones_read_one_file_alike(
    tmp_path: Path, host_zone: pytest.MonkeyPatch
) -> None:
    seen = []
    for zone in ZONES:
        move(host_zone, zone)
        here = Place(target=str(tmp_path / "lapse.db"), clock=FakeClock(STORED_AT))
        with here.opened:
            bank = here.bank()
            bank.remember("the ferry leaves at nine", id="ferry", created_at=STORED_AT)
            seen.append(bank.get("ferry"))
    assert seen == [seen[0]] * len(ZONES)
