"""What every store does alike when it commits: ask, check, and refuse what contradicts itself.

Decides which `Changes` can be written at all: the right bank, the verb's place in the journal, ids
that exist or do not, versions that follow each other, vectors that fit their space. Refuses to
decide anything about memories: that was the judge's work.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from lapse.errors import ConflictError, CorruptStoreError, Fault, fault, raise_all
from lapse.model.answer import AnswerChanges, KeptAnswer
from lapse.model.bank import Bank
from lapse.model.changeset import Changes, ChangeSet
from lapse.model.closing import Closing
from lapse.model.instants import Instant
from lapse.model.journal import (
    NO_DIGEST,
    JournalEntry,
    JournalItem,
    follows,
    salted_digest,
)
from lapse.model.memory import BankRef, JsonValue, Memory
from lapse.model.record import ContentChange, NewRecord, Vector
from lapse.model.retention import Lifecycle
from lapse.model.verbs import VERBS
from lapse.model.view import View

LARGEST_INTEGER = 2**63 - 1
"""Largest integer that every store can keep."""

VECTOR_ITEM_BYTES = 4
"""A vector is little-endian float32."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How a stored memory stands before a change: what the change is held against.

    Attributes:
        row: Internal number.
        content_version: Its current version.
        text: Its current text.
        salt: Salt of its digests in the journal.
        lifecycle: Where it stands; active where its state was lost.
    """

    row: int
    content_version: int
    text: str
    salt: bytes
    lifecycle: Lifecycle


def new_bank(ref: BankRef, now: Instant) -> Bank:
    """Give the record of a bank that was never written to."""
    return Bank(ref=ref, created_at=now)


def space_numbers(bank: Bank) -> frozenset[int]:
    """Numbers of the spaces whose vectors a bank keeps: the current one, and one being filled."""
    return frozenset(each.number for each in (bank.space, bank.building) if each is not None)


def judged(change: ChangeSet, view: View) -> Changes:
    """Ask the judge once, and check what can be checked without reading further.

    Raises:
        LapseError: Whatever the judge raised.
        ValidationError: The answer is addressed to another bank, breaks the verb table or does not
            fit the bank's vector spaces.
        ConflictError: A memory is created twice.
    """
    changes = change.judge(view)
    if changes.empty:
        return changes
    raise_all(
        [
            *_journal_faults(change, changes),
            *_address_faults(change.ref, changes),
            *_size_faults(changes),
            *_fingerprint_faults(changes),
            *_space_faults(changes.bank or view.bank, changes),
        ]
    )
    _refuse_twice(changes.created)
    return changes


def named_ids(changes: Changes) -> tuple[str, ...]:
    """List every memory id that the changes speak of, created ones included, each once."""
    vectors = tuple(each.memory_id for each in changes.vectors)
    return tuple(dict.fromkeys(_created_ids(changes) + _stored_ids(changes) + vectors))


def check_standing(changes: Changes, standing: Mapping[str, Standing]) -> None:
    """Hold the changes against the stored memories they speak of.

    Raises:
        ConflictError: A created id exists, another id does not, or a version does not follow.
    """
    created = {each.memory.id: each.memory for each in changes.created}
    taken = [each for each in created if each in standing]
    if taken:
        raise _conflict(taken[0], "exists already: only an update can change it")
    unknown = [
        each for each in _stored_ids(changes) if each not in standing and each not in created
    ]
    if unknown:
        raise _conflict(unknown[0], "does not exist in this bank")
    versions = {name: each.content_version for name, each in standing.items()}
    versions |= {name: each.content_version for name, each in created.items()}
    texts = {name: each.text for name, each in standing.items()}
    texts |= {name: each.text for name, each in created.items()}
    for revision in changes.revised:
        memory = revision.memory
        if memory.content_version != versions[memory.id] + 1:
            raise _conflict(memory.id, f"is at version {versions[memory.id]}: the next is one more")
        versions[memory.id], texts[memory.id] = memory.content_version, memory.text
    for memory in (*(each.memory for each in changes.reread), *changes.amended):
        if (memory.content_version, memory.text) != (versions[memory.id], texts[memory.id]):
            raise _conflict(memory.id, "has other content: only an update changes version and text")


def check_adopted(head: tuple[int, bytes], entries: Iterable[JournalEntry]) -> None:
    """Hold entries of another store's journal against the one they are to lengthen.

    Raises:
        ConflictError: One is altered, or does not follow the one before it.
    """
    seq, previous = head
    for each in entries:
        if each.seq != seq + 1 or not follows(each, previous):
            raise ConflictError(
                f"journal entry {each.seq} does not follow entry {seq}: nothing was taken over",
                fields={"seq": str(each.seq)},
            )
        seq, previous = each.seq, each.hash


def journal_items(
    changes: Changes, rows: Mapping[str, int], standing: Mapping[str, Standing]
) -> tuple[JournalItem, ...]:
    """Give what the journal says of each memory that its draft names.

    Args:
        changes: The changes; their draft is present.
        rows: Internal numbers by id, of stored and of created memories.
        standing: The stored memories as they were.
    """
    assert changes.journal is not None  # noqa: S101 - the caller asks only when there is a draft
    salts = {name: each.salt for name, each in standing.items()}
    texts: dict[str, str] = {}
    lifecycles: dict[str, Lifecycle] = {}
    for record in changes.created:
        name = record.memory.id
        salts[name], texts[name] = record.salt, record.memory.text
        lifecycles[name] = record.state.lifecycle
    texts |= {each.memory.id: each.memory.text for each in changes.revised}
    lifecycles |= {name: state.lifecycle for name, state in changes.states}
    gone = frozenset(changes.removed)

    def item(name: str) -> JournalItem:
        before = standing.get(name)
        was = None if before is None else salted_digest(salts[name], before.text)
        text = texts.get(name)
        told = was if text is None else salted_digest(salts[name], text)
        now = lifecycles.get(name, Lifecycle.ACTIVE if before is None else before.lifecycle)
        return JournalItem(
            row=rows[name],
            was=None if before is None else before.lifecycle,
            now=Lifecycle.ERASED if name in gone else now,
            before=was or NO_DIGEST,
            after=NO_DIGEST if name in gone else told or NO_DIGEST,
        )

    return tuple(item(each) for each in changes.journal.memory_ids)


def closing_ids(closing: Closing) -> tuple[str, ...]:
    """Give the ids of all memories that a closing names."""
    named = (closing.memory_id, closing.by_id, closing.rest_id)
    return tuple(each for each in named if each is not None)


def closing_place(closing: Closing) -> tuple[Instant, str, str, str]:
    """Give what closings are put in order by."""
    return closing.recorded_from, closing.memory_id, closing.kind.value, closing.by_id or ""


def answers_left(
    known: Mapping[str, KeptAnswer], changes: AnswerChanges, number: int
) -> tuple[KeptAnswer, ...]:
    """Give the cached answers after a write, in the order of putting.

    Args:
        known: The answers before, by id, in that order.
        number: Of the first that is put.
    """
    going = {*changes.gone, *(each.id for each in changes.put)}
    sources = frozenset(changes.of_sources)
    left = (
        each
        for name, each in known.items()
        if name not in going and sources.isdisjoint(each.answer.sources)
    )
    put = (KeptAnswer(number=number + at, answer=each) for at, each in enumerate(changes.put))
    return (*left, *put)


def unknown_proposal(proposal_id: str) -> ConflictError:
    """Give the error for deciding a proposal that is not stored."""
    return ConflictError(
        f"proposal {proposal_id} does not exist in this bank", fields={"id": proposal_id}
    )


def stateless_fault(memory_id: str) -> str:
    """Say that a memory's retention state is gone."""
    return f"memory {memory_id!r} has no retention state: it needs a repair from its own dates"


def stateless_error(memory_id: str) -> CorruptStoreError:
    """Give the error for a read that cannot answer because a state is gone."""
    return CorruptStoreError(stateless_fault(memory_id), fields={"memory_id": memory_id})


def frozen_json(value: JsonValue) -> JsonValue:
    """Copy a JSON value into one that nobody can change: read-only mappings, tuples."""
    match value:
        case Mapping():
            return frozen_object(value)
        case list() | tuple():
            return tuple(frozen_json(each) for each in value)
        case _:
            return value


def frozen_object(value: Mapping[str, JsonValue]) -> Mapping[str, JsonValue]:
    """Copy a JSON object into one that nobody can change."""
    return MappingProxyType({key: frozen_json(each) for key, each in value.items()})


def _created_ids(changes: Changes) -> tuple[str, ...]:
    return tuple(each.memory.id for each in changes.created)


def _stored_ids(changes: Changes) -> tuple[str, ...]:
    journal = changes.journal
    return (
        *(each.memory.id for each in changes.revised),
        *(each.memory.id for each in changes.reread),
        *(each.id for each in changes.amended),
        *(memory_id for memory_id, _ in changes.states),
        *(each.memory_id for each in changes.enqueued),
        *(memory_id for memory_id, _ in changes.drained),
        *changes.removed,
        *(memory_id for each in changes.closings for memory_id in closing_ids(each)),
        *(memory_id for each in changes.proposed for memory_id in each.memory_ids),
        *(journal.memory_ids if journal is not None else ()),
    )


def _memories(changes: Changes) -> Iterator[Memory]:
    yield from (each.memory for each in changes.created)
    yield from (each.memory for each in changes.revised)
    yield from (each.memory for each in changes.reread)
    yield from changes.amended


def _contents(changes: Changes) -> Iterator[NewRecord | ContentChange]:
    yield from changes.created
    yield from changes.revised
    yield from changes.reread


def _vectors(changes: Changes) -> Iterator[Vector]:
    yield from (each.vector for each in _contents(changes) if each.vector is not None)
    yield from (each.vector for each in changes.vectors)


def _journal_faults(change: ChangeSet, changes: Changes) -> Iterator[Fault]:
    spec = VERBS.get(change.verb)
    if spec is None:
        yield fault("verb", change.verb, "is not in the table of verbs")
    elif spec.journalled and changes.journal is None:
        yield fault("journal", None, f"the verb {change.verb} leaves an entry in the journal")
    elif not spec.journalled and changes.journal is not None:
        yield fault("journal", "…", f"the verb {change.verb} is not journalled")
    elif changes.journal is not None and changes.journal.verb is not change.verb:
        yield fault("journal.verb", changes.journal.verb, f"must be the verb {change.verb}")


def _address_faults(ref: BankRef, changes: Changes) -> Iterator[Fault]:
    for memory in _memories(changes):
        if (memory.tenant, memory.bank) != (ref.tenant, ref.name):
            yield fault("bank", f"{memory.tenant}/{memory.bank}", f"the write is to {ref}")
    if changes.bank is not None and changes.bank.ref != ref:
        yield fault("bank", str(changes.bank.ref), f"the write is to {ref}")
    for plan in changes.plans:
        if plan.ref != ref:
            yield fault("plans", str(plan.ref), f"the write is to {ref}")
    for stone in changes.tombstones:
        if stone.tenant != ref.tenant:
            yield fault("tombstones", str(stone.ref), f"the write is to {ref}")


def _size_faults(changes: Changes) -> Iterator[Fault]:
    for memory in _memories(changes):
        if memory.proof_count > LARGEST_INTEGER:
            yield fault("proof_count", memory.proof_count, "needs an integer of 64 bits")
    for _, state in (*changes.states, *((each.memory.id, each.state) for each in changes.created)):
        for strength in (state.strength, state.checkpoint.strength):
            counts = (strength.access_count, strength.reinforcement_count)
            if max(counts) > LARGEST_INTEGER:
                yield fault("access_count", max(counts), "needs an integer of 64 bits")


def _fingerprint_faults(changes: Changes) -> Iterator[Fault]:
    for change in _contents(changes):
        if change.memory.fingerprint != change.facets.fingerprint:
            yield fault("fingerprint", change.memory.id, "must be that of the facets")


def _space_faults(bank: Bank, changes: Changes) -> Iterator[Fault]:
    used = [each for each in (bank.space, bank.building) if each is not None]
    spaces = {each.number: each for each in used}
    if len(spaces) < len(used):
        yield fault("building", used[0].number, "needs a number of its own")
    for vector in _vectors(changes):
        space = spaces.get(vector.space)
        if space is not None and len(vector.data) != space.dimension * VECTOR_ITEM_BYTES:
            problem = f"needs {space.dimension} float32 numbers in space {space.number}"
            yield fault("vector", len(vector.data), problem)
    for number in changes.drop_spaces:
        if number in spaces:
            yield fault("drop_spaces", number, "the bank still uses this space")


def _refuse_twice(created: Iterable[NewRecord]) -> None:
    seen: set[str] = set()
    for record in created:
        if record.memory.id in seen:
            raise _conflict(record.memory.id, "is created twice in one write")
        seen.add(record.memory.id)


def _conflict(memory_id: str, problem: str) -> ConflictError:
    return ConflictError(f"memory {memory_id!r} {problem}", fields={"memory_id": memory_id})
