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
from lapse.model.index_delta import BoolArray, FloatArray, IntArray
from lapse.model.instants import HOUR, Instant
from lapse.model.policy import ImportanceEffect, LawName, Policy
from lapse.recall.field import Field


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Strengths:
    """What scoring needs of the strength of c candidates; arrays of shape (c,).

    Attributes:
        retrievability: R in [0, 1]; 1 for what is spared.
        raw_retrievability: R in [0, 1], as if nothing were spared.
        importance: In [0, 1].
        anchored_at: Instants that age counts from.
        spared: Whether a memory's own guards keep it from fading.
    """

    retrievability: FloatArray
    raw_retrievability: FloatArray
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
        count = len(field)
        whole = np.ones(count)
        return Strengths(
            retrievability=whole,
            raw_retrievability=whole,
            importance=np.full(count, policy.scoring.default_importance),
            anchored_at=field.created_at,
            spared=np.zeros(count, np.bool_),
        )
    spared = (field.guards & SPARED) != 0
    raw = law.retrievability(columns, now)
    return Strengths(
        retrievability=np.where(spared, 1.0, raw) if spared.any() else raw,
        raw_retrievability=raw,
        importance=columns.importance,
        anchored_at=anchors(columns, policy),
        spared=spared,
    )


def need_is_retrievability(policy: Policy) -> bool:
    """Whether R is calibrated need itself: under the activation law with its own calibration."""
    law = policy.law
    own_line = law.need_slope is not None or law.need_offset is not None
    return law.name is LawName.ACTIVATION and not own_line


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
