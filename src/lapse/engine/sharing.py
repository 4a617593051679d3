"""Sharing: copies of memories in another bank of the same tenant.

Decides that a copy is a memory of its own that knows where it is from, that it takes along its
strength and the holds that cover its source, and that it is held against the other bank's
tombstones like whatever is told there. Refuses what is no longer so, or out of mind: a copy would
bring it back.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from lapse.engine.attending import Actor, entry_of
from lapse.engine.core import Core, Write, facets_by
from lapse.engine.exporting import noting
from lapse.engine.runtime import BankRuntime
from lapse.errors import NotFoundError, ValidationError
from lapse.lifecycle.holds import covers
from lapse.model.changeset import Changes
from lapse.model.hold import Hold, HoldScope, HoldTarget
from lapse.model.instants import Instant
from lapse.model.journal import JournalDraft
from lapse.model.memory import Memory, SharedFrom
from lapse.model.record import NewRecord, Record
from lapse.model.retention import Lifecycle
from lapse.model.verbs import Verb
from lapse.model.view import Reads, View
from lapse.truth.supersession import settle


@dataclass(frozen=True, slots=True, kw_only=True)
class Shared:
    """What became of memories that were to be shared.

    Attributes:
        bank: The bank they were shared to.
        copies: (id here, id there) of each copy, new or there already.
        created: How many are new.
    """

    bank: str
    copies: tuple[tuple[str, str], ...]
    created: int


def share(
    core: Core, runtime: BankRuntime, ids: Sequence[str], target: BankRuntime, actor: Actor
) -> Shared:
    """Copy memories into another bank of the same tenant, in one transaction with its records.

    Raises:
        NotFoundError: Some ids are not in the bank; nothing was shared.
        TombstonedError: One was erased in the other bank; nothing was shared.
        ValidationError: The same bank, or a memory that is out of mind or no longer so.
    """
    if runtime.ref == target.ref:
        raise ValidationError.of("to_bank", target.ref.name, "needs another bank than this one")
    runtime.follow()
    target.follow()
    now = core.now()
    records = _readable(core, runtime, ids)
    known = {
        name: each.id
        for name, copies in core.parts.store.copies(runtime.ref, ids).items()
        for each in copies
        if each.ref == target.ref
    }
    fresh = [each for each in records if each.memory.id not in known]
    made = {each.memory.id: core.parts.new_id(now) for each in fresh}
    if fresh:
        draft = entry_of(core, Verb.SHARE, now, actor)
        core.commit_each(now, _writes(core, runtime, target, fresh, made, draft))
        target.follow()
        core.parts.wake()
    named = known | made
    pairs = tuple((each.memory.id, named[each.memory.id]) for each in records)
    return Shared(bank=target.ref.name, copies=pairs, created=len(made))


def _readable(core: Core, runtime: BankRuntime, ids: Sequence[str]) -> list[Record]:
    records = core.get(runtime.ref, ids)
    found = {each.memory.id for each in records}
    missing = ", ".join(each for each in ids if each not in found)
    if missing:
        raise NotFoundError(f"no such memory in this bank: {missing}", fields={"ids": missing})
    for each in records:
        if each.state.lifecycle is not Lifecycle.ACTIVE or not each.memory.current:
            problem = "is out of mind or no longer so: a copy would bring it back"
            raise ValidationError.of("ids", each.memory.id, problem)
    return records


def _writes(
    core: Core,
    runtime: BankRuntime,
    target: BankRuntime,
    records: Sequence[Record],
    made: dict[str, str],
    draft: JournalDraft,
) -> list[Write]:
    now = draft.at
    rule = target.rule
    facets = facets_by(target.tokeniser, [each.memory.text for each in records])
    copies = []
    for each, read in zip(records, facets, strict=True):
        memory = _copied(each.memory, target, made[each.memory.id], now)
        copies.append(
            NewRecord(
                memory=memory,
                state=each.state.dated(rule.date(memory, each.state)),
                facets=read,
                salt=core.parts.entropy(16),
            )
        )
    out = replace(draft, about=target.ref.name)
    told = noting(out, len(records), tuple(each.memory.id for each in records))
    keys = {each.memory.key for each in records if each.memory.key is not None}
    holds = core.parts.store.holds(runtime.ref)
    judge = partial(
        _taken, replace(draft, about=runtime.ref.name), copies, _kept(holds, records, made)
    )
    into = Write(
        verb=Verb.SHARE, ref=target.ref, reads=Reads(keys=tuple(sorted(keys))), judge=judge
    )
    from_here = Reads(ids=tuple(each.memory.id for each in records))
    return [Write(verb=Verb.SHARE, ref=runtime.ref, reads=from_here, judge=told), into]


def _copied(memory: Memory, target: BankRuntime, name: str, now: Instant) -> Memory:
    return replace(
        memory,
        tenant=target.ref.tenant,
        bank=target.ref.name,
        id=name,
        recorded_from=now,
        valid_to=memory.stated_to,
        supersedes=None,
        superseded_by=None,
        derived_from=(),
        content_version=1,
        shared_from=SharedFrom(bank=memory.bank, id=memory.id),
    )


def _kept(
    holds: Sequence[Hold], records: Sequence[Record], made: dict[str, str]
) -> list[tuple[Hold, tuple[str, ...]]]:
    """Holds that cover what is shared, with the copies that they are to cover."""
    found = []
    for hold in holds:
        ids = tuple(made[each.memory.id] for each in records if covers(hold, each.memory))
        if ids:
            found.append((hold, ids))
    return found


def _taken(
    draft: JournalDraft,
    copies: Sequence[NewRecord],
    kept: Sequence[tuple[Hold, tuple[str, ...]]],
    view: View,
) -> Changes:
    records = {each.memory.id: each for each in copies}
    amended: list[Memory] = []
    for names in view.same_key.values():
        here = [view.records[each].memory for each in names]
        key = here[0].key if here else None
        new = [each.memory for each in records.values() if each.memory.key == key]
        for claim in settle([*here, *new]) if here else ():
            if claim.id in records:
                records[claim.id] = replace(records[claim.id], memory=claim)
            elif claim != view.records[claim.id].memory:
                amended.append(claim)
    there = {each.name: each for each in view.holds}
    ids = (*records, *(each.id for each in amended))
    return Changes(
        created=tuple(records.values()),
        amended=tuple(amended),
        holds_placed=tuple(_placed(there.get(hold.name), hold, ids) for hold, ids in kept),
        journal=replace(draft, memory_ids=ids),
    )


def _placed(there: Hold | None, hold: Hold, ids: tuple[str, ...]) -> Hold:
    """The hold as it stands in the other bank: on the copies, beside what it covers there."""
    if there is not None:
        return replace(there, attached=(*there.attached, *ids))
    return replace(hold, target=HoldTarget(scope=HoldScope.IDS, values=ids), attached=())
