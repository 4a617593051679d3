"""How strongly the candidates are held, by the law in force.

Decides what pinned, verified and exempt memories get (R and use recency of 1) and what is shown
where strength does not exist. Refuses to hold a curve (the laws do) and to score.
"""

import math
from dataclasses import dataclass

import numpy as np

from lapse.index.snapshot import Snapshot
from lapse.index.states import SPARED, StateColumns
from lapse.index.strength import anchors, importances, strength_columns
from lapse.laws import Law, StrengthColumns
from lapse.model.index_delta import FloatArray, IntArray
from lapse.model.instants import HOUR, Instant
from lapse.model.policy import ImportanceEffect, LawName, Policy
from lapse.recall.field import Field


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Strengths:
    """Strength of c candidates; arrays of shape (c,).

    Attributes:
        retrievability: R in [0, 1]; 1 for what is spared.
        need: Calibrated probability of use within 30 days.
        importance: In [0, 1].
        log_use_recency: ln(decay_per_hour^(hours since the anchor)), ≤ 0, whatever the law; 0 for
            what is spared.
        anchored_at: Instants that age counts from.
        last_counted_at: Latest counted use, or creation.
        stability_days: S of the law in force.
        base_level: Base-level activation in nats; None where nothing was computed.
    """

    retrievability: FloatArray
    need: FloatArray
    importance: FloatArray
    log_use_recency: FloatArray
    anchored_at: IntArray
    last_counted_at: IntArray
    stability_days: FloatArray
    base_level: FloatArray | None


def strengths_of(field: Field, policy: Policy, law: Law, now: Instant) -> Strengths:
    """Compute the candidates' strength at `now`; where `field` has none, nothing ever fades."""
    columns = field.strengths
    if columns is None:
        return _without_forgetting(field, policy)
    spared = (field.guards & SPARED) != 0
    retrievability = law.retrievability(columns, now)
    if law.name is LawName.ACTIVATION and not _own_calibration(policy):
        need = retrievability
    else:
        need = law.need(columns, now)
    anchored_at = anchors(columns, policy)
    hours = np.maximum(now - anchored_at, 0) / HOUR
    log_use_recency = hours * math.log(policy.law.decay_per_hour)
    return Strengths(
        retrievability=np.where(spared, 1.0, retrievability),
        need=need,
        importance=columns.importance,
        log_use_recency=np.where(spared, 0.0, log_use_recency),
        anchored_at=anchored_at,
        last_counted_at=columns.last_counted_at,
        stability_days=columns.stability_days,
        base_level=law.base_level_activation(columns, now),
    )


def half_lives(snapshot: Snapshot, slots: IntArray, policy: Policy, law: Law) -> FloatArray:
    """Half-life in days of the memories in these slots; inf beyond 100 years.

    Under the activation law it has no closed form and depends on a state record alone, so it is
    worked out once for each record that there is.
    """
    live, states = snapshot.live, snapshot.states
    by_record = policy.law.importance_effect is ImportanceEffect.LOG_ODDS
    if law.name is not LawName.ACTIVATION or not by_record:
        return law.half_life_days(strength_columns(live, states, slots, policy))
    return _remembered(states, policy, law)[live.state[slots]]


def _remembered(states: StateColumns, policy: Policy, law: Law) -> FloatArray:
    key = ("half-life", policy.law, policy.scoring.default_importance)
    known = states.memo.get(key, np.zeros(0))
    count = len(states.importance)
    if len(known) < count:
        fresh = np.arange(len(known), count)
        columns = StrengthColumns(
            created_at=states.created_at[fresh],
            last_counted_at=np.maximum(states.last_counted_at[fresh], states.created_at[fresh]),
            traces_at=states.traces_at[fresh],
            traces=np.ascontiguousarray(states.traces[fresh].T),
            stability_days=states.stability_days[fresh],
            difficulty=states.difficulty[fresh],
            importance=importances(states, fresh, policy),
            decay=np.full(len(fresh), policy.law.decay),
        )
        known = np.concatenate((known, law.half_life_days(columns)))
        states.memo[key] = known
    return known


def _own_calibration(policy: Policy) -> bool:
    return policy.law.need_slope is not None or policy.law.need_offset is not None


def _without_forgetting(field: Field, policy: Policy) -> Strengths:
    count = len(field)
    whole = np.ones(count)
    return Strengths(
        retrievability=whole,
        need=whole,
        importance=np.full(count, policy.scoring.default_importance),
        log_use_recency=np.zeros(count),
        anchored_at=field.created_at,
        last_counted_at=field.created_at,
        stability_days=np.full(count, math.inf),
        base_level=None,
    )
