"""How long an answer may be given again.

Decides when it expires: after the policy's time to live, or sooner where its domain has a window of
its own, or one of its sources ends. An answer is judged by the policy it was put under and by the
one in force, whichever is shorter. Refuses to read a clock.
"""

from collections.abc import Iterable

from lapse.model.answer import CachedAnswer
from lapse.model.instants import HOUR, Instant
from lapse.model.memory import Memory
from lapse.model.policy import CachePolicy


def lifetime_hours(policy: CachePolicy, domain: str) -> float:
    """Hours for which an answer of a domain stays fresh; never more than the time to live."""
    return min(policy.ttl_hours, dict(policy.freshness_hours).get(domain, policy.ttl_hours))


def expiry(policy: CachePolicy, domain: str, sources: Iterable[Memory], now: Instant) -> Instant:
    """From when an answer put now may not be given again."""
    ends = [Instant(now + round(lifetime_hours(policy, domain) * HOUR))]
    for each in sources:
        ends += [end for end in (each.expires_at, each.valid_to) if end is not None]
    return max(min(ends), now)


def expired(policy: CachePolicy, answer: CachedAnswer, now: Instant) -> bool:
    """Whether it may not be given any more, by either policy.

    A clock that was set back makes nothing younger than new.
    """
    own = Instant(answer.put_at + round(lifetime_hours(policy, answer.domain) * HOUR))
    return now >= min(own, answer.expires_at)
