"""A store whole, and what some stores can besides."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol, runtime_checkable

from lapse.model.changeset import ChangeSet, Committed
from lapse.model.instants import Instant
from lapse.model.memory import BankRef
from lapse.model.note import Note, Shelf
from lapse.model.scrubbing import Scrubbed
from lapse.ports.answers import Answers
from lapse.ports.copying import Copying
from lapse.ports.governing import Governing
from lapse.ports.journals import Journals
from lapse.ports.records import Records
from lapse.ports.truths import Truths


@runtime_checkable
class Store(Records, Truths, Governing, Answers, Journals, Copying, Protocol):
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

    def faults(self, ref: BankRef) -> Iterator[str]:
        """What `doctor` should tell: one sentence for each thing that contradicts another."""
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
