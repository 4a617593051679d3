"""Results of the cache of answers, where the bank gives a bare number or nothing.

Decides that each is one frozen dataclass. Refuses to compute.
"""

from dataclasses import dataclass

from lapse.model.answer import CachedAnswer


@dataclass(frozen=True, slots=True, kw_only=True)
class CachePut:
    """The answer as it is kept; None where the policy lets no answer live."""

    kept: CachedAnswer | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CacheDropped:
    """How many answers went."""

    answers: int
