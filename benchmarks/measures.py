"""What a ranking is worth, and how long something takes on a machine that is not ours alone.

Decides each formula once. Refuses to know what is ranked.
"""

from collections.abc import Sequence
from statistics import median

from lapse.lab.judging import auc, kept_uses

__all__ = ["auc", "kept_uses", "quiet_median"]


def quiet_median(spent: Sequence[float], stretch: int) -> float:
    """The least of the medians of stretches of a series of times.

    A machine shared with others has fast and slow minutes; what others do can only add.

    Args:
        spent: Times in the order in which they were taken, at least one.
        stretch: How many in a row make a stretch; a shorter rest is left out unless it is all.
    """
    whole = max(len(spent) - stretch + 1, 1)
    return min(median(spent[start : start + stretch]) for start in range(0, whole, stretch))
