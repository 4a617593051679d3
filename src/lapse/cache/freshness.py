"""How long an answer may be given again.

Decides when it expires: after the policy's time to live, or sooner where its domain has a window of
its own, or one of its sources ends or begins to hold. An answer is judged by the policy it was put
under and by the one in force, whichever is shorter; being given again prolongs nothing. Refuses to
read a clock.
"""

from collections.abc import Iterable

from lapse.model.instants import HOUR, Instant
from lapse.model.memory import Memory
from lapse.model.policy import CachePolicy


def lifetime_hours(policy: CachePolicy, domain: str) -> float:
    """Hours for which an answer of a domain stays fresh; never more than the time to live."""
    return min(policy.ttl_hours, dict(policy.freshness_hours).get(domain, policy.ttl_hours))


def end_of_life(policy: CachePolicy, domain: str, put_at: Instant) -> Instant:
    """From when an answer of a domain put then is stale by a policy."""
    return Instant(put_at + round(lifetime_hours(policy, domain) * HOUR))


def expiry(policy: CachePolicy, domain: str, sources: Iterable[Memory], now: Instant) -> Instant:
    """From when an answer put now may not be given again."""
    ends = [end_of_life(policy, domain, now)]
    for each in sources:
        turns = (each.expires_at, each.valid_to, each.valid_from)
        ends += [turn for turn in turns if turn is not None and turn > now]
    return min(ends)


def expired(
    policy: CachePolicy, domain: str, put_at: Instant, expires_at: Instant, now: Instant
) -> bool:
    """Whether an answer may not be given any more, by either policy.

    A clock that was set back makes nothing younger than new.
    """
    return now >= min(end_of_life(policy, domain, put_at), expires_at)
