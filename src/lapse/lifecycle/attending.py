"""Judging what a person asks of attention: out of mind with these, back with those, keep others.

Decides what becomes of each memory named: moved, spared by a guard, or there already. A choice by
name is planned, approved and applied in the one transaction. Refuses to choose memories, and to
read a store. Pure: it runs inside the store's transaction and sees only what the view holds.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from lapse.errors import ConflictError, NotFoundError
from lapse.lifecycle.gate import counted
from lapse.lifecycle.guards import Act, judge, subject_of
from lapse.lifecycle.moving import Move, archived, restored, suppressed
from lapse.model.changeset import Changes
from lapse.model.guards import Choice, Departure, Guard, Spared
from lapse.model.hold import Hold
from lapse.model.journal import JournalDraft
from lapse.model.memory import Memory
from lapse.model.outcome import Action, Outcome
from lapse.model.record import Record
from lapse.model.retention import Dates, Lifecycle, RetentionState
from lapse.model.verbs import Verb
from lapse.model.view import View

_MOVES: dict[Verb, Callable[[RetentionState, Move], RetentionState]] = {
    Verb.SUPPRESS: suppressed,
    Verb.ARCHIVE: archived,
}


def judge_named(act: Act, ids: Sequence[str], view: View) -> dict[str, Guard | None]:
    """What the guards say of each memory that somebody names; None where it may go.

    Raises:
        NotFoundError: Some ids are not in the bank.
        CorruptStoreError: Some of the memories lost their state.
    """
    _require(ids, view)
    return {each: judge(act, Choice.NAMED, subject_of(view, each)) for each in ids}


def judge_departures(
    act: Act, move: Move, ids: Sequence[str], journal: JournalDraft, view: View
) -> Changes:
    """Suppress or archive every memory named that no guard spares.

    Args:
        act: What is done, under which policy; its verb is suppress or archive.
        move: Who does it, when and why.
        ids: The memories, each once.
        journal: The entry to complete.
        view: What the store read.

    Raises:
        NotFoundError: Some ids are not in the bank; nothing is done.
    """
    verdicts = judge_named(act, ids, view)
    spared = tuple(
        Spared(memory_id=name, guard=guard)
        for name, guard in verdicts.items()
        if guard not in (None, Guard.ALREADY_THERE)
    )
    going = [name for name, guard in verdicts.items() if guard is None]
    moved = _MOVES[act.verb]
    told = (*going, *(each.memory_id for each in spared))
    counts = (("moved", len(going)), *counted(spared))
    return Changes(
        states=tuple((each, moved(view.records[each].state, move)) for each in going),
        departures=tuple(Departure(memory_id=each, choice=Choice.NAMED) for each in going),
        refused=spared,
        journal=replace(journal, memory_ids=told, counts=counts),
        outcomes=tuple(_outcome(name, guard) for name, guard in verdicts.items()),
    )


def judge_returns(
    move: Move,
    ids: Sequence[str],
    view: View,
    *,
    dating: Callable[[Memory, RetentionState], Dates],
    grace_days: float,
    journal: JournalDraft,
) -> Changes:
    """Undo the last move of every memory named; what is active stays as it is.

    Raises:
        NotFoundError: Some ids are not in the bank; nothing is done.
    """
    _require(ids, view)
    away = [
        view.records[each]
        for each in ids
        if view.records[each].state.lifecycle is not Lifecycle.ACTIVE
    ]

    def back(record: Record) -> RetentionState:
        dates = dating(record.memory, record.state)
        return restored(record.state, move.at, dates=dates, grace_days=grace_days)

    names = tuple(each.memory.id for each in away)
    return Changes(
        states=tuple((each.memory.id, back(each)) for each in away),
        journal=replace(journal, memory_ids=names, counts=(("restored", len(names)),)),
        outcomes=tuple(
            Outcome(memory_id=each, action=Action.UPDATED if each in names else Action.UNCHANGED)
            for each in ids
        ),
    )


def judge_hold(hold: Hold, journal: JournalDraft, view: View) -> Changes:
    """Place a hold. The same hold again changes nothing.

    Raises:
        ConflictError: A hold of that name is placed on something else, or for another reason.
    """
    known = _named(view.holds, hold.name)
    if known is not None:
        same = replace(known, placed_at=hold.placed_at, attached=()) == hold
        if same:
            return Changes()
        raise ConflictError(
            f"the hold {hold.name} is placed already, otherwise: release it first, or name another",
            fields={"name": hold.name},
        )
    named = tuple(each for each in hold.target.values if each in view.records)
    return Changes(
        holds_placed=(hold,), journal=replace(journal, about=hold.name, memory_ids=named)
    )


def judge_release(name: str, journal: JournalDraft, view: View) -> Changes:
    """End a hold.

    Raises:
        NotFoundError: There is no hold of that name.
    """
    if _named(view.holds, name) is None:
        raise NotFoundError(f"no hold {name} in this bank", fields={"name": name})
    return Changes(holds_released=(name,), journal=replace(journal, about=name))


def _named(holds: Iterable[Hold], name: str) -> Hold | None:
    return next((each for each in holds if each.name == name), None)


def _outcome(name: str, guard: Guard | None) -> Outcome:
    if guard is None:
        return Outcome(memory_id=name, action=Action.UPDATED)
    if guard is Guard.ALREADY_THERE:
        return Outcome(memory_id=name, action=Action.UNCHANGED)
    return Outcome(memory_id=name, action=Action.REFUSED, note=guard.value)


def _require(ids: Sequence[str], view: View) -> None:
    view.require_states()
    unknown = [each for each in ids if each not in view.records]
    if unknown:
        raise NotFoundError(
            f"no such memories in this bank: {', '.join(unknown)}",
            fields={"ids": ", ".join(unknown)},
        )
