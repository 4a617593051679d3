"""One write: what it must see, how it judges, and what it changes.

A verb hands the store a `ChangeSet`. Inside one transaction the store reads what the change names,
asks its judge, and writes exactly the `Changes` that the judge returns, or nothing when it raises.
So the store keeps and fetches, the judge (a pure function) decides, and no other writer can come
between.

Decides the shape of reads and writes. Refuses to contain any rule.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Final, TypeAlias

from lapse.errors import CorruptStoreError
from lapse.model.canary import Canary
from lapse.model.closing import Closing
from lapse.model.guards import Departure, Spared
from lapse.model.hold import Hold
from lapse.model.instants import Instant
from lapse.model.journal import JournalDraft, JournalEntry
from lapse.model.memory import BankRef, JsonValue, Memory, TextFacets
from lapse.model.plan import Plan
from lapse.model.proposal import Proposal
from lapse.model.retention import RetentionState, UseEvent
from lapse.model.sweep import SweepReport
from lapse.model.tombstone import KeptTombstone, Tombstone
from lapse.model.verbs import Verb

NO_IDF: Final = b""
"""The IDF of a space whose embedder pools without it, or whose bank has no epoch yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Space:
    """A vector space of a bank: vectors of different spaces are never compared.

    Attributes:
        number: 1, 2, 3 … within the bank.
        embedder: Identity of model, version and dimension.
        dimension: Length of a vector.
        epoch: Number of memories at the snapshot its IDF was taken at; 0 for none.
        idf: What the IDF is computed from, as `embed.snapshots` writes it, or `NO_IDF`.
    """

    number: int
    embedder: str
    dimension: int
    epoch: int = 0
    idf: bytes = NO_IDF


@dataclass(frozen=True, slots=True, kw_only=True)
class Bank:
    """A bank's own record.

    Attributes:
        ref: Its name.
        created_at: When it was first opened.
        revision: Grows by one with every committed write; the index follows it.
        policy: The bank's stored policy, as a diff over the deployment's.
        policy_version: Grows by one with every change of the policy.
        space: The vector space that recall uses, or None before the first vector.
        building: A space that is being filled and will replace `space`, or None.
        overlay: Whether the bank was first made by `rank()`, beside another store.
        late_events: Events refused because they were too old when enqueued.
        tokeniser: Identity of the tokeniser that the terms were read by, so that another language
            or stemmer is noticed; empty before the first memory.
        law: The law that the strengths were last computed under (its name and parameters), so that
            a change of law is noticed.
        redating: The law that a pass under way brings them to, or empty; strengths lie under one
            of the two.
        redated_through: Internal number of the last memory that the pass has seen.
        shift: How far its internal numbers lie above those that its journal names: 0 but for a bank
            that was taken over whole from another store. Stores set it.
    """

    ref: BankRef
    created_at: Instant
    revision: int = 0
    policy: Mapping[str, JsonValue] = field(default_factory=lambda: MappingProxyType({}))
    policy_version: int = 0
    space: Space | None = None
    building: Space | None = None
    overlay: bool = False
    late_events: int = 0
    tokeniser: str = ""
    law: str = ""
    redating: str = ""
    redated_through: int = 0
    shift: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Vector:
    """A memory's vector: little-endian float32, unit length, in one space."""

    space: int
    data: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """A stored memory with its state; `row` is its internal number, never reused."""

    row: int
    memory: Memory
    state: RetentionState


@dataclass(frozen=True, slots=True, kw_only=True)
class NewRecord:
    """A memory to insert, with all that the store keeps beside it.

    Attributes:
        number: The number that the bank's journal gives it, for one that was taken over with its
            bank; None for the next.
        versions: Earlier content versions, oldest first.
    """

    memory: Memory
    state: RetentionState
    facets: TextFacets
    salt: bytes
    vector: Vector | None = None
    number: int | None = None
    versions: tuple[Memory, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ContentChange:
    """A new content version of a stored memory; the store keeps the version before it."""

    memory: Memory
    facets: TextFacets
    vector: Vector | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class VectorChange:
    """A vector for the given content version; ignored when the memory has moved on."""

    memory_id: str
    content_version: int
    vector: Vector


class Action(StrEnum):
    """What became of one item of a write."""

    CREATED = "created"
    UNCHANGED = "unchanged"
    RECONFIRMED = "reconfirmed"
    UPDATED = "updated"
    ENQUEUED = "enqueued"
    DRAINED = "drained"
    REFUSED = "refused"
    DISPUTED = "disputed"
    """Told again although it no longer holds: nothing changed, and `conflicts` lists it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of one memory: the id it has now, the action, what it replaced, and why."""

    memory_id: str
    action: Action
    superseded: tuple[str, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reads:
    """What the judge must see, read inside the transaction.

    Attributes:
        ids: Memories by id; those that do not exist are simply absent from the view.
        fingerprints: Memories with the same normalised text, and what took their place.
        keys: Claims under the same key.
        pending: Fold at most about this many pending events: the memories with the oldest pending
            events are read with all their pending events; 0 reads none.
        events: Whether the view holds, for every memory read, its events from its checkpoint on.
        cited: Whether the view holds, for every memory read, the active memories that cite it.
        closings: Whether the view holds every closing of the memories read, and by them.
        proposals: Proposals by id; those that do not exist are absent from the view.
        plans: Plans by id; those that do not exist are simply absent from the view.
        tombstones: The tombstones that apply to the bank and were stored or lifted after this
            number; None reads none.
    """

    ids: tuple[str, ...] = ()
    fingerprints: tuple[bytes, ...] = ()
    keys: tuple[str, ...] = ()
    pending: int = 0
    events: bool = False
    cited: bool = False
    closings: bool = False
    proposals: tuple[str, ...] = ()
    plans: tuple[str, ...] = ()
    tombstones: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """What the store read for the judge.

    Attributes:
        bank: The bank as it is now.
        records: Every memory read, by id; a memory whose state was lost is in `stateless` instead.
        same_text: Ids by fingerprint, oldest row first: an entry for each fingerprint asked for.
            Memories without a state are among them.
        same_key: Ids by key, likewise.
        pending: Ids of the memories with pending events that `Reads.pending` asked for, in the
            order in which the events came in. Memories without a state wait until they are
            repaired.
        events: By memory id, its events from its checkpoint on (drained and pending alike), in
            order of (at, event id). Pending events from before the checkpoint are there as well, so
            that they can be marked as drained; a memory without a state has all its events. An
            entry for each memory of `pending`, and for every memory read when `Reads.events` asks
            for them.
        stateless: Memories whose state row is missing, with their internal numbers.
        holds: The bank's holds, by name; always read.
        cited_by: By memory id, the ids of the active memories whose `derived_from` names it, by
            internal number, itself left out. An entry for every memory read that has any, when
            `Reads.cited` asks for them. A memory without a state counts as active.
        closings: Closings of or by the memories read, if `Reads.closings` asks for them; in order
            of (recorded_from, memory id, kind, successor).
        proposals: Those that `Reads.proposals` names, by id.
        plans: The plans that `Reads.plans` asked for, by id.
        tombstones: Those that `Reads.tombstones` asked for, by number.
    """

    bank: Bank
    records: Mapping[str, Record]
    same_text: Mapping[bytes, tuple[str, ...]]
    same_key: Mapping[str, tuple[str, ...]]
    pending: tuple[str, ...]
    events: Mapping[str, tuple[UseEvent, ...]]
    stateless: Mapping[str, tuple[int, Memory]]
    holds: tuple[Hold, ...] = ()
    cited_by: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}))
    closings: tuple[Closing, ...] = ()
    proposals: Mapping[str, Proposal] = field(default_factory=lambda: MappingProxyType({}))
    plans: Mapping[str, Plan] = field(default_factory=lambda: MappingProxyType({}))
    tombstones: tuple[KeptTombstone, ...] = ()

    def require_states(self) -> None:
        """Make sure that every memory read has its state.

        Raises:
            CorruptStoreError: Some lost theirs; a drain gives them one from their own dates.
        """
        if self.stateless:
            lost = ", ".join(sorted(self.stateless))
            raise CorruptStoreError(
                f"these memories lost their state, drain gives them a new one: {lost}",
                fields={"ids": lost},
            )


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
        tombstones: Tombstones to keep under new numbers; one of the same id is replaced.
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
            or self.turned_away
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
