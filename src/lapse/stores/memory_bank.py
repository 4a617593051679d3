"""One bank of the in-memory reference, as a value, and how a write changes it.

Decides what is kept of a bank and the order in which a write is carried out. Refuses to check the
write (`applying` did) or to share anything: a write works on a copy, which the store puts in place
of the old value when nothing failed.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from lapse.model.answer import KeptAnswer
from lapse.model.bank import Bank
from lapse.model.canary import Canary
from lapse.model.changeset import Changes
from lapse.model.closing import Closing, ClosingKind
from lapse.model.hold import Hold
from lapse.model.instants import Instant
from lapse.model.journal import GENESIS, JournalEntry, chain
from lapse.model.memory import Memory, TextFacets
from lapse.model.plan import Plan
from lapse.model.proposal import Proposal
from lapse.model.record import ContentChange, NewRecord, Record, Vector, VectorChange
from lapse.model.retention import Lifecycle, RetentionState, UseEvent
from lapse.model.sweep import SweepReport
from lapse.stores.applying import (
    Standing,
    answers_left,
    check_adopted,
    closing_ids,
    frozen_object,
    journal_items,
    space_numbers,
    unknown_proposal,
)
from lapse.stores.memory_finding import Finding

ClosingName = tuple[str, ClosingKind, str, Instant]


@dataclass(frozen=True, slots=True, kw_only=True)
class Use:
    """A kept event: its number in the order of arrival, and whether it waits to be folded in."""

    number: int
    event: UseEvent
    pending: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A memory with all that is kept beside it.

    Attributes:
        row: Internal number.
        term_ids: Ids of `facets.terms`, in order, with repeats.
        vectors: Vector of the current content, by space.
        versions: Earlier content versions, oldest first.
        uses: Events, in order of arrival.
        content_revision, state_revision: The bank's revision that last changed the one
            or the other.
    """

    row: int
    memory: Memory
    state: RetentionState | None
    facets: TextFacets
    term_ids: tuple[int, ...]
    salt: bytes
    vectors: Mapping[int, bytes]
    content_revision: int
    state_revision: int
    versions: tuple[Memory, ...] = ()
    uses: tuple[Use, ...] = ()

    @property
    def standing(self) -> Standing:
        """What a change is held against."""
        return Standing(
            row=self.row,
            content_version=self.memory.content_version,
            text=self.memory.text,
            salt=self.salt,
            lifecycle=Lifecycle.ACTIVE if self.state is None else self.state.lifecycle,
        )

    @property
    def record(self) -> Record | None:
        """The memory with its state, or None when the state is gone."""
        if self.state is None:
            return None
        return Record(row=self.row, memory=self.memory, state=self.state)


@dataclass(frozen=True, slots=True, kw_only=True)
class Term:
    """An entry of the dictionary: its id, how many memories hold it, since which revision."""

    id: int
    count: int
    revision: int


@dataclass(slots=True, kw_only=True)
class BankData:
    """All that is kept of one bank.

    Attributes:
        record: The bank's own record, with its revision.
        rows: By memory id, in order of internal number.
        terms: The dictionary, by term.
        next_term, next_use: Numbers that were never given yet.
        space_revision: The revision at which the current vector space became the current one.
        removals: (revision, internal number) of what is gone.
        holds: By name.
        sweeps: Reports, oldest first.
        canaries: By id, in the order they were first added.
        closings: By name.
        proposals: By id, in the order in which they came up.
        plans: By id.
        found: The memories by text and by key.
        answers: By id, in the order of putting.
        next_answer: Number that was never given yet.
    """

    record: Bank
    rows: dict[str, Row] = field(default_factory=dict)
    terms: dict[str, Term] = field(default_factory=dict)
    next_term: int = 1
    next_use: int = 1
    space_revision: int = 0
    removals: list[tuple[int, int]] = field(default_factory=list)
    journal: list[JournalEntry] = field(default_factory=list)
    journal_head: tuple[int, bytes] = (0, GENESIS)
    holds: dict[str, Hold] = field(default_factory=dict)
    sweeps: list[SweepReport] = field(default_factory=list)
    canaries: dict[str, Canary] = field(default_factory=dict)
    closings: dict[ClosingName, Closing] = field(default_factory=dict)
    proposals: dict[str, Proposal] = field(default_factory=dict)
    plans: dict[str, Plan] = field(default_factory=dict)
    found: Finding = field(default_factory=Finding)
    answers: dict[str, KeptAnswer] = field(default_factory=dict)
    next_answer: int = 1

    def copy(self) -> "BankData":
        """Give a copy to change in place of this one; the values in it are frozen."""
        return replace(
            self,
            rows=dict(self.rows),
            terms=dict(self.terms),
            removals=list(self.removals),
            journal=list(self.journal),
            holds=dict(self.holds),
            sweeps=list(self.sweeps),
            canaries=dict(self.canaries),
            closings=dict(self.closings),
            proposals=dict(self.proposals),
            plans=dict(self.plans),
            found=self.found.copy(),
            answers=dict(self.answers),
        )

    def apply(
        self, changes: Changes, standing: Mapping[str, Standing], next_row: int
    ) -> tuple[int, int]:
        """Carry out changes that were held against `standing`.

        Returns:
            The next free internal number, and how many of the events were new.
        """
        self._put_bank(changes.bank or self.record)
        if changes.numbers_through is not None:
            self.record = replace(self.record, shift=next_row - 1)
            next_row += changes.numbers_through
        shift = self.record.shift
        for at, record in enumerate(changes.created):
            number = record.number
            self._create(record, next_row + at if number is None else number + shift)
        for revision in changes.revised:
            self._revise(revision)
        for reading in changes.reread:
            self._reread(reading)
        for memory in changes.amended:
            self._amend(memory)
        for memory_id, state in changes.states:
            self._put_state(memory_id, state)
        fresh = sum(self._enqueue(each) for each in changes.enqueued)
        for memory_id, event_id in changes.drained:
            self._drain(memory_id, event_id)
        for vector in changes.vectors:
            self._put_vector(vector)
        self._drop_spaces(changes.drop_spaces)
        self._keep_beside(changes)
        self._put_truths(changes)
        self._write_journal(changes, standing)
        for memory_id in dict.fromkeys(changes.removed):
            self._remove(memory_id)
        self._drop_terms(changes)
        return next_row + len(changes.created), fresh

    def _put_bank(self, bank: Bank) -> None:
        revision = self.record.revision + 1
        if bank.space != self.record.space:
            self.space_revision = revision
        shift = self.record.shift
        policy = frozen_object(bank.policy)
        self.record = replace(bank, revision=revision, policy=policy, shift=shift)

    def _create(self, record: NewRecord, row: int) -> None:
        self.found.put(record.memory)
        self.rows[record.memory.id] = Row(
            row=row,
            memory=_frozen(record.memory),
            state=record.state,
            facets=record.facets,
            term_ids=self._take_terms(record.facets),
            salt=record.salt,
            vectors=self._by_space(record.vector),
            content_revision=self.record.revision,
            state_revision=self.record.revision,
            versions=tuple(map(_frozen, record.versions)),
        )

    def _revise(self, change: ContentChange) -> None:
        before = self.rows[change.memory.id]
        # A vector is of the text alone: other tags leave it as it is.
        kept = before.vectors if before.memory.text == change.memory.text else {}
        self.found.drop(before.memory)
        self.found.put(change.memory)
        term_ids = self._take_terms(change.facets)
        self._leave_terms(before.facets)
        self.rows[change.memory.id] = replace(
            before,
            memory=_frozen(change.memory),
            facets=change.facets,
            term_ids=term_ids,
            vectors={**kept, **self._by_space(change.vector)},
            content_revision=self.record.revision,
            versions=(*before.versions, before.memory),
        )

    def _reread(self, change: ContentChange) -> None:
        before = self.rows[change.memory.id]
        self.found.drop(before.memory)
        self.found.put(change.memory)
        term_ids = self._take_terms(change.facets)
        self._leave_terms(before.facets)
        self.rows[change.memory.id] = replace(
            before,
            memory=_frozen(change.memory),
            facets=change.facets,
            term_ids=term_ids,
            content_revision=self.record.revision,
        )

    def _amend(self, memory: Memory) -> None:
        self.found.drop(self.rows[memory.id].memory)
        self.found.put(memory)
        self.rows[memory.id] = replace(
            self.rows[memory.id], memory=_frozen(memory), content_revision=self.record.revision
        )

    def _put_state(self, memory_id: str, state: RetentionState) -> None:
        self.rows[memory_id] = replace(
            self.rows[memory_id], state=state, state_revision=self.record.revision
        )

    def _enqueue(self, event: UseEvent) -> bool:
        row = self.rows[event.memory_id]
        if any(each.event.event_id == event.event_id for each in row.uses):
            return False
        use = Use(number=self.next_use, event=event, pending=True)
        self.next_use += 1
        self.rows[event.memory_id] = replace(row, uses=(*row.uses, use))
        return True

    def _drain(self, memory_id: str, event_id: str) -> None:
        row = self.rows[memory_id]
        uses = tuple(
            replace(each, pending=False) if each.event.event_id == event_id else each
            for each in row.uses
        )
        self.rows[memory_id] = replace(row, uses=uses)

    def _put_vector(self, change: VectorChange) -> None:
        row = self.rows.get(change.memory_id)
        if row is None or row.memory.content_version != change.content_version:
            return
        added = self._by_space(change.vector)
        if not added:
            return
        current = self.record.space is not None and self.record.space.number == change.vector.space
        self.rows[change.memory_id] = replace(
            row,
            vectors={**row.vectors, **added},
            content_revision=self.record.revision if current else row.content_revision,
        )

    def _by_space(self, vector: Vector | None) -> Mapping[int, bytes]:
        # Its space may have been left while the vector was made: nobody would ever drop it.
        if vector is None or vector.space not in space_numbers(self.record):
            return {}
        return {vector.space: vector.data}

    def _put_truths(self, changes: Changes) -> None:
        self.closings |= {each.name: each for each in changes.closings}
        for proposed in changes.proposed:
            self.proposals.setdefault(proposed.id, proposed)
        for decided in changes.decided:
            if decided.id not in self.proposals:
                raise unknown_proposal(decided.id)
            self.proposals[decided.id] = decided

    def _drop_spaces(self, spaces: tuple[int, ...]) -> None:
        if not spaces:
            return
        for name, row in self.rows.items():
            if any(each in row.vectors for each in spaces):
                kept = {
                    number: data for number, data in row.vectors.items() if number not in spaces
                }
                self.rows[name] = replace(row, vectors=kept)

    def _keep_beside(self, changes: Changes) -> None:
        self.holds.update((each.name, each) for each in changes.holds_placed)
        for name in changes.holds_released:
            self.holds.pop(name, None)
        self.sweeps.extend(changes.sweeps)
        for canary_id in changes.canaries_gone:
            self.canaries.pop(canary_id, None)
        self.canaries.update((each.id, each) for each in changes.canaries)
        told = answers_left(self.answers, changes.answers, self.next_answer)
        self.answers = {each.answer.id: each for each in told}
        self.next_answer += len(changes.answers.put)
        for plan in changes.plans:
            known = self.plans.get(plan.id, plan)
            self.plans[plan.id] = replace(
                known, approval=plan.approval, application=plan.application
            )

    def _write_journal(self, changes: Changes, standing: Mapping[str, Standing]) -> None:
        if changes.adopted:
            check_adopted(self.journal_head, changes.adopted)
            self.journal.extend(changes.adopted)
            self.journal_head = (self.journal[-1].seq, self.journal[-1].hash)
        if changes.journal is None:
            return
        shift = self.record.shift
        rows = {each: self.rows[each].row - shift for each in changes.journal.memory_ids}
        seq, previous = self.journal_head
        items = journal_items(changes, rows, standing)
        entry = chain(previous, seq + 1, changes.journal, items)
        self.journal.append(entry)
        self.journal_head = (entry.seq, entry.hash)

    def _remove(self, memory_id: str) -> None:
        row = self.rows.pop(memory_id)
        self.found.drop(row.memory)
        self._leave_terms(row.facets)
        self.removals.append((self.record.revision, row.row))
        self.closings = {
            name: each for name, each in self.closings.items() if memory_id not in closing_ids(each)
        }
        self.proposals = {
            name: each for name, each in self.proposals.items() if memory_id not in each.memory_ids
        }

    def _take_terms(self, facets: TextFacets) -> tuple[int, ...]:
        for name in dict.fromkeys(facets.terms):
            known = self.terms.get(name)
            if known is None:
                known = Term(id=self.next_term, count=0, revision=self.record.revision)
                self.next_term += 1
            self.terms[name] = replace(known, count=known.count + 1)
        return tuple(self.terms[each].id for each in facets.terms)

    def _leave_terms(self, facets: TextFacets) -> None:
        for name in set(facets.terms):
            self.terms[name] = replace(self.terms[name], count=self.terms[name].count - 1)

    def _drop_terms(self, changes: Changes) -> None:
        if changes.revised or changes.reread or changes.removed:
            self.terms = {name: each for name, each in self.terms.items() if each.count > 0}

    def faults(self) -> list[str]:
        """Say where the dictionary's counts are not those of the memories."""
        counts = Counter(name for each in self.rows.values() for name in set(each.facets.terms))
        held = {name: each.count for name, each in self.terms.items()}
        return [] if counts == held else ["the dictionary of terms counts other memories"]


def _frozen(memory: Memory) -> Memory:
    return replace(memory, metadata=frozen_object(memory.metadata)) if memory.metadata else memory
