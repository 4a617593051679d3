"""`ebbinghaus`: exponential forgetting with a stability that spaced use makes grow.

Decides S of a new memory and after a use. The formulas are in `curves`.
"""

import math
from dataclasses import dataclass

import numpy as np

from lapse.laws.curve_law import Firmness
from lapse.laws.curves import ebbinghaus_reinforced
from lapse.laws.law import INERT_DIFFICULTY, days_since_anchor
from lapse.laws.strength import MINIMUM_STABILITY_DAYS, CountedUse, FloatArray, Seed
from lapse.model.instants import Instant
from lapse.model.memory import Kind
from lapse.model.policy import LawPolicy
from lapse.model.retention import Strength


@dataclass(frozen=True, slots=True, kw_only=True)
class EbbinghausCurve:
    """ln R = −age/S.

    Attributes:
        policy: Base and greatest S, factors by kind, gain, least spacing quality.
    """

    policy: LawPolicy

    def log_retrievability(self, ratio: FloatArray, unit: float) -> FloatArray:
        """Logarithm of R; overwrites the ratio."""
        ratio *= -unit
        return ratio

    def ratio_at(self, log_retrievability: FloatArray) -> FloatArray:
        """Age over S at which ln R has this value."""
        return np.negative(log_retrievability)

    def longest_stability_days(self) -> float:
        """The policy's greatest S."""
        return self.policy.max_stability_days

    def first(self, seed: Seed) -> Firmness:
        """S₀ = base · kind · (0.5 + importance) · (1 + ln proof_count), at most S_max.

        Source: the retention RFC, section 1 (it names the inputs; the form is Lapse's).
        """
        grounded = 1 + math.log(max(seed.proof_count, 1))
        stability = (
            self.policy.base_stability_days
            * self._kind_factor(seed)
            * (0.5 + seed.importance)
            * grounded
        )
        held = min(stability, self.policy.max_stability_days)
        return Firmness(max(held, MINIMUM_STABILITY_DAYS), INERT_DIFFICULTY)

    def used(self, strength: Strength, use: CountedUse) -> Firmness:
        """S grown by weight and spacing; see `ebbinghaus_reinforced`."""
        grown = ebbinghaus_reinforced(
            strength.stability_days,
            days_since_anchor(strength, use.at),
            strength.reinforcement_count,
            weighted_gain=self.policy.reinforcement_gain * use.weight,
            minimum_quality=self.policy.minimum_quality,
            max_stability_days=self.policy.max_stability_days,
        )
        return Firmness(grown, strength.difficulty)

    # When a rejection comes does not matter to this law; it does to FSRS.
    def rejected(self, strength: Strength, at: Instant, factor: float) -> Firmness:  # noqa: ARG002
        """S times the factor."""
        left = max(strength.stability_days * factor, MINIMUM_STABILITY_DAYS)
        return Firmness(left, strength.difficulty)

    def _kind_factor(self, seed: Seed) -> float:
        if seed.derived:
            return self.policy.stability_factor_derived
        match seed.kind:
            case Kind.WORKING:
                return self.policy.stability_factor_working
            case Kind.EPISODIC:
                return self.policy.stability_factor_episodic
            case Kind.SEMANTIC:
                return self.policy.stability_factor_semantic
            case Kind.PROCEDURAL:
                return self.policy.stability_factor_procedural
