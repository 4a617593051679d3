"""What a ranking is worth, and how long something takes on a machine that is not ours alone.

Decides each formula once. Refuses to know what is ranked.
"""

from collections.abc import Sequence
from statistics import median

import numpy as np
from numpy.typing import NDArray

from lapse.laws import FloatArray, IntArray


def quiet_median(spent: Sequence[float], stretch: int) -> float:
    """The least of the medians of stretches of a series of times.

    A machine shared with others has fast and slow minutes; what others do can only add.

    Args:
        spent: Times in the order in which they were taken, at least one.
        stretch: How many in a row make a stretch; a shorter rest is left out unless it is all.
    """
    whole = max(len(spent) - stretch + 1, 1)
    return min(median(spent[start : start + stretch]) for start in range(0, whole, stretch))


def auc(scores: FloatArray, needed: NDArray[np.bool_]) -> float:
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
