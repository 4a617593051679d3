"""What a store says of what was done."""

from typing import Protocol

from lapse.model.journal import JournalEntry
from lapse.model.memory import BankRef
from lapse.model.verbs import Verb


class Journals(Protocol):
    """Reads of the journal."""

    def journal(self, ref: BankRef, after: int, limit: int) -> list[JournalEntry]:
        """Journal entries with a number above `after`, in order."""
        ...

    def journal_head(self, ref: BankRef) -> tuple[int, bytes]:
        """Number and hash of the latest entry, as noted apart from it; (0, GENESIS) for none."""
        ...

    def words(self, ref: BankRef) -> list[str]:
        """What persons wrote beside memories, each different text once, sorted.

        Reasons and what they are about in the journal; why memories are exempt or were moved; names
        and reasons of holds; reasons of approvals, of decided proposals and of lifted tombstones.
        """
        ...

    def journal_of(self, ref: BankRef, memory_id: str) -> list[JournalEntry]:
        """The entries that name a memory, in order; none for a memory that is not there."""
        ...

    def journal_by(self, ref: BankRef, verb: Verb, after: int) -> list[JournalEntry]:
        """The entries of one verb with a number above `after`, in order."""
        ...
