"""How long an answer may be given again."""

from dataclasses import replace

from lapse.cache.freshness import expired, expiry, lifetime_hours
from lapse.model.answer import CachedAnswer
from lapse.model.instants import HOUR, Instant
from lapse.model.policy_content import CachePolicy

NOW = Instant(1_000 * HOUR)
POLICY = CachePolicy(ttl_hours=24.0, freshness_hours=(("weather", 1.0), ("history", 900.0)))


def _answer(domain: str) -> CachedAnswer:
    return CachedAnswer(
        id="a",
        query="how is it?",
        answer="wet",
        domain=domain,
        sources=("m",),
        put_at=NOW,
        expires_at=expiry(POLICY, domain, (), NOW),
    )


def test_a_window_shortens_the_life_of_its_domain_and_never_lengthens_it() -> None:
    assert lifetime_hours(POLICY, "weather") == 1.0
    assert lifetime_hours(POLICY, "history") == 24.0
    assert lifetime_hours(POLICY, "people") == 24.0


def test_an_answer_is_expired_from_the_very_instant_of_its_end() -> None:
    end = NOW + HOUR
    assert not expired(POLICY, _answer("weather"), Instant(end - 1))
    assert expired(POLICY, _answer("weather"), Instant(end))


def test_a_policy_made_stricter_ends_answers_that_were_put_before_it() -> None:
    stricter = replace(POLICY, ttl_hours=2.0)
    assert expired(stricter, _answer("people"), Instant(NOW + 2 * HOUR))


def test_a_policy_made_laxer_does_not_prolong_an_answer() -> None:
    laxer = replace(POLICY, ttl_hours=48.0)
    assert expired(laxer, _answer("people"), Instant(NOW + 24 * HOUR))
