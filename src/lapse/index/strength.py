"""Columns of strength for the laws, read off a snapshot.

Decides what a law is given: which importance where nobody rated one, which instant age counts from,
which exponent. Refuses to compute retrievability: the laws do.
"""

from typing import assert_never

import numpy as np

from lapse.index.columns import Columns
from lapse.index.states import SPARED, StateColumns
from lapse.laws import StrengthColumns, effective_decay
from lapse.model.index_delta import MISSING, BoolArray, FloatArray, IntArray
from lapse.model.policy import Anchor, ImportanceEffect, Policy


def strength_columns(
    columns: Columns, states: StateColumns, slots: IntArray, policy: Policy
) -> StrengthColumns:
    """What the laws read of the memories in these slots.

    Args:
        columns: `Snapshot.live` or `Snapshot.archived`.
        states: `Snapshot.states`.
        slots: Shape (m,).
        policy: For the anchor, the default importance and the effective decay.
    """
    records = columns.state[slots]
    born = states.created_at[records]
    if policy.law.anchor is Anchor.EVENT:
        occurred = columns.occurred_at[slots]
        born = np.where(occurred == MISSING, born, occurred)
    importance = importances(states, records, policy)
    return StrengthColumns(
        created_at=born,
        # Nobody's last use is earlier than creation; MISSING is the least of all.
        last_counted_at=np.maximum(states.last_counted_at[records], born),
        traces_at=states.traces_at[records],
        traces=np.ascontiguousarray(states.traces[records].T),
        stability_days=states.stability_days[records],
        difficulty=states.difficulty[records],
        importance=importance,
        decay=_decay(columns, slots, importance, policy),
    )


def importances(states: StateColumns, records: IntArray, policy: Policy) -> FloatArray:
    """Importance of state records, with the policy's default where nobody rated it; a 0 stays 0."""
    importance = states.importance[records]
    return np.where(np.isnan(importance), policy.scoring.default_importance, importance)


def anchors(columns: StrengthColumns, policy: Policy) -> IntArray:
    """Instants from which age counts."""
    match policy.law.anchor:
        case Anchor.LAST_USE:
            return columns.last_counted_at
        case Anchor.CREATED | Anchor.EVENT:
            return columns.created_at
        case _:
            assert_never(policy.law.anchor)


def spared(columns: Columns, states: StateColumns, slots: IntArray) -> BoolArray:
    """Whether the memories' own guards (pinned, verified, exempt) keep them from fading."""
    kept: BoolArray = (states.guards[columns.state[slots]] & SPARED) != 0
    return kept


def _decay(columns: Columns, slots: IntArray, importance: FloatArray, policy: Policy) -> FloatArray:
    match policy.law.importance_effect:
        case ImportanceEffect.LOG_ODDS:
            return np.full(len(slots), policy.law.decay)
        case ImportanceEffect.DECAY:
            return effective_decay(
                policy.law,
                importance=importance,
                confidence=columns.confidence[slots],
                proof_count=columns.proof_count[slots],
                entity_count=columns.entity_count[slots],
            )
        case _:
            assert_never(policy.law.importance_effect)
