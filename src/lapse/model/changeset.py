"""One write: what it must see, how it judges, and what it changes.

A verb hands the store a `ChangeSet`. Inside one transaction the store reads what the change names,
asks its judge, and writes exactly the `Changes` that the judge returns, or nothing when it raises.
So the store keeps and fetches, the judge (a pure function) decides, and no other writer can come
between.

Decides the shape of reads and writes. Refuses to contain any rule.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from lapse.model.answer import NO_ANSWERS, AnswerChanges
from lapse.model.bank import Bank
from lapse.model.canary import Canary
from lapse.model.closing import Closing
from lapse.model.guards import Departure, Spared
from lapse.model.hold import Hold
from lapse.model.instants import Instant
from lapse.model.journal import JournalDraft, JournalEntry
from lapse.model.memory import BankRef, Memory
from lapse.model.outcome import Outcome
from lapse.model.plan import Plan
from lapse.model.proposal import Proposal
from lapse.model.record import ContentChange, NewRecord, VectorChange
from lapse.model.redaction import Redaction
from lapse.model.retention import RetentionState, UseEvent
from lapse.model.sweep import SweepReport
from lapse.model.tombstone import Tombstone
from lapse.model.verbs import Verb
from lapse.model.view import Reads, View


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """What to write: all of it, or none.

    Attributes:
        created: New memories; an id that exists is a fault of the judge and refused.
        revised: New content versions.
        reread: Same content version and text, read again by another tokeniser; vectors stay.
        amended: Same content version, other validity, links, confidence or proof count.
        states: New retention states, by memory id.
        enqueued: Events; one whose (memory, event id) exists already is ignored.
        drained: (memory id, event id) of pending events that are now folded in.
        vectors: Vectors to keep.
        bank: The bank's new record (the store sets its revision), or None.
        drop_spaces: Vector spaces whose vectors can go.
        holds_placed: Holds to keep; one of the same name is replaced.
        holds_released: Names of holds that end.
        plans: Plans to keep; of one that is kept already only what has become of it is written.
        departures: What the judge says of each memory that goes out of sight or for good by this.
            Nothing is written for it: the gate that every write passes reads it.
        refused: What guards refused, when nothing but that is to be journalled.
        sweeps: Reports of sweeps, kept in order.
        canaries: Canaries to keep; one with the same question replaces the one before.
        canaries_gone: Ids of canaries to drop; unknown ones are ignored.
        removed: Ids of memories that go for good, with their versions, states, events, vectors,
            salts, closings, and the proposals that name them; only their internal numbers stay, in
            the removal log.
        closings: Closings, new ones and those with a new `recorded_to`; each names stored memories.
        proposed: New proposals; one whose id exists already is ignored, whatever became of it.
        decided: Stored proposals and what became of them.
        tombstones: Tombstones of this tenant to keep under new numbers; one of the same id is
            replaced.
        redacted: Words that go wherever in the bank persons wrote them beside memories, in what is
            written by this too; `lapse.model.redaction` says where that is and what stays.
        answers: What becomes of cached answers.
        turned_away: How many memories were refused because they were erased before, when that is
            to be journalled.
        adopted: Entries of a journal to take over as they are; the first follows the bank's last.
        numbers_through: For a bank that is taken over whole: the highest number that its journal
            gives to a memory. The store shifts the bank, so that no number is used twice.
        journal: What to journal, or None.
        outcomes: What became of each item, for the caller.
    """

    created: tuple[NewRecord, ...] = ()
    revised: tuple[ContentChange, ...] = ()
    reread: tuple[ContentChange, ...] = ()
    amended: tuple[Memory, ...] = ()
    states: tuple[tuple[str, RetentionState], ...] = ()
    enqueued: tuple[UseEvent, ...] = ()
    drained: tuple[tuple[str, str], ...] = ()
    vectors: tuple[VectorChange, ...] = ()
    bank: Bank | None = None
    drop_spaces: tuple[int, ...] = ()
    removed: tuple[str, ...] = ()
    holds_placed: tuple[Hold, ...] = ()
    holds_released: tuple[str, ...] = ()
    plans: tuple[Plan, ...] = ()
    departures: tuple[Departure, ...] = ()
    refused: tuple[Spared, ...] = ()
    sweeps: tuple[SweepReport, ...] = ()
    canaries: tuple[Canary, ...] = ()
    canaries_gone: tuple[str, ...] = ()
    closings: tuple[Closing, ...] = ()
    proposed: tuple[Proposal, ...] = ()
    decided: tuple[Proposal, ...] = ()
    tombstones: tuple[Tombstone, ...] = ()
    redacted: tuple[Redaction, ...] = ()
    answers: AnswerChanges = NO_ANSWERS
    turned_away: int = 0
    adopted: tuple[JournalEntry, ...] = ()
    numbers_through: int | None = None
    journal: JournalDraft | None = None
    outcomes: tuple[Outcome, ...] = ()

    @property
    def empty(self) -> bool:
        """Whether there is nothing to write: then no revision is used up, nothing journalled."""
        return not (
            self.created
            or self.revised
            or self.reread
            or self.amended
            or self.states
            or self.enqueued
            or self.drained
            or self.vectors
            or self.drop_spaces
            or self.removed
            or self.holds_placed
            or self.holds_released
            or self.plans
            or self.refused
            or self.sweeps
            or self.canaries
            or self.canaries_gone
            or self.closings
            or self.proposed
            or self.decided
            or self.tombstones
            or self.redacted
            or self.turned_away
            or not self.answers.empty
            or self.adopted
            or self.numbers_through is not None
            or self.bank is not None
        )


Judge: TypeAlias = Callable[[View], Changes]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeSet:
    """One write of one verb to one bank.

    Attributes:
        verb: Which verb it is.
        ref: The bank. It is created with `now` when it does not exist.
        now: The verb's one reading of the clock.
        reads: What the judge must see.
        judge: Pure; called once inside the transaction; raises a `LapseError` to refuse everything.
    """

    verb: Verb
    ref: BankRef
    now: Instant
    reads: Reads
    judge: Judge


@dataclass(frozen=True, slots=True, kw_only=True)
class Committed:
    """What a commit did.

    Attributes:
        revision: The bank's revision after it.
        changes: What the judge decided.
        enqueued: How many of the events were new.
        journal_seq: Number of the journal entry, or None.
    """

    revision: int
    changes: Changes
    enqueued: int
    journal_seq: int | None
