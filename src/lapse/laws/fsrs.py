"""FSRS-6: the formulas of the free spaced repetition scheduler, 21 weights.

Decides retrievability, first state, and state after a review. Refuses to schedule: due dates, fuzz
and learning steps belong to flashcards. Which event is which grade, `fsrs_law` decides.

Letters: S stability in days (R(S) = 0.9), D difficulty in [1, 10], g grade, Δ days since the last
review, w0 … w20 the weights.

Source: open-spaced-repetition, py-fsrs 6 and its published weights; golden groups
`fsrs6_retrievability`, `fsrs6_update`, `fsrs6_sequence`.
"""

import math
from dataclasses import dataclass
from enum import IntEnum
from typing import TypeAlias

import numpy as np

from lapse.errors import DomainError, fault
from lapse.laws.strength import MINIMUM_STABILITY_DAYS, FloatArray

Weights: TypeAlias = tuple[float, ...]

LOWEST_WEIGHTS: Weights = (
    *(0.001, 0.001, 0.001, 0.001, 1.0, 0.001, 0.001, 0.001, 0.0, 0.0, 0.001),
    *(0.001, 0.001, 0.001, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.1),
)
"""Least value of each weight. Source: py-fsrs 6."""

HIGHEST_WEIGHTS: Weights = (
    *(100.0, 100.0, 100.0, 100.0, 10.0, 4.0, 4.0, 0.75, 4.5, 0.8, 3.5),
    *(5.0, 0.25, 0.9, 4.0, 1.0, 6.0, 2.0, 2.0, 0.8, 0.8),
)
"""Greatest value of each weight. Source: py-fsrs 6."""


class Grade(IntEnum):
    """How well a review went."""

    AGAIN = 1
    HARD = 2
    GOOD = 3
    EASY = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """State that a review leaves.

    Attributes:
        stability_days: S ≥ 0.001.
        difficulty: D in [1, 10].
    """

    stability_days: float
    difficulty: float


def check_weights(weights: Weights) -> Weights:
    """Give the weights back if the formulas are defined and finite for them.

    Raises:
        DomainError: Not 21 weights, or some outside the published bounds; all of them are named.
    """
    if len(weights) != len(LOWEST_WEIGHTS):
        raise DomainError.of("fsrs_weights", len(weights), f"needs {len(LOWEST_WEIGHTS)} weights")
    bounds = zip(weights, LOWEST_WEIGHTS, HIGHEST_WEIGHTS, strict=True)
    faults = [
        fault(f"fsrs_weights[{place}]", weight, f"needs a number from {low:g} to {high:g}")
        for place, (weight, low, high) in enumerate(bounds)
        if not low <= weight <= high
    ]
    if faults:
        raise DomainError(faults)
    return weights


def factor(forgetting: float) -> float:
    """F = 0.9^(−1/w20) − 1, which makes R(S) = 0.9. `forgetting` is w20."""
    return math.expm1(-math.log(0.9) / forgetting)


def log_retrievability(age_over_stability: FloatArray, forgetting: float) -> FloatArray:
    """Logarithm of R = (1 + F·Δ/S)^(−w20).

    Args:
        age_over_stability: Shape (n,). Δ/S with Δ in fractional days; below 0 counts as 0.
        forgetting: w20, > 0.

    Returns:
        Shape (n,), ≤ 0. R has almost no low end: it is 0.3 at Δ = 2,508·S.
    """
    answer = np.maximum(age_over_stability, 0.0)
    answer *= factor(forgetting)
    np.log1p(answer, out=answer)
    answer *= -forgetting
    return answer


def retrievability(
    age_days: FloatArray, stability_days: FloatArray, forgetting: float
) -> FloatArray:
    """R = (1 + F·Δ/S)^(−w20).

    Args:
        age_days: Shape (n,). Δ; below 0 (clock skew) counts as 0.
        stability_days: Shape (n,), > 0. S is the time to R = 0.9 here, not to 1/e as in Ebbinghaus.
        forgetting: w20, > 0.

    Returns:
        Shape (n,), in [0, 1]; 1 at age 0.

    Raises:
        DomainError: A stability is not finite and positive, or an age is NaN.
    """
    if not (np.isfinite(stability_days).all() and (stability_days > 0).all()):
        raise DomainError.of("stability_days", "some", "needs finite numbers above 0")
    if np.isnan(age_days).any():
        raise DomainError.of("age_days", math.nan, "needs numbers")
    return np.exp(log_retrievability(age_days / stability_days, forgetting))


def first_review(grade: Grade, weights: Weights) -> Review:
    """State after the first review: S = w[g−1], D = clamp(w4 − e^(w5·(g−1)) + 1, 1, 10)."""
    return Review(
        stability_days=max(weights[grade - 1], MINIMUM_STABILITY_DAYS),
        difficulty=_clamp(_first_difficulty(grade, weights)),
    )


def next_review(before: Review, elapsed_days: float, grade: Grade, weights: Weights) -> Review:
    """State after a later review.

    Args:
        before: State since the last review.
        elapsed_days: Δ. Below 1 the same-day formula holds; above, whole days count, as published.
        grade: How well it went.
        weights: w0 … w20.
    """
    whole_days = math.floor(max(elapsed_days, 0.0))
    if whole_days < 1:
        stability = _same_day(before.stability_days, grade, weights)
    else:
        ratio = np.array([whole_days / before.stability_days])
        recall = float(np.exp(log_retrievability(ratio, weights[20]))[0])
        if grade == Grade.AGAIN:
            stability = _after_lapse(before, recall, weights)
        else:
            stability = _after_success(before, recall, grade, weights)
    return Review(
        stability_days=max(stability, MINIMUM_STABILITY_DAYS),
        difficulty=_next_difficulty(before.difficulty, grade, weights),
    )


def _same_day(stability: float, grade: Grade, w: Weights) -> float:
    """S·e^(w17·(g − 3 + w18))·S^(−w19), which may shorten S for Again only."""
    increase = math.exp(w[17] * (grade - 3 + w[18])) * math.pow(stability, -w[19])
    return stability * (increase if grade == Grade.AGAIN else max(increase, 1.0))


def _after_success(before: Review, recall: float, grade: Grade, w: Weights) -> float:
    """S·[1 + e^w8·(11 − D)·S^(−w9)·(e^(w10·(1 − R)) − 1)·(w15 if Hard)·(w16 if Easy)]."""
    stretch = {Grade.HARD: w[15], Grade.EASY: w[16]}.get(grade, 1.0)
    growth = (
        math.exp(w[8])
        * (11 - before.difficulty)
        * math.pow(before.stability_days, -w[9])
        * math.expm1(w[10] * (1 - recall))
        * stretch
    )
    return before.stability_days * (1 + growth)


def _after_lapse(before: Review, recall: float, w: Weights) -> float:
    """min(w11·D^(−w12)·((S+1)^w13 − 1)·e^(w14·(1 − R)), S/e^(w17·w18))."""
    relearned = (
        w[11]
        * math.pow(before.difficulty, -w[12])
        * math.expm1(w[13] * math.log1p(before.stability_days))
        * math.exp(w[14] * (1 - recall))
    )
    return min(relearned, before.stability_days / math.exp(w[17] * w[18]))


def _next_difficulty(difficulty: float, grade: Grade, w: Weights) -> float:
    """w7·D0(Easy) + (1 − w7)·(D + (10 − D)·(−w6·(g − 3))/9), clamped to [1, 10]."""
    damped = difficulty + (10 - difficulty) * (-w[6] * (grade - 3)) / 9
    return _clamp(w[7] * _first_difficulty(Grade.EASY, w) + (1 - w[7]) * damped)


def _first_difficulty(grade: Grade, w: Weights) -> float:
    return w[4] - math.exp(w[5] * (grade - 1)) + 1


def _clamp(difficulty: float) -> float:
    return min(max(difficulty, 1.0), 10.0)
