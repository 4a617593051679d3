"""Forgetting as others do it: decay that no bound holds, as factor, as summand, as deadline.

Decides these rankings, for comparison only: none of them is in the product. Refuses to fetch: it
is given what a search without forgetting found.
"""

import math
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TypeAlias

import numpy as np

from lapse.laws import FloatArray, IntArray

Ranking: TypeAlias = Callable[[FloatArray, FloatArray], IntArray]
"""From relevance (shape (n,), > 0, best first) and age in hours (shape (n,)) to places, best first.
"""

HOURS_PER_DAY = 24.0
PER_HOUR = 0.995
"""Decay of the Generative Agents: half after 5.8 days."""


def by_factor(factor_per_hour: float) -> Ranking:
    """The score is relevance · factor^age_hours."""

    def rank(relevance: FloatArray, age_hours: FloatArray) -> IntArray:
        # As logarithms: after some months the factor itself is 0 for everything alike.
        return _best_first(np.log(relevance) + math.log(factor_per_hour) * age_hours)

    return rank


def by_sum(pool: int) -> Ranking:
    """Relevance and recency, each brought to [0, 1] over the `pool` best, in equal parts.

    Recency is 0.995^age_hours. What it is worth depends on the oldest memory in the pool.
    """

    def rank(relevance: FloatArray, age_hours: FloatArray) -> IntArray:
        relevance, age_hours = relevance[:pool], age_hours[:pool]
        # Min-max does not change when all values are multiplied by one number.
        recency = np.exp(math.log(PER_HOUR) * (age_hours - age_hours.min(initial=math.inf)))
        return _best_first(_min_max(relevance) + _min_max(recency))

    return rank


def within(days: float) -> Ranking:
    """Relevance alone, over what is at most so old: the rest does not exist any more."""

    def rank(relevance: FloatArray, age_hours: FloatArray) -> IntArray:
        young = np.flatnonzero(age_hours <= days * HOURS_PER_DAY)
        return young[_best_first(relevance[young])]

    return rank


def _best_first(scores: FloatArray) -> IntArray:
    """Places by falling score; among equals the more relevant stays ahead."""
    return np.argsort(-scores, kind="stable").astype(np.int64)


def _min_max(values: FloatArray) -> FloatArray:
    span = np.ptp(values) if len(values) else 0.0
    shares: FloatArray = np.full(len(values), 0.5) if span == 0 else (values - values.min()) / span
    return shares


UNBOUNDED: Mapping[str, Ranking] = MappingProxyType(
    {
        "unbounded_half_life_3d": by_factor(2 ** (-1 / (3 * HOURS_PER_DAY))),
        "unbounded_0.995_per_hour": by_factor(PER_HOUR),
        "additive_pool_400": by_sum(400),
        "additive_pool_50": by_sum(50),
        "additive_pool_20": by_sum(20),
        "ttl_180d": within(180),
        "ttl_90d": within(90),
        "ttl_30d": within(30),
    }
)
"""Every such ranking by the name it has in the results."""
