"""How much importance each session of a bank has gathered since it was last consolidated.

    gathered(s) = Σ importance of the memories of s that are active, current and not considered yet

A memory that nobody rated counts with the policy's default importance, as it does everywhere else.
A memory that belongs to no session is gathered nowhere. The sum is taken anew from what stands now:
a rating that comes later counts, and what was erased, retired or put out of mind no longer does.

Decides that sum and when it is enough. Refuses to read a store and to choose what is said.

Source: Park et al. (2023), "Generative Agents", where a sum of 150 on a scale of 1 to 10 asks for
reflection, and begins anew with it.
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

import numpy as np

from lapse.index.columns import Columns
from lapse.index.states import ACTIVE, StateColumns
from lapse.model.index_delta import MISSING, BoolArray, IntArray
from lapse.model.instants import Instant

DECIMALS: Final = 6
"""Sums are compared rounded, so that thirty halves are fifteen whatever order they are added in."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Gathered:
    """One session with what it gathered.

    Attributes:
        session: Its code in the index.
        slots: Slots of its memories, in the order in which they were told.
        total: Summed importance, ≥ 0.
    """

    session: int
    slots: IntArray
    total: float


def gathered(
    columns: Columns,
    states: StateColumns,
    considered: Collection[int],
    default_importance: float,
    now: Instant,
) -> list[Gathered]:
    """What every session gathered, those with the oldest memory first.

    Args:
        columns: The bank's live memories.
        states: Their states.
        considered: Internal numbers of memories that count no more.
        default_importance: Of what nobody rated, in [0, 1].
        now: What has ended or expired by then is not gathered.
    """
    open_still = (
        (columns.status == ACTIVE)
        & (columns.session >= 0)
        & columns.is_latest
        & (columns.recorded_to == MISSING)
        & _lasts(columns.expires_at, now)
        & _lasts(columns.valid_to, now)
    )
    slots = np.flatnonzero(open_still)
    if considered and len(slots):
        known = np.fromiter(considered, np.int64, len(considered))
        slots = slots[~np.isin(columns.rows[slots], known)]
    if not len(slots):
        return []
    slots = slots[np.argsort(columns.rows[slots], kind="stable")]
    importance = states.importance[columns.state[slots]]
    weights = np.where(np.isnan(importance), default_importance, importance)
    codes = columns.session[slots]
    order = np.argsort(codes, kind="stable")
    starts = np.flatnonzero(np.diff(codes[order], prepend=-1))
    totals = np.round(np.add.reduceat(weights[order], starts), DECIMALS)
    found = [
        Gathered(session=int(codes[mine[0]]), slots=slots[mine], total=float(total))
        for mine, total in zip(np.split(order, starts[1:]), totals, strict=True)
    ]
    return sorted(found, key=lambda each: int(columns.rows[each.slots[0]]))


def _lasts(ends: IntArray, now: Instant) -> BoolArray:
    lasting: BoolArray = (ends == MISSING) | (ends > now)
    return lasting


def enough(total: float, threshold: float) -> bool:
    """Whether a sum of importance asks for consolidation: it has reached the threshold."""
    return round(total, DECIMALS) >= threshold
