"""How a bank, or a whole store, leaves for another place."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

from lapse.model.dump import Piece
from lapse.model.journal import JournalEntry
from lapse.model.memory import BankRef, MemoryRef


class Copying(Protocol):
    """Reads and writes of whole banks, and of where copies of memories are."""

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

    def backup(self, path: str) -> None:
        """Write a consistent copy of the whole store while it stays open.

        Raises:
            StoreError: The path exists or cannot be written, or the store keeps nothing to copy.
        """
        ...
