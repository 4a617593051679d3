"""`exponential`, `half_life` and `none`: one pace for every memory.

Decides that S is 1 and only a rejection changes it: age then runs faster by 1/S. Refuses to let use
or importance change the pace: a use moves the anchor, nothing else. `exponential` and `half_life`
are one law in two units.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from lapse.laws.curve_law import Firmness
from lapse.laws.curves import HOURS_PER_DAY, log_exponential, log_half_life
from lapse.laws.law import INERT_DIFFICULTY, INERT_STABILITY
from lapse.laws.strength import (
    HORIZON_DAYS,
    MINIMUM_STABILITY_DAYS,
    CountedUse,
    FloatArray,
    Seed,
)
from lapse.model.instants import Instant
from lapse.model.policy import LawPolicy
from lapse.model.retention import Strength


@dataclass(frozen=True, slots=True, kw_only=True)
class PlainCurve:
    """ln R = −fall·age/S, with S = 1 unless the memory was rejected.

    Attributes:
        log_fall_per_day: Fall of ln R per day, ≥ 0; 0 is no ageing.
    """

    log_fall_per_day: float

    def log_retrievability(self, ratio: FloatArray, unit: float) -> FloatArray:
        """Logarithm of R; overwrites the ratio."""
        ratio *= -self.log_fall_per_day * unit
        return ratio

    def ratio_at(self, log_retrievability: FloatArray) -> FloatArray:
        """Age over S at which ln R has this value; inf where nothing ages."""
        if self.log_fall_per_day == 0:
            return np.full(log_retrievability.shape, math.inf)
        return -log_retrievability / self.log_fall_per_day

    def longest_stability_days(self) -> float:
        """One hundred years: age all but stands still."""
        return HORIZON_DAYS

    def first(self, seed: Seed) -> Firmness:  # noqa: ARG002 - every memory starts alike
        """S of 1, whatever the memory is."""
        return Firmness(INERT_STABILITY, INERT_DIFFICULTY)

    def used(self, strength: Strength, use: CountedUse) -> Firmness:  # noqa: ARG002 - as above
        """Unchanged: only the anchor moves."""
        return Firmness(strength.stability_days, strength.difficulty)

    # When a rejection comes does not matter to this law; it does to FSRS.
    def rejected(self, strength: Strength, at: Instant, factor: float) -> Firmness:  # noqa: ARG002
        """S times the factor, so that age runs faster from the same anchor."""
        left = max(strength.stability_days * factor, MINIMUM_STABILITY_DAYS)
        return Firmness(left, strength.difficulty)


def exponential_curve(policy: LawPolicy) -> PlainCurve:
    """R = decay_per_hour^age_hours."""
    return PlainCurve(log_fall_per_day=_fall_per_day(log_exponential, policy.decay_per_hour))


def half_life_curve(policy: LawPolicy) -> PlainCurve:
    """R = 2^(−age_hours/half_life_hours)."""
    return PlainCurve(log_fall_per_day=_fall_per_day(log_half_life, policy.half_life_hours))


NO_AGEING = PlainCurve(log_fall_per_day=0.0)
"""R = 1 at every age."""


def _fall_per_day(curve: Callable[[FloatArray, float], FloatArray], parameter: float) -> float:
    return -float(curve(np.array([HOURS_PER_DAY]), parameter)[0])
