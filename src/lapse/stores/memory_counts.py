"""What the in-memory reference counts of its banks, for raters and for whoever looks.

Decides nothing: it counts what the bank holds.
"""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Sequence

from lapse.model.instants import Instant
from lapse.model.memory import BankRef
from lapse.model.retention import Lifecycle
from lapse.model.tally import Tally
from lapse.model.term_counts import TermCounts
from lapse.stores.memory_bank import BankData
from lapse.stores.memory_graves import Graves


class MemoryCounts(ABC):
    """The part of the store that counts."""

    _graves: Graves

    @abstractmethod
    def _read(self, ref: BankRef) -> BankData:
        """Give the bank as it is now."""

    def term_counts(self, ref: BankRef, terms: Sequence[str]) -> TermCounts:
        """See `lapse.ports.Store.term_counts`."""
        bank = self._read(ref)
        found = {each: bank.terms[each].count for each in terms if each in bank.terms}
        return TermCounts(memory_count=len(bank.rows), frequency=found)

    def tally(self, ref: BankRef, now: Instant, space: int | None) -> Tally:
        """See `lapse.ports.Store.tally`."""
        rows = list(self._read(ref).rows.values())
        states = [each.state for each in rows if each.state is not None]
        memories = [each.memory for each in rows]
        return Tally(
            memories=len(rows),
            by_kind=Counter(each.kind for each in memories),
            by_lifecycle=Counter(each.lifecycle for each in states),
            by_rater=Counter(each.importance_source for each in states),
            current=sum(each.is_latest and each.recorded_to is None for each in memories),
            faded=sum(
                each.lifecycle is Lifecycle.ACTIVE
                and each.fades_at is not None
                and each.fades_at <= now
                for each in states
            ),
            pinned=sum(each.pinned for each in states),
            without_vector=sum(space not in each.vectors for each in rows),
            tombstones=sum(each.lift is None for each in self._graves.made_in(ref)),
        )
