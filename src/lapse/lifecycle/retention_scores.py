"""Retention scores: by what a memory is kept or let go.

Decides the seven scores of many memories at once. Higher is worth keeping. Refuses to choose (the
planner does) and to spare (the guards do): pins and holds enter no score.

    need         calibrated probability of use within 30 days
    weighted_r   R·(0.5 + 0.5·importance)
    activation   base level B in nats, ages in seconds
    mean         (importance + usage + use_recency)/3; usage = ln(1 + n)/ln(1 + max n), 0 where
                 nothing was used; use_recency = decay_per_hour^(hours since the anchor), whatever
                 the law
    informative  used first, then informativeness: (used + percentile)/2, used 1 or 0
    worth        ln(K + 5·max(Σ − K, 0)) + 8·(percentile − 0.5); Σ the trace sum without importance,
                 K the creation's own term in it
    promise      ln(K + 20·max(Σ − K, 0)) − 0.7·promise⁻³; promise is informativeness that has
                 learned from use, see `lapse.importance.promise`

n are counted uses, so that being shown never keeps a memory. The maximum and the percentile are
those of the memories scored together: the score of one hangs on the others. Promise is a place
among all that the bank was told and still holds, suppressed or not, so that a plan over one session
and a plan over all see the same. All scores are rounded to 1e-9, so that equal banks are planned
alike wherever they are kept.

Source: the retention planner of the first seed (`mean`); `worth`, `informative` and `promise` were
measured on five conversations, see the benchmarks.
"""

from dataclasses import dataclass
from typing import assert_never

import numpy as np

from lapse.importance.informativeness import masses, percentiles
from lapse.importance.promise import likeness, promise, squared_masses
from lapse.index.postings import Postings
from lapse.index.snapshot import Snapshot
from lapse.index.states import GONE
from lapse.index.strength import anchors, importances, strength_columns
from lapse.laws import Law, StrengthColumns, creation_log_term, score_of
from lapse.laws.activation import importance_weight
from lapse.model.index_delta import FloatArray, IntArray
from lapse.model.instants import HOUR, Instant
from lapse.model.policy import Policy, RetentionScore

DECIMALS = 9
"""Scores are rounded to this many decimals."""

USE_WEIGHT = 5.0
"""What uses beyond the telling weigh in `worth`."""

INFORMATION_WEIGHT = 8.0
"""Nats between the least and the most informative memory in `worth`."""

PROMISED_USE_WEIGHT = 20.0
"""What uses beyond the telling weigh in `promise`."""

PROMISE_NATS = 0.7
"""What promise⁻³ takes off, in nats, at the top. A step in promise weighs sixteen times as much
halfway up as at the top: content decides whether a memory is poor, and age between the best, who
alone are left where little is kept.
"""

PROMISE_POWER = 3
"""How steeply what is missing in promise counts."""

_MASSES = ("informativeness", "masses")
_SQUARED_MASSES = ("promise", "masses")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Rows:
    """m memories that are scored together, with what their scores are made of.

    Attributes:
        slots: Shape (m,). Their slots in `Snapshot.live`.
        strengths: What the laws read of them.
        uses: Shape (m,). Counted uses.
        informativeness: Shape (m,). Percentile of the IDF mass among the m, in (0, 1).
        promise: Shape (m,). Place by promise among all that the bank was told, in (0, 1).
    """

    slots: IntArray
    strengths: StrengthColumns
    uses: IntArray
    informativeness: FloatArray
    promise: FloatArray

    def __len__(self) -> int:
        return len(self.slots)


def rows_of(snapshot: Snapshot, slots: IntArray, policy: Policy) -> Rows:
    """The memories in these slots, ready to be scored."""
    live, states = snapshot.live, snapshot.states
    return Rows(
        slots=slots,
        strengths=strength_columns(live, states, slots, policy),
        uses=states.reinforcement_count[live.state[slots]],
        informativeness=percentiles(masses_of(snapshot.postings)[slots]),
        promise=_promises_of(snapshot, policy)[slots],
    )


def scores_of(
    rows: Rows, score: RetentionScore, policy: Policy, law: Law, now: Instant
) -> FloatArray:
    """The score of each of the m memories at `now`, shape (m,)."""
    match score:
        case RetentionScore.NEED | RetentionScore.WEIGHTED_R | RetentionScore.ACTIVATION:
            found = score_of(law, rows.strengths, score, now)
        case RetentionScore.MEAN:
            recency = use_recency(rows.strengths, policy, now)
            found = (rows.strengths.importance + usage(rows.uses) + recency) / 3
        case RetentionScore.INFORMATIVE:
            found = ((rows.uses > 0) + rows.informativeness) / 2
        case RetentionScore.WORTH:
            content = INFORMATION_WEIGHT * (rows.informativeness - 0.5)
            found = _strength(rows, policy, law, now, USE_WEIGHT) + content
        case RetentionScore.PROMISE:
            lacking = PROMISE_NATS / rows.promise**PROMISE_POWER
            found = _strength(rows, policy, law, now, PROMISED_USE_WEIGHT) - lacking
        case _:
            assert_never(score)
    # Adding 0 turns -0.0 into 0.0, which is the same number with another face.
    return np.asarray(np.round(found, DECIMALS) + 0.0, dtype=np.float64)


def usage(uses: IntArray) -> FloatArray:
    """ln(1 + n)/ln(1 + max n) of each, in [0, 1]; 0 for all where nothing was used."""
    most = int(uses.max()) if len(uses) else 0
    if most == 0:
        return np.zeros(len(uses))
    return np.asarray(np.log1p(uses) / np.log1p(most), dtype=np.float64)


def use_recency(strengths: StrengthColumns, policy: Policy, now: Instant) -> FloatArray:
    """decay_per_hour^(hours since the anchor) of each, in [0, 1]; a future anchor counts as now."""
    hours = np.maximum(now - anchors(strengths, policy), 0) / HOUR
    return np.asarray(policy.law.decay_per_hour**hours, dtype=np.float64)


def masses_of(postings: Postings) -> FloatArray:
    """IDF mass of every slot of a snapshot, worked out once for it."""
    known = postings.memo.get(_MASSES)
    if known is None:
        known = masses(
            postings.forward, postings.ends, postings.document_frequency, postings.memory_count
        )
        postings.memo[_MASSES] = known
    return known


def likenesses_of(snapshot: Snapshot) -> FloatArray:
    """How much every slot of a snapshot is worded like those that were used; dead slots count not.

    Suppressed memories were told and used like all others, and say as much of what is wanted.
    """
    live, postings = snapshot.live, snapshot.postings
    used = (live.status != GONE) & (snapshot.states.reinforcement_count[live.state] > 0)
    return likeness(postings.forward, postings.ends, postings.document_frequency, used)


def _promises_of(snapshot: Snapshot, policy: Policy) -> FloatArray:
    """Promise of every slot of a snapshot; 0 for dead ones, which nothing is asked of."""
    live = snapshot.live
    told = np.flatnonzero(live.status != GONE)
    found = np.zeros(len(live))
    found[told] = promise(
        _squared_masses_of(snapshot.postings)[told],
        likenesses_of(snapshot)[told],
        importances(snapshot.states, live.state[told], policy),
    )
    return found


def _squared_masses_of(postings: Postings) -> FloatArray:
    known = postings.memo.get(_SQUARED_MASSES)
    if known is None:
        known = squared_masses(
            postings.forward, postings.ends, postings.document_frequency, postings.memory_count
        )
        postings.memo[_SQUARED_MASSES] = known
    return known


def _strength(rows: Rows, policy: Policy, law: Law, now: Instant, use_weight: float) -> FloatArray:
    """ln(K + use_weight·max(Σ − K, 0)), in nats, ages in seconds, without importance."""
    strengths = rows.strengths
    offset = importance_weight(policy.law) * (strengths.importance - 0.5)
    log_sum = law.base_level_activation(strengths, now) - offset
    log_told = creation_log_term(strengths, now, policy.law.age_floor_s)
    # Over K, so that nothing underflows at any age: ln K + ln(1 + w·max(Σ/K − 1, 0)).
    beyond = np.maximum(np.expm1(np.minimum(log_sum - log_told, 700.0)), 0.0)
    return np.asarray(log_told + np.log1p(use_weight * beyond), dtype=np.float64)
