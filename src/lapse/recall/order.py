"""The one order of candidates: best first, and the same on every machine.

Decides how ties are broken. Refuses to know what the numbers mean.
"""

from collections.abc import Callable, Sequence

import numpy as np

from lapse.model.index_delta import BoolArray, FloatArray, IntArray


def best_first(keys: Sequence[FloatArray | IntArray], id_at: Callable[[int], str]) -> IntArray:
    """Places in descending order of the first key, then of the next ones, then ascending by id.

    Args:
        keys: Arrays of one length n, most important first, without NaN.
        id_at: Id by place; asked only where all keys are equal.

    Returns:
        Shape (n,).
    """
    order = np.argsort(-keys[0], kind="stable").astype(np.int64)
    if not _ties(keys[:1], order).any():
        return order
    order = np.lexsort(tuple(-key for key in reversed(keys))).astype(np.int64)
    same = _ties(keys, order)
    if same.any():
        _settle(order, same.tolist(), id_at)
    return order


def _ties(keys: Sequence[FloatArray | IntArray], order: IntArray) -> BoolArray:
    """For each place but the last, whether the next one is equal in all keys."""
    same: BoolArray = np.ones(max(len(order) - 1, 0), np.bool_)
    for key in keys:
        ordered = key[order]
        same &= ordered[1:] == ordered[:-1]
    return same


def _settle(order: IntArray, same: list[bool], id_at: Callable[[int], str]) -> None:
    """Sort each run of equals by id, in place."""
    start = 0
    for at, tied in enumerate([*same, False], start=1):
        if not tied:
            if at - start > 1:
                order[start:at] = sorted(order[start:at].tolist(), key=id_at)
            start = at
