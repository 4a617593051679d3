"""Replacing: which memories a new one takes the place of, from when on, and what goes with them.

Decides the order of two memories in time, that nothing takes its own place or that of its own
successor, what remains of a compound memory, and that what was made from a replaced memory alone
stops counting with it. Refuses to find out what is replaced (`finding`) and to touch any state.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from lapse.errors import ConflictError
from lapse.model.changeset import Changes
from lapse.model.closing import Closing, ClosingKind, Undo
from lapse.model.finding import ChangeKind
from lapse.model.instants import Instant
from lapse.model.memory import Memory
from lapse.model.proposal import Proposal, ProposalKind
from lapse.model.record import NewRecord
from lapse.model.view import View
from lapse.truth.ledger import Ledger


@dataclass(frozen=True, slots=True, kw_only=True)
class Replaced:
    """A memory that is replaced.

    Attributes:
        id: Which.
        change: How.
        confidence: In [0, 1]; 1 where the caller named it.
        evidence: Short names of what spoke for it.
        until: The instant at which it ended, where one is told; else it ends where the new begins.
            Of a bounded change the end, of any other the start that the new memory gives itself.
        rest: What remains of it, as a memory to create, or None.
    """

    id: str
    change: ChangeKind = ChangeKind.REPLACEMENT
    confidence: float = 1.0
    evidence: tuple[str, ...] = ()
    until: Instant | None = None
    rest: NewRecord | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Replacement:
    """One act of replacing.

    Attributes:
        new_id: The memory that takes the place.
        replaced: The memories whose place it takes.
        now: The act's one reading of the clock.
        by: Who acts.
        undo: What becomes of the new memory when the act is taken back.
        derived: By id, the sources of each memory that was made from others; for all that may have
            been made from the replaced ones.
    """

    new_id: str
    replaced: Sequence[Replaced]
    now: Instant
    by: str
    undo: Undo
    derived: Mapping[str, Sequence[str]] = field(default_factory=lambda: MappingProxyType({}))


def placed(memory: Memory) -> Instant:
    """From when a memory holds, to be compared with others: by its word, its event, its telling."""
    if memory.valid_from is not None:
        return memory.valid_from
    return memory.created_at if memory.occurred_at is None else memory.occurred_at


def judge_replacement(act: Replacement, view: View, base: Changes | None = None) -> Changes:
    """Decide what follows when one memory takes the place of others.

    A new memory that is older than one it names takes its place in the past: then it is the one
    that ended where the other began.

    Args:
        act: The act.
        view: What is stored: the memories named, with closings, and their keys.
        base: What was decided before, such as the creation of the new memory.

    Raises:
        ConflictError: A memory would take its own place, or that of what replaced it; or one named
            does not stand any more.
        NotFoundError: A memory named is not in the bank.
    """
    ledger = Ledger(view, base)
    new = ledger.memory(act.new_id)
    for each in act.replaced:
        _refuse_circle(ledger, new, ledger.memory(each.id))
    touched = [act.new_id]
    gone: list[str] = []
    for each in act.replaced:
        old = ledger.memory(each.id)
        if _same_chain(new, old):
            gone.append(old.id)
            continue
        if not ledger.stands(old.id):
            raise ConflictError(
                f"memory {old.id} does not stand any more; replace what took its place",
                fields={"id": old.id},
            )
        touched += _close(ledger, act, each)
        gone += [] if placed(new) < placed(old) else [old.id]
    _begin(ledger, act)
    ledger.restate(dict.fromkeys(touched))
    changes = _note_links(ledger, act)
    return _with_derived(changes, ledger, act, gone)


def _close(ledger: Ledger, act: Replacement, each: Replaced) -> list[str]:
    new, old = ledger.memory(act.new_id), ledger.memory(each.id)
    late = placed(new) < placed(old)
    ended, by = (new, old) if late else (old, new)
    starts = placed(by) if late else _ends_at(each, old, new)
    if each.rest is not None:
        ledger.create(replace(each.rest, memory=replace(each.rest.memory, valid_from=starts)))
    undo = act.undo
    if undo is Undo.KEEP and not late and new.valid_from is None and new.key is None:
        undo = Undo.REOPEN
    ledger.close(
        Closing(
            memory_id=ended.id,
            kind=ClosingKind.SUPERSEDED,
            recorded_from=act.now,
            by_id=by.id,
            starts_at=starts,
            rest_id=None if each.rest is None else each.rest.memory.id,
            undo=undo,
        )
    )
    return [ended.id, by.id]


def _ends_at(each: Replaced, old: Memory, new: Memory) -> Instant:
    """When a replaced memory ended: as told, if that can be; else where the new one begins."""
    told = each.until
    if told is None or (old.valid_from is not None and told <= old.valid_from):
        return placed(new)
    if each.change is ChangeKind.BOUNDED:
        return told
    # Told today, the new one may have held for long; that it begins in future ends nothing now.
    return min(told, placed(new)) if new.valid_from is None else placed(new)


def _begin(ledger: Ledger, act: Replacement) -> None:
    """What takes a place holds from then on: before, it did not."""
    new = ledger.memory(act.new_id)
    if new.valid_from is None and ledger.closings(ClosingKind.SUPERSEDED, by=new.id):
        since = {each.id for each in act.replaced if each.change is not ChangeKind.BOUNDED}
        ends = [
            each.starts_at
            for each in ledger.closings(ClosingKind.SUPERSEDED, by=new.id)
            if each.memory_id in since and each.starts_at is not None
        ]
        start = min([placed(new), *ends])
        if new.stated_to is None or start < new.stated_to:
            ledger.put(replace(new, valid_from=start))


def _note_links(ledger: Ledger, act: Replacement) -> Changes:
    """Let the new memory name what it replaced, unless its key's chain does."""
    new = ledger.memory(act.new_id)
    closed = ledger.closings(ClosingKind.SUPERSEDED, by=new.id)
    if closed and new.supersedes is None:
        ledger.put(replace(new, supersedes=closed[0].memory_id))
    return ledger.changes()


def _with_derived(
    changes: Changes, ledger: Ledger, act: Replacement, gone: Sequence[str]
) -> Changes:
    """End what was made from the replaced memories alone; doubt what had other sources, too."""
    taken = set(gone)
    doubted: dict[str, tuple[str, ...]] = {}
    for derived_id, sources in _in_order_of_making(act.derived):
        if not taken & set(sources) or derived_id == act.new_id or derived_id in taken:
            continue
        if not ledger.knows(derived_id) or not ledger.stands(derived_id):
            continue
        others = [s for s in sources if s not in taken and ledger.knows(s) and ledger.stands(s)]
        if others:
            doubted[derived_id] = tuple(each for each in sources if each in taken)
            continue
        taken.add(derived_id)
        ledger.close(
            Closing(
                memory_id=derived_id,
                kind=ClosingKind.SUPERSEDED,
                recorded_from=act.now,
                by_id=act.new_id,
                starts_at=placed(ledger.memory(act.new_id)),
            )
        )
        ledger.restate([derived_id])
    proposed = tuple(
        Proposal(
            kind=ProposalKind.REPLACE,
            memory_id=act.new_id,
            other_ids=(derived_id,),
            at=act.now,
            by=act.by,
            change=ChangeKind.REPLACEMENT,
            confidence=0.5,
            evidence=("made from what was replaced",),
        )
        for derived_id in doubted
    )
    changes = ledger.changes()
    return replace(changes, proposed=(*changes.proposed, *proposed))


def _in_order_of_making(derived: Mapping[str, Sequence[str]]) -> list[tuple[str, Sequence[str]]]:
    """Each after all that it was made from; memories are made from older ones only."""
    left, ordered = dict(derived), list[tuple[str, Sequence[str]]]()
    while left:
        ready = [each for each in left if not set(left[each]) & (left.keys() - {each})]
        for each in ready or list(left):
            ordered.append((each, left.pop(each)))
    return ordered


def _same_chain(new: Memory, old: Memory) -> bool:
    """Whether the key of both settles which is newer."""
    return new.key is not None and new.key == old.key and not new.multi and not old.multi


def _refuse_circle(ledger: Ledger, new: Memory, old: Memory) -> None:
    seen = {new.id}
    step: Memory | None = new
    while step is not None and step.id != old.id:
        before = step.superseded_by
        step = ledger.memory(before) if before is not None and ledger.knows(before) else None
        if step is not None and step.id in seen:
            break
        if step is not None:
            seen.add(step.id)
    if step is not None and step.id == old.id:
        raise ConflictError(
            f"memory {new.id} cannot take the place of {old.id}: "
            + ("it is the same" if new.id == old.id else "that one took its own place"),
            fields={"new": new.id, "old": old.id},
        )
