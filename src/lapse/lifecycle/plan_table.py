"""The memories that a plan looks at, with their scores and the guards that the columns tell of.

Decides who is considered (active memories of the kinds and sessions asked for) and which guard
objects first as far as the columns tell: all but holds and citations, which only the store knows.
A test holds these guards against the table of `lapse.lifecycle.guards`, which judges again when a
plan is applied. Refuses to choose.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from lapse.index.columns import KINDS
from lapse.index.snapshot import Snapshot
from lapse.index.states import ACTIVE, AUDIT_EVIDENCE, EXEMPT, PINNED, VERIFIED
from lapse.index.strength import importances
from lapse.laws import FloatArray, IntArray, Law
from lapse.lifecycle.guards import GUARDS
from lapse.lifecycle.retention_scores import Rows, rows_of, scores_of
from lapse.model.guards import Guard
from lapse.model.index_delta import MISSING, BoolArray
from lapse.model.instants import Instant, days
from lapse.model.plan import PlanAsk, PlanBy
from lapse.model.policy import GraceAnchor, Policy, RetentionScore
from lapse.model.verbs import Verb

Among: TypeAlias = Callable[[Sequence[str]], Collection[str]]
"""Which of these memories something holds for."""

FREE: Final = -1
"""Stands where no guard objects."""

ORDER: Final = (*GUARDS[Verb.SUPPRESS], Guard.SLICED)
"""Guards in the order in which they are asked; the same for all that leaves attention. The last is
asked here alone: what was approved is carried out."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Scene:
    """What a plan is made in.

    Attributes:
        snapshot: The bank's columns.
        policy, law: In force.
        now: The instant of the plan.
        held: Which memories a legal hold covers.
        cited: Which memories an active one cites.
    """

    snapshot: Snapshot
    policy: Policy
    law: Law
    now: Instant
    held: Among
    cited: Among


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Table:
    """The n memories considered, with their scores; arrays of shape (n,).

    Attributes:
        states: State record of each.
        created_at: When each was created.
        used_at: When each was last used for certain: its last counted use, else its creation.
        expired: Whether its `expires_at` has come.
        carried: Place in the table of guards of the first that it carries itself, or `FREE`.
    """

    rows: Rows
    scores: FloatArray
    states: IntArray
    created_at: IntArray
    used_at: IntArray
    expired: BoolArray
    carried: IntArray

    def ids(self, scene: Scene, at: NDArray[np.intp]) -> list[str]:
        """Ids of the memories at these places."""
        known = scene.snapshot.live.ids
        return [known[slot] for slot in self.rows.slots[at].tolist()]


def score_for(ask: PlanAsk, policy: Policy) -> RetentionScore:
    """The score that was asked for, or the policy's own: one for levels, one for the rest."""
    if ask.score is not None:
        return ask.score
    return policy.retention.score if ask.by is PlanBy.LEVEL else policy.retention.budget_score


def active_count(snapshot: Snapshot) -> int:
    """How many memories of the bank are active."""
    return int(np.count_nonzero(snapshot.live.status == ACTIVE))


def table_of(ask: PlanAsk, scene: Scene) -> Table:
    """The memories considered, scored together."""
    snapshot = scene.snapshot
    slots = _considered(ask, snapshot)
    rows = rows_of(snapshot, slots, scene.policy)
    states = snapshot.live.state[slots]
    created_at = snapshot.states.created_at[states]
    expires_at = snapshot.live.expires_at[slots]
    expired = (expires_at != MISSING) & (expires_at <= scene.now)
    return Table(
        rows=rows,
        scores=scores_of(rows, score_for(ask, scene.policy), scene.policy, scene.law, scene.now),
        states=states,
        created_at=created_at,
        # MISSING is the least of all: what was never used counts from its creation.
        used_at=np.maximum(snapshot.states.last_counted_at[states], created_at),
        expired=expired,
        carried=_carried(scene, states, expired),
    )


def _considered(ask: PlanAsk, snapshot: Snapshot) -> IntArray:
    live = snapshot.live
    wanted = live.status == ACTIVE
    if ask.kinds:
        wanted &= np.isin(live.kind, [KINDS.index(each) for each in ask.kinds])
    if ask.sessions:
        wanted &= np.isin(live.session, [snapshot.codes.session.find(s) for s in ask.sessions])
        wanted &= live.session >= 0
    return np.flatnonzero(wanted)


def place_of(guard: Guard) -> int:
    """Place of a guard in the order in which they are asked."""
    return ORDER.index(guard)


def _carried(scene: Scene, states: IntArray, expired: BoolArray) -> IntArray:
    """First guard that each memory carries itself."""
    columns, retention = scene.snapshot.states, scene.policy.retention
    first = np.full(len(states), FREE, np.int64)
    protect = retention.protect_importance
    if protect is not None:
        important = (importances(columns, states, scene.policy) >= protect) & ~expired
        first[important] = place_of(Guard.IMPORTANT)
    bits = columns.guards[states]
    marks = (
        (Guard.AUDIT_EVIDENCE, AUDIT_EVIDENCE),
        (Guard.EXEMPT, EXEMPT),
        *(((Guard.VERIFIED, VERIFIED),) if retention.protect_verified else ()),
        *(((Guard.PINNED, PINNED),) if retention.protect_pinned else ()),
    )
    for guard, bit in marks:
        first[(bits & bit) != 0] = place_of(guard)
    return first


def column_guards(scene: Scene, table: Table, since: IntArray) -> IntArray:
    """First guard of each memory as far as the columns tell: all but holds and citations."""
    retention = scene.policy.retention
    anchor = table.created_at if retention.grace_anchor is GraceAnchor.CREATED else since
    over = anchor + days(retention.grace_days)
    in_grace = (scene.now < over) & ~table.expired
    protected = scene.snapshot.states.protected_until[table.states] > scene.now
    first = np.where(in_grace, place_of(Guard.IN_GRACE), FREE)
    first = np.where(protected, place_of(Guard.RECENTLY_RESTORED), first)
    return np.where(table.carried != FREE, table.carried, first)
