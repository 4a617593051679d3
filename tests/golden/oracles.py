"""Slow and plain forms of what the laws compute, used only to judge them."""

import math
from collections.abc import Sequence


def exact_log_sum(ages_s: Sequence[float], decay: float, age_floor_s: float) -> float:
    """ln Σ max(t, floor)^−d, one term per access; −inf without any."""
    if not ages_s:
        return -math.inf
    return math.log(math.fsum(max(age, age_floor_s) ** -decay for age in ages_s))


def petrov_log_sum(
    recent_ages_s: Sequence[float],
    accesses: int,
    oldest_age_s: float,
    *,
    decay: float,
    kept: int,
    age_floor_s: float,
) -> float:
    """Petrov's hybrid (2006): the last k accesses exactly, the others spread evenly before them."""
    recent = [max(age, age_floor_s) for age in recent_ages_s]
    oldest = max(oldest_age_s, age_floor_s)
    if accesses <= kept:
        return math.log(math.fsum(age**-decay for age in recent))
    if kept == 0:
        return math.log(accesses / (1 - decay)) - decay * math.log(oldest)
    youngest = max(recent)
    stretch = math.log(oldest / youngest)
    grown = stretch if decay == 1 else math.expm1((1 - decay) * stretch) / (1 - decay)
    mean = 1.0 if stretch == 0 else grown / math.expm1(stretch)
    rest = (accesses - kept) * youngest**-decay * mean
    return math.log(math.fsum([*(age**-decay for age in recent), rest]))
