"""When a memory will have faded: the crossing of the level, and what stands in its place."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lapse.laws import archive_level, columns_of, falls_at, law_for
from lapse.laws.traces import told_once
from lapse.lifecycle.dating import (
    dates,
    dating_bar,
    fades_at,
    fades_at_each,
    guarded,
    held_of,
)
from lapse.lifecycle.guards import importance_of
from lapse.model.instants import DAY, HOUR, Instant
from lapse.model.memory import Memory
from lapse.model.policy import LawName, Policy
from lapse.model.policy_layers import apply
from lapse.model.policy_sources import from_diff
from lapse.model.retention import RetentionState
from lapse.testing.fakes import START, memory, state

LAWS = [each for each in LawName if each is not LawName.NONE]


def _policy(**sections: dict[str, object]) -> Policy:
    return apply(Policy(), from_diff(sections))


def _under(name: LawName, **law: object) -> Policy:
    return _policy(law={"name": name.value, **law})


def _fades(policy: Policy, one: Memory, its: RetentionState) -> Instant | None:
    return fades_at(law_for(policy.law), policy, one, its)


def _rated(importance: float | None = 0.5, **changes: object) -> RetentionState:
    strength = replace(state().strength, traces=told_once())
    fresh = replace(state(), importance=importance, strength=strength)
    return replace(fresh, **changes)  # type: ignore[arg-type]  # named by the test


@pytest.mark.parametrize("name", LAWS)
def test_at_its_date_a_memory_is_at_the_level_and_before_it_above(name: LawName) -> None:
    policy = _under(name)
    law, level = law_for(policy.law), archive_level(policy.law)
    held = columns_of([held_of(policy, memory("m1"), _rated())])

    at = _fades(policy, memory("m1"), _rated())

    assert at is not None
    assert level is not None
    assert law.retrievability(held, at)[0] <= level + 1e-9
    assert law.retrievability(held, Instant(at - HOUR))[0] > level


@pytest.mark.parametrize("name", LAWS)
def test_many_are_dated_as_each_by_itself(name: LawName) -> None:
    policy = _under(name)
    rows = [
        (memory("m1"), _rated(0.1)),
        (replace(memory("m2"), expires_at=Instant(START + HOUR)), _rated(0.5)),
        (memory("m3"), _rated(0.5, pinned=True)),
        (memory("m4", at=Instant(START - 50 * DAY)), _rated(None)),
    ]

    together = fades_at_each(law_for(policy.law), policy, rows)

    assert together == [_fades(policy, *each) for each in rows]
    assert together[1] == START + HOUR
    assert together[2] is None


def test_no_rows_have_no_dates() -> None:
    assert fades_at_each(law_for(Policy().law), Policy(), []) == []


@pytest.mark.parametrize("mark", ["pinned", "verified", "audit_evidence"])
def test_what_its_own_guard_spares_never_fades_nor_expires_here(mark: str) -> None:
    expiring = replace(memory("m1"), expires_at=Instant(START + HOUR))
    spared = _rated(0.5, **{mark: True})

    assert guarded(spared, Policy())
    assert _fades(Policy(), expiring, spared) is None
    assert _fades(_under(LawName.NONE), expiring, spared) is None


def test_an_exemption_spares_too() -> None:
    assert _fades(Policy(), memory("m1"), _rated(exempt=True, exempt_reason="law")) is None


@pytest.mark.parametrize(("importance", "spared"), [(0.89, False), (0.9, True), (1.0, True)])
def test_from_the_protected_importance_on_a_memory_is_spared(
    importance: float, spared: bool
) -> None:
    assert guarded(_rated(importance), Policy()) == spared
    assert (_fades(Policy(), memory("m1"), _rated(importance)) is None) == spared


def test_importance_spares_from_fading_and_not_from_an_expiry() -> None:
    at = Instant(START + 900 * DAY)
    expiring = replace(memory("m1"), expires_at=at)
    policy = Policy()

    told = dates(law_for(policy.law), policy, expiring, _rated(1.0))

    assert (told.fades_at, told.expires_at) == (at, at)


def test_without_protection_importance_alone_spares_nothing() -> None:
    policy = _policy(retention={"protect_importance": "none"})

    assert policy.retention.protect_importance is None
    assert not guarded(_rated(1.0), policy)


def test_under_no_law_only_the_expiry_is_a_date() -> None:
    expiring = replace(memory("m1"), expires_at=Instant(START + 900 * DAY))

    assert _fades(_under(LawName.NONE), memory("m1"), _rated()) is None
    assert _fades(_under(LawName.NONE), expiring, _rated()) == START + 900 * DAY


@given(st.integers(1, 20_000))
def test_an_expiry_counts_only_where_it_comes_first(days: int) -> None:
    expiring = replace(memory("m1"), expires_at=Instant(START + days * DAY))
    fading = _fades(Policy(), memory("m1"), _rated())
    assert fading is not None

    assert _fades(Policy(), expiring, _rated()) == min(fading, START + days * DAY)


@given(st.floats(0, 0.89), st.floats(0, 0.89))
def test_the_more_important_of_two_never_fades_first(one: float, other: float) -> None:
    low, high = sorted((one, other))
    first, second = (_fades(Policy(), memory("m1"), _rated(each)) for each in (low, high))

    assert second is None or (first is not None and first <= second)


@pytest.mark.parametrize("name", LAWS)
@given(level=st.floats(0.001, 0.5), lower=st.floats(0.001, 0.5))
def test_a_lower_level_is_reached_later(name: LawName, level: float, lower: float) -> None:
    low, high = sorted((level, lower))
    at_high, at_low = (
        _fades(_under(name, archive_level=each), memory("m1"), _rated()) for each in (high, low)
    )

    assert at_low is None or (at_high is not None and at_high <= at_low)


def test_what_would_take_more_than_100_years_is_never() -> None:
    assert _fades(_under(LawName.FSRS, archive_level=0.0001), memory("m1"), _rated()) is None


def test_nobodys_rating_is_the_policys_default() -> None:
    policy = _policy(scoring={"default_importance": 0.25})

    assert importance_of(policy, _rated(None)) == 0.25
    assert importance_of(policy, _rated(0.0)) == 0.0
    assert _fades(policy, memory("m1"), _rated(None)) == _fades(policy, memory("m1"), _rated(0.25))


@pytest.mark.parametrize("at", [START - 50 * DAY, 0, -(10**6)])
def test_the_time_of_the_event_dates_the_fading_only_where_the_policy_says_so(at: int) -> None:
    lunch = replace(memory("m1"), occurred_at=Instant(at))
    event = _under(LawName.EXPONENTIAL, anchor="event")

    plain, dated = (_fades(each, lunch, _rated()) for each in (_under(LawName.EXPONENTIAL), event))

    assert plain is not None
    assert dated is not None
    assert plain - dated == START - at
    assert _fades(event, memory("m1"), _rated()) == plain


@pytest.mark.parametrize("name", LAWS)
def test_a_date_is_a_plain_integer_that_every_store_can_keep(name: LawName) -> None:
    at = _fades(_under(name), memory("m1"), _rated())

    assert repr(at).isdigit(), "an integer of NumPy is no key of a database row"


@pytest.mark.parametrize(
    "retention",
    [
        {"score": "activation", "level": -8.7},
        {"score": "need", "level": 0.1},
        {"score": "weighted_r", "level": 0.2},
    ],
)
def test_the_date_is_of_the_policys_own_score_and_level(retention: dict[str, object]) -> None:
    policy = _policy(retention=retention)
    law, bar = law_for(policy.law), dating_bar(policy)
    held = columns_of([held_of(policy, memory("m1"), _rated())])

    at = _fades(policy, memory("m1"), _rated())

    assert at == falls_at(law, held, bar)[0]
    assert at != _fades(Policy(), memory("m1"), _rated())


def test_a_score_of_the_whole_bank_leaves_the_date_to_the_laws_own_level() -> None:
    policy = _policy(retention={"score": "mean", "level": 0.2})

    assert _fades(policy, memory("m1"), _rated()) == _fades(Policy(), memory("m1"), _rated())
