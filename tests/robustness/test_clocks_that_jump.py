"""Clocks that leap years, fall back an hour or count a second twice break no memory."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lapse.bank import Bank
from lapse.faces.app import Lapse
from lapse.faces.outside import TimeOrderedIds
from lapse.model.instants import DAY, Instant, parse_instant
from lapse.model.retention import UseSource
from lapse.testing.fakes import START, FakeClock, SeededEntropy, SequentialIds
from tests.robustness.held import refused

TEN_YEARS = 3_653 * DAY
JUMPS = st.one_of(
    st.integers(-TEN_YEARS, TEN_YEARS),
    st.sampled_from([0, 1, -1, DAY // 24, -DAY // 24, TEN_YEARS, -TEN_YEARS]),
)
VERBS = st.sampled_from(["remember", "used", "recall", "update", "pin", "unpin", "drain", "rank"])


def bank_with(clock: FakeClock) -> Bank:
    lapse = Lapse.open(
        "memory://",
        embedder=None,
        clock=clock,
        new_id=SequentialIds(),
        entropy=SeededEntropy(),
        background=False,
    )
    bank = lapse.bank("alice")
    bank.remember("I prefer tea, not coffee", id="tea")
    bank.remember("Lunch was noodles", id="lunch", importance=0.1)
    return bank


def act(bank: Bank, verb: str, number: int) -> None:
    match verb:
        case "remember":
            bank.remember(f"fact {number} on tea", id=f"m{number}")
        case "used":
            bank.used(["tea", "lunch"])
        case "recall":
            bank.recall("tea or noodles")
        case "update":
            bank.update("lunch", text=f"Lunch was dish {number}")
        case "pin":
            bank.pin(["tea"])
        case "unpin":
            bank.unpin(["tea"])
        case "drain":
            bank.drain()
        case _:
            bank.rank([{"id": "tea", "text": "tea"}, {"id": "x", "text": "tea"}], query="tea")


def strengths(bank: Bank) -> Sequence[tuple[str, float | None]]:
    recall = bank.recall("tea noodles lunch dish fact", k=100)
    return sorted((each.id, each.explanation.retrievability) for each in recall.hits)


@given(steps=st.lists(st.tuples(JUMPS, VERBS), max_size=12))
def test_no_jump_breaks_a_verb_or_makes_a_strength_of_no_sense(
    steps: list[tuple[int, str]],
) -> None:
    clock = FakeClock()
    bank = bank_with(clock)
    for number, (jump, verb) in enumerate(steps):
        clock.set(Instant(clock.now() + jump))
        act(bank, verb, number)
        assert list(bank.doctor()) == []
        assert all(each is not None and 0 <= each <= 1 for _, each in strengths(bank))
    told = {f"m{number}" for number, (_, verb) in enumerate(steps) if verb == "remember"}
    kept = {each.memory.id for each in bank.list().records}
    assert told | {"tea", "lunch"} <= kept


@given(jumps=st.lists(JUMPS, max_size=8))
def test_looking_at_any_time_changes_nothing_once_the_clock_is_right_again(
    jumps: list[int],
) -> None:
    clock = FakeClock()
    bank = bank_with(clock)
    clock.advance(days=3)
    right, before = clock.now(), (strengths(bank), bank.get("tea"), bank.stats())
    for jump in jumps:
        clock.set(Instant(right + jump))
        bank.recall("tea")
        bank.why("tea", "tea")
        bank.drain()
    clock.set(right)
    assert (strengths(bank), bank.get("tea"), bank.stats()) == before


@given(jumps=st.lists(JUMPS, min_size=1, max_size=6))
def test_a_use_told_by_a_wrong_clock_never_makes_a_memory_weaker(jumps: list[int]) -> None:
    clock = FakeClock()
    bank, other = bank_with(clock), bank_with(clock)
    for jump in jumps:
        clock.set(Instant(START + jump))
        bank.used(["tea"], source=UseSource.EXPLICIT)
    clock.set(START)
    clock.advance(days=30)
    bank.drain()
    other.drain()
    assert dict(strengths(bank))["tea"] >= dict(strengths(other))["tea"]  # type: ignore[operator]  # numbers, as above


@pytest.mark.parametrize(
    ("zone", "day"),
    [
        ("Europe/Berlin", "2026-03-29"),
        ("Europe/Berlin", "2026-10-25"),
        ("America/New_York", "2026-11-01"),
        ("Australia/Lord_Howe", "2026-04-05"),
        ("Pacific/Apia", "2011-12-30"),
    ],
)
def test_ages_are_the_same_on_a_day_when_the_clocks_change(zone: str, day: str) -> None:
    here = ZoneInfo(zone)
    first = datetime.fromisoformat(day).replace(tzinfo=here) - timedelta(days=1)
    instants = []
    for step in range(96):
        local = (first.astimezone(ZoneInfo("UTC")) + timedelta(minutes=30 * step)).astimezone(here)
        instants.append(parse_instant(local, "at"))
    steps = {after - before for before, after in pairwise(instants)}
    assert steps == {30 * 60 * 1_000_000}


def test_the_hour_that_comes_twice_keeps_its_two_meanings() -> None:
    here = ZoneInfo("Europe/Berlin")
    once = datetime(2026, 10, 25, 2, 30, tzinfo=here, fold=0)
    again = once.replace(fold=1)
    assert parse_instant(again, "at") - parse_instant(once, "at") == DAY // 24


@pytest.mark.parametrize(
    "written", ["2016-12-31T23:59:60Z", "2016-12-31T18:59:60-05:00", "1990-12-31T23:59:60.5Z"]
)
def test_a_leap_second_is_read_or_refused_by_name(written: str) -> None:
    bank = bank_with(FakeClock("2026-03-01"))
    refusal = refused(lambda: bank.remember("fireworks", id="leap", occurred_at=written))
    assert refusal is not None
    assert str(refusal).startswith("occurred_at = ")


def test_a_clock_that_repeats_a_second_makes_ids_that_still_rise() -> None:
    new_id = TimeOrderedIds(SeededEntropy())
    second = parse_instant("2016-12-31T23:59:59Z", "at")
    ticks = [*range(0, 1_000_000, 250), *range(0, 1_000_000, 250), *range(-5_000_000, 0, 9_999)]
    ids = [new_id(Instant(second + each)) for each in ticks]
    assert ids == sorted(set(ids))
