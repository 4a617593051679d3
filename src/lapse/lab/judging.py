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
        weight: For how many these stand: as many, unless some of them stand for others.
    """

    predicted: float
    observed: float
    count: int
    weight: float


def log_loss(predicted: FloatArray, needed: Needed, weights: FloatArray | None = None) -> float:
    """Weighted mean of −[y ln p + (1 − y) ln(1 − p)], in nats.

    Args:
        predicted: Shape (n,), n ≥ 1, in [0, 1].
        needed: Shape (n,).
        weights: Shape (n,), ≥ 0; all alike if left out.
    """
    bounded = np.clip(predicted, LEAST_PROBABILITY, 1 - LEAST_PROBABILITY)
    losses = -np.where(needed, np.log(bounded), np.log1p(-bounded))
    return float(np.average(losses, weights=weights))


def reliability(
    predicted: FloatArray,
    needed: Needed,
    bins: int = BINS,
    *,
    weights: FloatArray | None = None,
) -> tuple[Bin, ...]:
    """Predicted against observed, in bins of equal counts, from the least likely up.

    Args:
        predicted, needed: Shape (n,).
        bins: How many, ≥ 1.
        weights: Shape (n,), ≥ 0: for how many each stands; rows of weight 0 are left out.
    """
    counted = _each(len(predicted), weights)
    order = np.argsort(predicted, kind="stable")
    order = order[counted[order] > 0]
    return tuple(
        Bin(
            predicted=float(np.average(predicted[part], weights=counted[part])),
            observed=float(np.average(needed[part], weights=counted[part])),
            count=len(part),
            weight=float(counted[part].sum()),
        )
        for part in np.array_split(order, bins)
        if len(part)
    )


def calibration_error(
    predicted: FloatArray,
    needed: Needed,
    bins: int = BINS,
    *,
    weights: FloatArray | None = None,
) -> float:
    """ECE: mean distance of predicted from observed over the bins of `reliability`."""
    rows = reliability(predicted, needed, bins, weights=weights)
    total = sum(each.weight for each in rows)
    return sum(each.weight * abs(each.predicted - each.observed) for each in rows) / total


def binned_error(
    predicted: FloatArray,
    needed: Needed,
    age_days: FloatArray,
    n: IntArray,
    weights: FloatArray | None = None,
) -> float:
    """RMSE(bins): predicted against observed over bins of age and count of uses.

    Bins are ⌊log_3.62(age)⌋ and ⌊log_1.89(1 + n)⌋. It can be gamed by a constant that is right on
    average in each bin, so it is shown beside log loss only.

    Source: fsrs-optimizer, `rmse_matrix`, without lapses.
    """
    counted = _each(len(predicted), weights)
    by_age = np.floor(np.log(np.maximum(age_days, 1e-3)) / np.log(3.62)).astype(np.int64)
    by_count = np.floor(np.log1p(n) / np.log(1.89)).astype(np.int64)
    _, owner = np.unique(by_age * 1000 + by_count, return_inverse=True)
    count = np.bincount(owner, weights=counted)
    apart = np.bincount(owner, weights=counted * (predicted - needed)) / np.maximum(count, 1e-300)
    return float(np.sqrt(np.sum(count * apart**2) / count.sum()))


def auc(scores: FloatArray, needed: Needed, weights: FloatArray | None = None) -> float:
    """Chance that something needed is ranked above something not needed; ties count half.

    Args:
        scores: Shape (n,). Higher is ranked first.
        needed: Shape (n,). At least one is, and at least one is not.
        weights: Shape (n,), ≥ 0: for how many each stands.

    Source: the Mann–Whitney statistic; equal scores count half.
    """
    counted = _each(len(scores), weights)
    _, groups = np.unique(scores, return_inverse=True)
    there = np.bincount(groups, weights=counted * needed)
    others = np.bincount(groups, weights=counted * ~needed)
    below = np.cumsum(others) - others / 2
    return float((there * below).sum() / (there.sum() * others.sum()))


def kept_uses(
    scores: FloatArray, uses: IntArray, share: float, weights: FloatArray | None = None
) -> float:
    """How many uses fall on the best-ranked part of the items.

    Where the cut goes through equal scores, each of them is kept with the same chance, and the
    answer is what is to be expected.

    Args:
        scores: Shape (n,), n ≥ 1. Higher is kept first.
        uses: Shape (n,), ≥ 0.
        share: Part of the items that is kept, in (0, 1]; rounded to whole items, at least one.
        weights: Shape (n,), ≥ 0: for how many items each stands, their uses along with it.
    """
    counted = _each(len(scores), weights)
    kept = min(max(round(share * float(counted.sum())), 1), float(counted.sum()))
    values, groups = np.unique(-scores, return_inverse=True)
    items = np.bincount(groups, weights=counted, minlength=len(values))
    by_group = np.bincount(groups, weights=counted * uses, minlength=len(values))
    before = np.cumsum(items) - items
    room = np.clip(kept - before, 0.0, items)
    return float(
        np.sum(by_group * np.divide(room, items, out=np.zeros(len(items)), where=items > 0))
    )


def _each(count: int, weights: FloatArray | None) -> FloatArray:
    return np.ones(count) if weights is None else weights
