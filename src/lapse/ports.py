"""What Lapse needs from the outside, as protocols.

Decides the smallest interface of every replaceable part. Refuses to know any implementation: only
`faces/app.py` picks them.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from lapse.model.canary import Canary
from lapse.model.changeset import Bank, ChangeSet, Committed, Record
from lapse.model.closing import Closing
from lapse.model.due import Due, DueAfter, DueBy
from lapse.model.dump import Piece
from lapse.model.hold import Hold
from lapse.model.index_delta import IndexDelta
from lapse.model.instants import Instant
from lapse.model.journal import JournalEntry
from lapse.model.memory import BankRef, Memory, MemoryRef
from lapse.model.note import Note, Shelf
from lapse.model.paging import Listing, Page
from lapse.model.plan import Plan, PlanHead
from lapse.model.proposal import Proposal, ProposalStatus
from lapse.model.retention import UseEvent
from lapse.model.scrubbing import Scrubbed
from lapse.model.sweep import SweepReport
from lapse.model.term_counts import TermCounts
from lapse.model.tombstone import KeptTombstone, TombstoneKey


class Clock(Protocol):
    """Tells the time. Each operation reads it once."""

    def now(self) -> Instant:
        """The present instant."""
        ...


class NewId(Protocol):
    """Makes ids that sort by time and are never made twice."""

    def __call__(self, now: Instant) -> str:
        """Make the next id."""
        ...


class Entropy(Protocol):
    """Gives random bytes for salts and keys."""

    def __call__(self, count: int, /) -> bytes:
        """Give `count` random bytes."""
        ...


class TombstoneKeys(Protocol):
    """Holds the keys that tombstones and receipts are made with."""

    def current(self) -> TombstoneKey:
        """The key for what is erased now, made on first use where there is none yet.

        Raises:
            KeyMissingError: There is none and none can be made.
        """
        ...

    def find(self, key_id: str) -> TombstoneKey | None:
        """A key by its name, current or older; None for one that is not held."""
        ...

    def sign(self, message: bytes) -> tuple[bytes, bytes]:
        """Ed25519 public key (32 bytes) and signature (64) of a receipt; raises as `current`."""
        ...


class Embedder(Protocol):
    """Turns texts into vectors. Vectors of different ids are never compared."""

    @property
    def id(self) -> str:
        """Identity of model, version and dimension."""
        ...

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        ...

    @property
    def vocabulary(self) -> int:
        """Size of the IDF vector it pools with; 0 when it needs none."""
        ...

    def tokens(self, texts: Sequence[str]) -> list[NDArray[np.int64]]:
        """Token ids of each text, with repeats; empty arrays when `vocabulary` is 0."""
        ...

    def embed(self, texts: Sequence[str], idf: NDArray[np.float32] | None) -> NDArray[np.float32]:
        """Vectors, shape (n, dimension), unit length; a text without a known token is all zeros.

        Raises:
            EmbedderError: The vectors could not be made.
        """
        ...


class TokenCounter(Protocol):
    """Counts the tokens that a text costs in a prompt."""

    def __call__(self, text: str, /) -> int:
        """Count the tokens of one text."""
        ...


class Reranker(Protocol):
    """Scores texts against a query, each in [0, 1]."""

    def __call__(self, query: str, texts: Sequence[str], /) -> Sequence[float]:
        """One score in [0, 1] for each text, in order."""
        ...


@runtime_checkable
class Store(Protocol):
    """Keeps and fetches. It never ranks and never decides.

    Every read is confined to one bank. Reads see all that was committed before they began.
    """

    def commit(self, change: ChangeSet) -> Committed:
        """Read, judge and write in one transaction.

        Raises:
            LapseError: Whatever the judge raised; nothing was written.
            StoreError: The store could not; nothing was written.
        """
        ...

    def commit_each(self, changes: Iterable[ChangeSet]) -> list[Committed]:
        """`commit` one after another, to any banks of one tenant, in one transaction.

        Each sees what those before it wrote. They are drawn one by one: they need not fit into RAM.
        Whatever a judge, or drawing the next one, raises, nothing was written.
        """
        ...

    def dump(self, ref: BankRef) -> Iterator[Piece]:
        """All that is kept of a bank, in the order of `Piece`, as it was when the first was drawn.

        Tombstones are all that apply to it. Exhaust the iterator, or close it. A memory without a
        state raises `CorruptStoreError`.
        """
        ...

    def copied(self, ref: BankRef) -> list[JournalEntry]:
        """The journal's entries by whose verbs something left the bank (`VerbSpec.copies`)."""
        ...

    def copies(self, ref: BankRef, ids: Sequence[str]) -> Mapping[str, tuple[MemoryRef, ...]]:
        """By memory, its copies in the tenant's banks, by bank and number; who has none is out."""
        ...

    def bank(self, ref: BankRef) -> Bank | None:
        """The bank's record, or None when it was never written to."""
        ...

    def banks(self, tenant: str) -> list[Bank]:
        """All banks of a tenant, by name."""
        ...

    def refs(self) -> list[BankRef]:
        """Every bank of every tenant, by tenant and name. For upkeep alone: no face shows it."""
        ...

    def get(self, ref: BankRef, ids: Sequence[str]) -> list[Record]:
        """Memories by id, in the order asked; unknown ids are left out, repeats answered once."""
        ...

    def contents(self, ref: BankRef, ids: Sequence[str]) -> list[Memory]:
        """What memories say, in the order of `get`, state or no state; less to read."""
        ...

    def count(self, ref: BankRef) -> int:
        """How many memories the bank holds, whatever their lifecycle; cheap."""
        ...

    def active(self, ref: BankRef) -> int:
        """How many of them are active; cheap."""
        ...

    def due(
        self, ref: BankRef, by: DueBy, until: Instant, after: DueAfter, limit: int
    ) -> list[Due]:
        """Active memories whose date has come by `until`, inclusive, in order of date and row.

        By `DueBy.ARCHIVED`, archived memories in order of when they were archived; one whose last
        move nobody noted has no date. Costs what it gives, whatever the bank holds: memories that
        stand elsewhere, whose date has not come or that have none are not read.
        """
        ...

    def sweeps(self, ref: BankRef, limit: int) -> list[SweepReport]:
        """The latest reports of sweeps, oldest first."""
        ...

    def canaries(self, ref: BankRef) -> list[Canary]:
        """Every canary, in the order they were first added."""
        ...

    def holders(self, ref: BankRef, canonicals: Sequence[str]) -> list[str]:
        """Ids of the memories whose current content names any of these, by internal number.

        A name is looked up by the canonical form of an identifier alone, whatever its type.
        """
        ...

    def term_counts(self, ref: BankRef, terms: Sequence[str]) -> TermCounts:
        """How many memories there are, and in how many each of these terms occurs; cheap."""
        ...

    def versions(self, ref: BankRef, memory_id: str) -> list[Memory]:
        """Earlier content versions, oldest first; the current one is not among them."""
        ...

    def page(self, ref: BankRef, listing: Listing) -> Page:
        """Memories in order of internal number, from after a cursor; stable under writes."""
        ...

    def changes(self, ref: BankRef, since: int) -> IndexDelta:
        """What changed after revision `since`; 0 gives everything."""
        ...

    def revision(self, ref: BankRef) -> int:
        """The bank's revision, 0 when it does not exist. Cheap: asked before every recall."""
        ...

    def events(self, ref: BankRef, memory_ids: Sequence[str]) -> list[UseEvent]:
        """All kept events of these memories, in order of (at, memory id, event id)."""
        ...

    def pending_count(self, ref: BankRef) -> int:
        """How many events wait to be folded in."""
        ...

    def missing_vectors(self, ref: BankRef, space: int, limit: int) -> list[Record]:
        """Memories, by internal number, that have no vector of their current content in `space`."""
        ...

    def stateless(self, ref: BankRef) -> list[str]:
        """Ids of memories whose state is missing, by internal number."""
        ...

    def holds(self, ref: BankRef) -> list[Hold]:
        """The bank's legal holds, by name."""
        ...

    def cited_by(self, ref: BankRef, ids: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
        """`View.cited_by` of these memories; who is cited by none is left out."""
        ...

    def plan(self, ref: BankRef, plan_id: str) -> Plan | None:
        """A plan with what has become of it, or None."""
        ...

    def plans(self, ref: BankRef, limit: int) -> list[PlanHead]:
        """The bank's latest plans without their items, the newest first, then by id."""
        ...

    def journal(self, ref: BankRef, after: int, limit: int) -> list[JournalEntry]:
        """Journal entries with a number above `after`, in order."""
        ...

    def journal_head(self, ref: BankRef) -> tuple[int, bytes]:
        """Number and hash of the latest entry, as noted apart from it; (0, GENESIS) for none."""
        ...

    def journal_of(self, ref: BankRef, memory_id: str) -> list[JournalEntry]:
        """The entries that name a memory, in order; none for a memory that is not there."""
        ...

    def closings(self, ref: BankRef, ids: Sequence[str] | None = None) -> list[Closing]:
        """Closings of or by these memories, or all of the bank's.

        In order of (recorded_from, memory id, kind, successor).
        """
        ...

    def proposals(
        self, ref: BankRef, status: ProposalStatus | None = None, limit: int | None = None
    ) -> list[Proposal]:
        """Proposals of one status, or all, in the order in which they came up."""
        ...

    def proposals_naming(self, ref: BankRef, ids: Sequence[str]) -> list[Proposal]:
        """Open proposals that name any of these memories, in the order in which they came up."""
        ...

    def tombstones(self, ref: BankRef, after: int, limit: int) -> list[KeptTombstone]:
        """Tombstones that apply to the bank with a number above `after`, by number.

        Those of the bank, and those of the tenant's other banks that apply to all of them; lifted
        ones are among them. A bank that does not exist may have some.
        """
        ...

    def faults(self, ref: BankRef) -> Iterator[str]:
        """What `doctor` should tell: one sentence for each thing that contradicts another."""
        ...

    def derived(self, ref: BankRef, ids: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
        """By memory, all that cite it wherever they stand; who is cited by none is left out."""
        ...

    def scrub(self, needles: Sequence[bytes]) -> Scrubbed:
        """See to it that nothing removed is left where the store is kept, and look.

        Logs are emptied into their files and what is free is overwritten; whatever still holds one
        of the needles is written anew and searched again. Needles are in no error and no log.
        """
        ...

    def size_bytes(self) -> int:
        """Bytes the whole store takes where it is kept; 0 when only in RAM."""
        ...

    def backup(self, path: str) -> None:
        """Write a consistent copy of the whole store while it stays open.

        Raises:
            StoreError: The path exists or cannot be written, or the store keeps nothing to copy.
        """
        ...

    def close(self) -> None:
        """Release everything. Later calls raise `StoreError`; closing twice is allowed."""
        ...


@runtime_checkable
class Leasing(Protocol):
    """Capability of a store: workers agree who of them does what.

    A lease only spares double work. Nothing relies on it for being right: whoever acts is judged
    inside the transaction.
    """

    def take_lease(
        self, ref: BankRef, name: str, holder: str, *, now: Instant, until: Instant
    ) -> bool:
        """Take, or take on, the lease of that name for a bank.

        Returns:
            Whether it is the holder's now. It is not while somebody else's holds: until its end,
            and only where that is not further off than twice the span asked for, which no clock
            but one that was set back would give. A bank that does not exist gives no lease.
        """
        ...

    def leave_lease(self, ref: BankRef, name: str, holder: str) -> None:
        """Give the lease back; nothing happens where it is somebody else's."""
        ...


class Notes(Protocol):
    """Keeps the notes of the faces, whole and one by one."""

    def get(self, shelf: Shelf, name: str) -> Note | None:
        """A note by its name, or None."""
        ...

    def on(self, shelf: Shelf) -> list[Note]:
        """Every note of a shelf, by name."""
        ...

    def put(self, note: Note) -> bool:
        """Keep a note if its version is the next one, 1 for a new one. Says whether it did."""
        ...

    def clear(self, shelf: Shelf, place: str) -> int:
        """Drop every note of a shelf that belongs to a place. Returns how many."""
        ...

    def expire(self, now: Instant) -> int:
        """Drop what need not be kept any longer, `until` inclusive. Returns how many."""
        ...


@runtime_checkable
class KeepsNotes(Protocol):
    """Capability of a store: it keeps notes beside the banks, for every process that opens it."""

    @property
    def notes(self) -> Notes:
        """The notes."""
        ...
