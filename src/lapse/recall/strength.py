"""How strongly the candidates are held, by the law in force.

Decides what pinned, verified and exempt memories get (R and use recency of 1) and what is shown
where strength does not exist. Refuses to hold a curve (the laws do) and to score.
"""

from dataclasses import dataclass

import numpy as np

from lapse.index.snapshot import Snapshot
from lapse.index.states import SPARED, StateColumns
from lapse.index.strength import anchors, importances, strength_columns
from lapse.laws import Law, StrengthColumns
from lapse.laws.activation_law import ActivationLaw
from lapse.model.index_delta import BoolArray, FloatArray, IntArray
from lapse.model.instants import HOUR, Instant
from lapse.model.policy import ImportanceEffect, LawName, Policy
from lapse.recall.field import Field


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Strengths:
    """Strength of c candidates; arrays of shape (c,).

    Attributes:
        retrievability: R in [0, 1]; 1 for what is spared.
        need: Calibrated probability of use within 30 days; None where the law is still to be asked.
        base_level: Base-level activation in nats; None where the law is still to be asked.
        importance: In [0, 1].
        anchored_at: Instants that age counts from.
        spared: Whether a memory's own guards keep it from fading.
    """

    retrievability: FloatArray
    need: FloatArray | None
    base_level: FloatArray | None
    importance: FloatArray
    anchored_at: IntArray
    spared: BoolArray

    def age_hours(self, now: Instant) -> FloatArray:
        """Hours since the anchor; 0 for what is spared and where the clock is skewed."""
        hours = np.maximum(now - self.anchored_at, 0) / HOUR
        return np.where(self.spared, 0.0, hours)


def strengths_of(field: Field, policy: Policy, law: Law, now: Instant) -> Strengths:
    """Compute the candidates' strength at `now`; where `field` has none, nothing ever fades."""
    columns = field.strengths
    if columns is None:
        return _without_forgetting(field, policy)
    base_level, need = None, None
    if isinstance(law, ActivationLaw):
        # R, need and B are one pass over the traces, and the pass is what costs.
        base_level = law.base_level_activation(columns, now)
        retrievability = law.odds.need(base_level)
        need = retrievability if law.need_odds == law.odds else law.need_odds.need(base_level)
    else:
        retrievability = law.retrievability(columns, now)
    spared = (field.guards & SPARED) != 0
    return Strengths(
        retrievability=np.where(spared, 1.0, retrievability),
        need=need,
        base_level=base_level,
        importance=columns.importance,
        anchored_at=anchors(columns, policy),
        spared=spared,
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


def _without_forgetting(field: Field, policy: Policy) -> Strengths:
    count = len(field)
    whole = np.ones(count)
    return Strengths(
        retrievability=whole,
        need=whole,
        base_level=None,
        importance=np.full(count, policy.scoring.default_importance),
        anchored_at=field.created_at,
        spared=np.zeros(count, np.bool_),
    )
