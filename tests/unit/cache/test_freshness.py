"""How long an answer may be given again."""

from dataclasses import replace

import pytest

from lapse.cache.freshness import expired, expiry, lifetime_hours
from lapse.model.instants import HOUR, Instant
from lapse.model.memory import Memory
from lapse.model.policy_content import CachePolicy
from lapse.testing.fakes import memory

NOW = Instant(1_000 * HOUR)
POLICY = CachePolicy(ttl_hours=24.0, freshness_hours=(("weather", 1.0), ("history", 900.0)))


def _stale(policy: CachePolicy, domain: str, at: int) -> bool:
    return expired(policy, domain, NOW, expiry(POLICY, domain, (), NOW), Instant(at))


def test_a_window_shortens_the_life_of_its_domain_and_never_lengthens_it() -> None:
    assert lifetime_hours(POLICY, "weather") == 1.0
    assert lifetime_hours(POLICY, "history") == 24.0
    assert lifetime_hours(POLICY, "people") == 24.0


def test_an_answer_is_expired_from_the_very_instant_of_its_end() -> None:
    assert not _stale(POLICY, "weather", NOW + HOUR - 1)
    assert _stale(POLICY, "weather", NOW + HOUR)


def test_a_policy_made_stricter_ends_answers_that_were_put_before_it() -> None:
    stricter = replace(POLICY, ttl_hours=2.0)
    assert not _stale(stricter, "people", NOW + 2 * HOUR - 1)
    assert _stale(stricter, "people", NOW + 2 * HOUR)


def test_a_policy_made_laxer_does_not_prolong_an_answer() -> None:
    assert _stale(replace(POLICY, ttl_hours=48.0), "people", NOW + 24 * HOUR)


def test_no_hours_are_no_life() -> None:
    assert _stale(replace(POLICY, ttl_hours=0.0), "people", NOW)


@pytest.mark.parametrize(
    "source",
    [
        replace(memory("m"), expires_at=Instant(NOW + HOUR)),
        replace(memory("m"), valid_to=Instant(NOW + HOUR)),
        replace(memory("m"), valid_from=Instant(NOW + HOUR)),
    ],
    ids=["expires", "ends", "begins"],
)
def test_an_answer_ends_where_a_source_ends_or_begins_to_hold(source: Memory) -> None:
    assert expiry(POLICY, "people", [source], NOW) == NOW + HOUR


def test_what_a_source_went_through_long_ago_ends_nothing() -> None:
    source = replace(memory("m"), valid_from=Instant(NOW - HOUR))
    assert expiry(POLICY, "people", [source], NOW) == NOW + 24 * HOUR
