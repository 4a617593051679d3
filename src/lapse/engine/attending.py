"""Attention by a person's hand: suppress, archive, restore, hold, release, and a look beforehand.

Decides the order: read what was asked, find the memories, commit with the judge, and say of each
memory what became of it. Refuses the rules themselves (`lapse.lifecycle`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from lapse.engine.core import Core, guarded
from lapse.engine.gathering import chosen
from lapse.engine.gone import told_of_gone
from lapse.engine.people import check_second
from lapse.engine.runtime import BankRuntime
from lapse.engine.selecting import NEAR, SHOWN, Selection, select
from lapse.engine.untyped import check_actor
from lapse.errors import NotFoundError, ValidationError
from lapse.lifecycle.attending import (
    judge_departures,
    judge_hold,
    judge_named,
    judge_release,
    judge_returns,
)
from lapse.lifecycle.guards import Act
from lapse.lifecycle.moving import Move
from lapse.model.changeset import Changes
from lapse.model.guards import Guard, Spared
from lapse.model.hold import Hold, HoldTarget
from lapse.model.instants import Instant
from lapse.model.journal import JournalDraft
from lapse.model.outcome import Action, Outcome
from lapse.model.retention import Lifecycle
from lapse.model.selector import Selector
from lapse.model.verbs import Verb
from lapse.model.view import Reads, View

IN_SIGHT = (Lifecycle.ACTIVE,)
"""Where a memory stands that can be suppressed."""

NOT_ARCHIVED = (Lifecycle.ACTIVE, Lifecycle.SUPPRESSED)
"""Where a memory stands that can be archived."""

AWAY = (Lifecycle.SUPPRESSED, Lifecycle.ARCHIVED)
"""Where a memory stands that can be brought back."""

WITHIN = {
    Verb.SUPPRESS: IN_SIGHT,
    Verb.ARCHIVE: NOT_ARCHIVED,
    Verb.PRUNE: (Lifecycle.ARCHIVED,),
    Verb.ERASE: (*IN_SIGHT, *AWAY),
}
"""Where the memories stand that an act can be meant for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved:
    """What became of the memories that somebody wanted out of mind, or back.

    Attributes:
        verb: What was asked for.
        applied: Whether it was done; a preview changes nothing.
        ids: Memories that were moved, or would be.
        spared: Memories that a guard spared, with the guard.
        unchanged: Memories that stood there already.
        selection: Of a preview by what memories have in common: why each is meant, and which are
            near and not meant.
    """

    verb: Verb
    applied: bool
    ids: tuple[str, ...]
    spared: tuple[Spared, ...] = ()
    unchanged: tuple[str, ...] = ()
    selection: Selection | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Actor:
    """Who acts, and why: both are wanted for whatever takes memories out of mind or back.

    Attributes:
        by: Name of a person, a host, or a policy.
        reason: Why, in words that may be journalled: never the text of a memory.
        approved_by: Who else stands for it, or None. See `check_second`.
    """

    by: str
    reason: str
    approved_by: str | None = None

    def __post_init__(self) -> None:
        if self.reason is None:
            raise ValidationError.of("reason", self.reason, "needs text")
        check_actor(self.by, self.reason, self.approved_by)


def move_away(
    core: Core, runtime: BankRuntime, verb: Verb, selector: Selector, actor: Actor
) -> Moved:
    """Suppress or archive what was chosen: planned, approved and applied in one transaction.

    Raises:
        GuardedError: Guards spared all of it; that it was refused is journalled.
        NotFoundError: Some ids are not in the bank; nothing was done.
        ValidationError: A second person is needed.
    """
    runtime.follow()
    check_second(runtime.rule.policy, actor.by, actor.approved_by)
    now = core.now()
    act = Act(verb=verb, policy=runtime.rule.policy, now=now)
    ids = chosen(core, runtime, selector, WITHIN[verb])
    move = Move(at=now, by=actor.by, reason=actor.reason)
    journal = entry_of(core, verb, now, actor)

    def judge(view: View) -> Changes:
        return judge_departures(act, move, ids, journal, view)

    committed = core.commit(verb, runtime.ref, now, Reads(ids=ids), judge)
    moved = _moved(verb, committed.changes.outcomes)
    if moved.spared and not moved.ids:
        raise guarded(moved.spared)
    return moved


def look_ahead(core: Core, runtime: BankRuntime, verb: Verb, selector: Selector) -> Moved:
    """What `move_away` would do now, and what a guard would spare. Changes nothing.

    Raises:
        NotFoundError: Some ids are not in the bank.
    """
    runtime.follow()
    act = Act(verb=verb, policy=runtime.rule.policy, now=core.now())
    ids = chosen(core, runtime, selector, WITHIN[verb])
    verdicts = judge_named(act, ids, core.look(runtime.ref, ids))
    there = (None, Guard.ALREADY_THERE)
    selection = None if selector.ids else select(core, runtime, selector, limit=SHOWN, near=NEAR)
    return Moved(
        verb=verb,
        applied=False,
        selection=selection,
        ids=tuple(each for each, guard in verdicts.items() if guard is None),
        spared=tuple(
            Spared(memory_id=each, guard=guard)
            for each, guard in verdicts.items()
            if guard not in there and guard is not None
        ),
        unchanged=tuple(each for each, guard in verdicts.items() if guard is Guard.ALREADY_THERE),
    )


def bring_back(core: Core, runtime: BankRuntime, selector: Selector, actor: Actor) -> Moved:
    """Undo the last move of what was chosen, exactly.

    Raises:
        NotFoundError: Some ids are not in the bank; nothing was done. It says which were destroyed.
    """
    runtime.follow()
    now, rule = core.now(), runtime.rule
    ids = chosen(core, runtime, selector, AWAY)
    move = Move(at=now, by=actor.by, reason=actor.reason)
    judge = partial(
        judge_returns,
        move,
        ids,
        dating=rule.date,
        grace_days=rule.policy.retention.grace_days,
        journal=entry_of(core, Verb.RESTORE, now, actor),
    )
    try:
        committed = core.commit(Verb.RESTORE, runtime.ref, now, Reads(ids=ids), judge)
    except NotFoundError as error:
        raise told_of_gone(core, runtime, ids, error) from error
    return _moved(Verb.RESTORE, committed.changes.outcomes)


def place_hold(
    core: Core, runtime: BankRuntime, name: str, target: HoldTarget, actor: Actor
) -> Hold:
    """Place a hold, on what matches now and on what arrives later.

    Raises:
        ConflictError: A hold of that name stands, on something else.
    """
    runtime.follow()
    now = core.now()
    hold = Hold(name=name, target=target, holder=actor.by, reason=actor.reason, placed_at=now)
    journal = entry_of(core, Verb.HOLD, now, actor)
    reads = Reads(ids=target.values)
    core.commit(Verb.HOLD, runtime.ref, now, reads, partial(judge_hold, hold, journal))
    return next(each for each in core.parts.store.holds(runtime.ref) if each.name == name)


def end_hold(core: Core, runtime: BankRuntime, name: str, actor: Actor) -> Hold:
    """End a hold by its name, and give it as it stood.

    Raises:
        NotFoundError: There is no hold of that name.
    """
    runtime.follow()
    now = core.now()
    journal = entry_of(core, Verb.RELEASE, now, actor)
    ended: list[Hold] = []

    def judge(view: View) -> Changes:
        changes = judge_release(name, journal, view)
        ended[:] = [each for each in view.holds if each.name == name]
        return changes

    core.commit(Verb.RELEASE, runtime.ref, now, Reads(), judge)
    return ended[0]


def entry_of(core: Core, verb: Verb, now: Instant, actor: Actor) -> JournalDraft:
    """The journal entry of an act by name, without what it touches."""
    return JournalDraft(
        verb=verb,
        at=now,
        by=actor.by,
        approved_by=actor.approved_by or "",
        reason=actor.reason,
        reason_salt=core.parts.entropy(16),
    )


def _moved(verb: Verb, outcomes: Sequence[Outcome]) -> Moved:
    def having(action: Action) -> tuple[str, ...]:
        return tuple(each.memory_id for each in outcomes if each.action is action)

    return Moved(
        verb=verb,
        applied=True,
        ids=having(Action.UPDATED),
        spared=tuple(
            Spared(memory_id=each.memory_id, guard=Guard(each.note))
            for each in outcomes
            if each.action is Action.REFUSED
        ),
        unchanged=having(Action.UNCHANGED),
    )
