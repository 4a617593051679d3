"""`fsrs`: FSRS-6 for memories that nobody quizzes.

Decides which event is which grade, and how FSRS starts. The formulas are in `fsrs`.

An explicit confirmation is Easy; cited, evidence and (where it counts at all) returned are Good;
told again is Hard, because the memory had to be helped; rejected is Again. Weights beyond counting
do not enter: the grade is the weight. Two departures from flashcards: a rejection moves no anchor,
and the first S is the published one of Good times (0.5 + importance), so that a memory of
importance 0.5 follows the published numbers exactly and a more important one never fades faster
(under the published weights S after any review rises with S before it).
"""

from dataclasses import dataclass
from typing import assert_never

import numpy as np

from lapse.laws import fsrs
from lapse.laws.curve_law import Firmness
from lapse.laws.law import days_since_anchor
from lapse.laws.strength import (
    HORIZON_DAYS,
    MINIMUM_STABILITY_DAYS,
    CountedUse,
    FloatArray,
    Seed,
)
from lapse.model.instants import Instant
from lapse.model.policy import LawPolicy
from lapse.model.retention import Strength, UseSource


@dataclass(frozen=True, slots=True, kw_only=True)
class FsrsCurve:
    """R = (1 + F·age/S)^(−w20).

    Attributes:
        weights: w0 … w20, within the published bounds.
    """

    weights: fsrs.Weights

    @classmethod
    def of(cls, policy: LawPolicy) -> "FsrsCurve":
        """Take the policy's weights.

        Raises:
            DomainError: A weight is outside the published bounds.
        """
        return cls(weights=fsrs.check_weights(policy.fsrs_weights))

    def log_retrievability(self, ratio: FloatArray, unit: float) -> FloatArray:
        """Logarithm of R, for fractional days; overwrites the ratio."""
        ratio *= unit
        return fsrs.log_retrievability(ratio, self.weights[20])

    def ratio_at(self, log_retrievability: FloatArray) -> FloatArray:
        """Age over S at which ln R has this value: (e^(−ln R/w20) − 1)/F."""
        # Beyond e^700 the age is far over 100 years for every S there is.
        exponent = np.minimum(-log_retrievability / self.weights[20], 700.0)
        return np.asarray(np.expm1(exponent) / fsrs.factor(self.weights[20]), dtype=np.float64)

    def longest_stability_days(self) -> float:
        """One hundred years."""
        return HORIZON_DAYS

    def first(self, seed: Seed) -> Firmness:
        """As after a first review that went well, S times (0.5 + importance)."""
        review = fsrs.first_review(fsrs.Grade.GOOD, self.weights)
        stability = max(review.stability_days * (0.5 + seed.importance), MINIMUM_STABILITY_DAYS)
        return Firmness(stability, review.difficulty)

    def used(self, strength: Strength, use: CountedUse) -> Firmness:
        """S and D after the review that this use is."""
        return self._reviewed(strength, use.at, grade_of(use.source))

    # Other laws scale S by the factor; FSRS has its own formula for Again.
    def rejected(self, strength: Strength, at: Instant, factor: float) -> Firmness:  # noqa: ARG002
        """S and D after Again; FSRS has its own formula in place of a factor."""
        return self._reviewed(strength, at, fsrs.Grade.AGAIN)

    def _reviewed(self, strength: Strength, at: Instant, grade: fsrs.Grade) -> Firmness:
        before = fsrs.Review(stability_days=strength.stability_days, difficulty=strength.difficulty)
        after = fsrs.next_review(before, days_since_anchor(strength, at), grade, self.weights)
        return Firmness(after.stability_days, after.difficulty)


def grade_of(source: UseSource) -> fsrs.Grade:
    """Which grade an event of use is."""
    match source:
        case UseSource.EXPLICIT:
            return fsrs.Grade.EASY
        case UseSource.CITED | UseSource.EVIDENCE | UseSource.RETURNED:
            return fsrs.Grade.GOOD
        case UseSource.RECONFIRMED:
            return fsrs.Grade.HARD
        case UseSource.REJECTED:
            return fsrs.Grade.AGAIN
        case _:
            assert_never(source)
