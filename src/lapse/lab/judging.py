"""What a prediction of need is worth against what was needed afterwards.

Decides each formula once: log loss, calibration error, the reliability table, AUC, and the share of
uses that falls on what is kept. Refuses to know who predicted.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lapse.laws import FloatArray, IntArray

Needed = NDArray[np.bool_]

LEAST_PROBABILITY = 1e-6
"""Predictions are kept this far from 0 and 1, so that one surprise costs 14 nats at most."""

BINS = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Bin:
    """One row of a reliability table.

    Attributes:
        predicted: Mean predicted probability.
        observed: Share that was needed.
        count: How many.
    """

    predicted: float
    observed: float
    count: int


def log_loss(predicted: FloatArray, needed: Needed, weights: FloatArray | None = None) -> float:
    """Weighted mean of −[y ln p + (1 − y) ln(1 − p)], in nats.

    Args:
        predicted: Shape (n,), n ≥ 1, in [0, 1].
        needed: Shape (n,).
        weights: Shape (n,), > 0; all alike if left out.
    """
    bounded = np.clip(predicted, LEAST_PROBABILITY, 1 - LEAST_PROBABILITY)
    losses = -np.where(needed, np.log(bounded), np.log1p(-bounded))
    return float(np.average(losses, weights=weights))


def reliability(predicted: FloatArray, needed: Needed, bins: int = BINS) -> tuple[Bin, ...]:
    """Predicted against observed, in bins of equal counts, from the least likely up."""
    order = np.argsort(predicted, kind="stable")
    return tuple(
        Bin(
            predicted=float(predicted[part].mean()),
            observed=float(needed[part].mean()),
            count=len(part),
        )
        for part in np.array_split(order, bins)
        if len(part)
    )


def calibration_error(predicted: FloatArray, needed: Needed, bins: int = BINS) -> float:
    """ECE: mean distance of predicted from observed over bins of equal counts."""
    rows = reliability(predicted, needed, bins)
    total = sum(each.count for each in rows)
    return sum(each.count * abs(each.predicted - each.observed) for each in rows) / total


def binned_error(predicted: FloatArray, needed: Needed, age_days: FloatArray, n: IntArray) -> float:
    """RMSE(bins): predicted against observed over bins of age and count of uses.

    Bins are ⌊log_3.62(age)⌋ and ⌊log_1.89(1 + n)⌋. It can be gamed by a constant that is right on
    average in each bin, so it is shown beside log loss only.

    Source: fsrs-optimizer, `rmse_matrix`, without lapses.
    """
    by_age = np.floor(np.log(np.maximum(age_days, 1e-3)) / np.log(3.62)).astype(np.int64)
    by_count = np.floor(np.log1p(n) / np.log(1.89)).astype(np.int64)
    _, owner = np.unique(by_age * 1000 + by_count, return_inverse=True)
    count = np.bincount(owner)
    apart = np.bincount(owner, weights=predicted - needed) / count
    return float(np.sqrt(np.sum(count * apart**2) / count.sum()))


def auc(scores: FloatArray, needed: Needed) -> float:
    """Chance that something needed is ranked above something not needed; ties count half.

    Args:
        scores: Shape (n,). Higher is ranked first.
        needed: Shape (n,). At least one is, and at least one is not.

    Source: the Mann–Whitney statistic with mid-ranks.
    """
    positives = int(needed.sum())
    negatives = len(needed) - positives
    above = mid_ranks(scores)[needed].sum() - positives * (positives + 1) / 2
    return float(above / (positives * negatives))


def mid_ranks(values: FloatArray) -> FloatArray:
    """Ranks from 1 for the smallest; equal values share the mean of theirs."""
    _, groups, sizes = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(sizes)
    shared: FloatArray = last - (sizes - 1) / 2
    return shared[groups]


def kept_uses(scores: FloatArray, uses: IntArray, share: float) -> float:
    """How many uses fall on the best-ranked part of the items.

    Where the cut goes through equal scores, each of them is kept with the same chance, and the
    answer is what is to be expected.

    Args:
        scores: Shape (n,), n ≥ 1. Higher is kept first.
        uses: Shape (n,), ≥ 0.
        share: Part of the items that is kept, in (0, 1]; rounded to whole items, at least one.
    """
    kept = max(round(share * len(scores)), 1)
    bar = float(np.sort(scores)[-kept])
    above, level = scores > bar, scores == bar
    room = (kept - int(above.sum())) / int(level.sum())
    return float(uses[above].sum() + room * uses[level].sum())
