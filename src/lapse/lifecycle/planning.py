"""Planning: which memories a score would let go, in which order, and which ones a guard spares.

By a **level**: every active memory at or below it. The policy's own score and level are dated
(`fades_at`); any other level is read off the columns. By a **percentile**: the lowest share of the
active memories. By a **budget**: the lowest until no more than so many are left. A guard's memories
use up a place in a percentile, but none in a budget or a limit.

Order: by level, what has been below it longest; by percentile and budget, the lowest score. Equal
ones: the older first, then by id.

The grace period counts from the fall below the level (at the earliest from the last counted use)
or from creation, as the policy says; where there is no level, from the last counted use. What has
expired needs no grace.

Decides what a plan proposes. Refuses to act, to write and to read a clock or a store: who is held
and who is cited it asks for.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, assert_never

import numpy as np
from numpy.typing import NDArray

from lapse.laws import DATED_SCORES, Bar, FloatArray, IntArray, below, falls_at
from lapse.lifecycle.plan_items import items_of
from lapse.lifecycle.plan_table import (
    FREE,
    ORDER,
    Scene,
    Table,
    active_count,
    column_guards,
    place_of,
    score_for,
    table_of,
)
from lapse.model.guards import Guard
from lapse.model.index_delta import MISSING, BoolArray
from lapse.model.plan import EXAMPLES, PlanAsk, PlanBy, PlanItem, PlanVerb, Sparing
from lapse.model.slicing import in_slice

ASKED_AT_ONCE: Final = 10_000
"""Most memories that the store is asked about at a time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """What a plan proposes.

    Attributes:
        items: In order.
        considered: Active memories that were looked at.
        left_out: Memories that qualify as far as the columns tell and did not fit under the limit;
            by a budget, those that should go and did not fit or could not be found.
        spared: What each guard spared, in the order in which guards are asked.
    """

    items: tuple[PlanItem, ...]
    considered: int
    left_out: int
    spared: tuple[Sparing, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Queue:
    """Memories that their score lets go, in order; arrays of shape (q,).

    Attributes:
        at: Places among the rows considered.
        since: From when the grace period counts.
        guard: Place in the table of guards of the first that objects as far as the columns tell, or
            `FREE`.
        wanted: How many should go; all of them unless there is a budget.
    """

    at: IntArray
    since: IntArray
    guard: IntArray
    wanted: int


def choose(ask: PlanAsk, verb: PlanVerb, scene: Scene) -> Chosen:
    """Choose by a score.

    Args:
        ask: By level, percentile or budget; named memories are given, and what has long been
            archived is not active: neither is chosen here.
        verb: What would be done with them.
        scene: The bank as it is.
    """
    table = table_of(ask, scene)
    match ask.by:
        case PlanBy.LEVEL:
            queue = _below_level(ask, scene, table)
        case PlanBy.PERCENTILE:
            share = int(len(table.rows) * (ask.percentile or 0.0) / 100)
            queue = _lowest(scene, table, share, len(table.rows))
        case PlanBy.BUDGET:
            active = active_count(scene.snapshot)
            excess = max(active - (active if ask.max_active is None else ask.max_active), 0)
            queue = _lowest(scene, table, len(table.rows), excess)
        case PlanBy.IDS | PlanBy.ARCHIVED:
            queue = _lowest(scene, table, 0, 0)
        case _:
            assert_never(ask.by)
    return _settled(ask, verb, scene, table, queue)


# --- which memories, and in which order ------------------------------------------------------


def _below_level(ask: PlanAsk, scene: Scene, table: Table) -> _Queue:
    """What is at the level or below it, or has expired; what has been so longest comes first."""
    score = score_for(ask, scene.policy)
    if ask.level is None:
        fallen, since = _dated(Bar(score=score, level=scene.policy.retention.level), scene, table)
    else:
        fallen = table.scores <= ask.level
        since = table.used_at
        if score in DATED_SCORES:
            since = _crossed(Bar(score=score, level=ask.level), scene, table, fallen)
    at = np.flatnonzero(fallen | table.expired)
    at = at[_order(scene, table, at, since[at])]
    guard = column_guards(scene, table, since)
    return _Queue(at=at, since=since[at], guard=guard[at], wanted=len(at))


def _dated(own: Bar, scene: Scene, table: Table) -> tuple[BoolArray, IntArray]:
    """What has fallen below the policy's own level, and when: its date says so."""
    since = scene.snapshot.states.fades_at[table.states]
    due = (since != MISSING) & (since <= scene.now)
    # What its own guard spares has no date of fading, and is told of all the same.
    spared = np.flatnonzero((table.carried != FREE) & ~due)
    fallen = due.copy()
    fallen[spared] = _under(own, scene, table, spared)
    return fallen, np.where(due, since, np.int64(scene.now))


def _crossed(bar: Bar, scene: Scene, table: Table, fallen: BoolArray) -> IntArray:
    """Since when what is below another level has been below it: the curve says so."""
    since = np.full(len(fallen), scene.now, np.int64)
    free = np.flatnonzero(fallen & (table.carried == FREE))
    crossed = falls_at(scene.law, table.rows.strengths.take(free), bar)
    # Nothing is below a level before its last use: the guards count from there, too.
    since[free] = np.minimum(np.maximum(crossed, table.used_at[free]), scene.now)
    return since


def _under(bar: Bar, scene: Scene, table: Table, at: NDArray[np.intp]) -> BoolArray:
    return below(scene.law, table.rows.strengths.take(at), bar, scene.now)


def _lowest(scene: Scene, table: Table, share: int, wanted: int) -> _Queue:
    """The `share` lowest of all, of which `wanted` should go."""
    everyone = np.arange(len(table.rows))
    at = everyone[_order(scene, table, everyone, table.scores)][:share]
    guard = column_guards(scene, table, table.used_at)
    return _Queue(at=at, since=table.used_at[at], guard=guard[at], wanted=wanted)


def _order(
    scene: Scene, table: Table, at: NDArray[np.intp], key: FloatArray | IntArray
) -> NDArray[np.intp]:
    """Order of these places: by key, then the older, then by id."""
    created_at = table.created_at[at]
    order = np.lexsort((created_at, key))
    same = np.flatnonzero((np.diff(key[order]) == 0) & (np.diff(created_at[order]) == 0))
    if not len(same):
        return order
    # Runs of equal ones are put in order by id: few, so that the ids of the rest are never read.
    breaks = np.flatnonzero(np.diff(same) > 1)
    starts = same[np.concatenate(([0], breaks + 1))]
    ends = same[np.concatenate((breaks, [len(same) - 1]))] + 2
    for start, end in zip(starts.tolist(), ends.tolist(), strict=True):
        run = order[start:end]
        ids = table.ids(scene, at[run])
        order[start:end] = run[sorted(range(len(ids)), key=ids.__getitem__)]
    return order


# --- what is spared ----------------------------------------------------------------------------


def _settled(ask: PlanAsk, verb: PlanVerb, scene: Scene, table: Table, queue: _Queue) -> Chosen:
    """Take from the queue what nothing spares, until there is enough."""
    enough = min(queue.wanted, ask.limit)
    chosen: list[int] = []
    guard = queue.guard.copy()
    seen = 0
    while seen < len(queue.at) and len(chosen) < enough:
        part = slice(seen, seen + ASKED_AT_ONCE)
        guard[part] = _asked(scene, table.ids(scene, queue.at[part]), guard[part])
        free = np.flatnonzero(guard[part] == FREE)[: enough - len(chosen)] + seen
        chosen.extend(free.tolist())
        seen = min(seen + ASKED_AT_ONCE, len(queue.at))
        if len(chosen) == enough and ask.by is PlanBy.BUDGET:
            seen = chosen[-1] + 1
    missed = queue.wanted - len(chosen)
    if ask.by is not PlanBy.BUDGET:
        missed = int(np.count_nonzero(guard == FREE)) - len(chosen)
        seen = len(queue.at)
    picked = np.array(chosen, dtype=np.int64)
    return Chosen(
        items=tuple(items_of(ask, verb, scene, table, queue.at[picked], queue.since[picked])),
        considered=len(table.rows),
        left_out=missed,
        spared=_sparings(scene, table, queue.at[:seen], guard[:seen]),
    )


def _asked(scene: Scene, ids: Sequence[str], guard: IntArray) -> IntArray:
    """The same guards, with holds and citations put in where they come first."""
    first = guard.copy()
    if scene.policy.retention.protect_cited:
        place = place_of(Guard.CITED)
        open_to_it = np.flatnonzero((first == FREE) | (first > place))
        cited = scene.cited([ids[at] for at in open_to_it.tolist()])
        first[[at for at in open_to_it.tolist() if ids[at] in cited]] = place
    share = scene.policy.retention.slice_share
    free = np.flatnonzero(first == FREE).tolist() if share > 0 else []
    first[[at for at in free if in_slice(ids[at], share)]] = place_of(Guard.SLICED)
    held = scene.held(ids)
    first[[at for at, each in enumerate(ids) if each in held]] = place_of(Guard.HOLD)
    return first


def _sparings(
    scene: Scene, table: Table, at: NDArray[np.intp], guard: IntArray
) -> tuple[Sparing, ...]:
    found = []
    for place, name in enumerate(ORDER):
        spared = np.flatnonzero(guard == place)
        if len(spared):
            examples = tuple(table.ids(scene, at[spared[:EXAMPLES]]))
            found.append(Sparing(guard=name, count=len(spared), examples=examples))
    return tuple(found)
