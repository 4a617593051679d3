"""What a store says of memories: who they are, what they say, where they stand."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from lapse.model.bank import Bank
from lapse.model.index_delta import IndexDelta
from lapse.model.instants import Instant
from lapse.model.memory import BankRef, Memory
from lapse.model.paging import Listing, Page
from lapse.model.record import Record
from lapse.model.shown import Shown
from lapse.model.tally import Tally
from lapse.model.term_counts import TermCounts


class Records(Protocol):
    """Reads of memories. Each is confined to one bank but for `banks` and `refs`."""

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

    def shown(self, ref: BankRef, ids: Sequence[str]) -> Shown:
        """`contents`, and `proposals_naming` of the same ids. Cheap: asked by every recall."""
        ...

    def count(self, ref: BankRef) -> int:
        """How many memories the bank holds, whatever their lifecycle; cheap."""
        ...

    def active(self, ref: BankRef) -> int:
        """How many of them are active; cheap."""
        ...

    def tally(self, ref: BankRef, now: Instant, space: int | None) -> Tally:
        """How the bank's memories stand at an instant, counted where they lie.

        Args:
            ref: The bank; of one that does not exist nothing but its tombstones is counted.
            now: What fades by then has faded.
            space: Whose vectors are counted; without one, none has a vector.
        """
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

    def missing_vectors(self, ref: BankRef, space: int, limit: int) -> list[Record]:
        """Memories, by internal number, that have no vector of their current content in `space`."""
        ...

    def stateless(self, ref: BankRef) -> list[str]:
        """Ids of memories whose state is missing, by internal number."""
        ...

    def holders(self, ref: BankRef, canonicals: Sequence[str]) -> list[str]:
        """Ids of the memories whose current content names any of these, by internal number.

        A name is looked up by the canonical form of an identifier alone, whatever its type.
        """
        ...

    def term_counts(self, ref: BankRef, terms: Sequence[str]) -> TermCounts:
        """How many memories there are, and in how many each of these terms occurs; cheap."""
        ...

    def cited_by(self, ref: BankRef, ids: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
        """`View.cited_by` of these memories; who is cited by none is left out."""
        ...

    def derived(self, ref: BankRef, ids: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
        """By memory, all that cite it wherever they stand; who is cited by none is left out."""
        ...
