"""What the in-memory reference tells a rater of its banks.

Decides nothing: it counts what the bank holds.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence

from lapse.model.memory import BankRef
from lapse.model.term_counts import TermCounts
from lapse.stores.memory_bank import BankData


class MemoryCounts(ABC):
    """The part of the store that a rater asks."""

    @abstractmethod
    def _read(self, ref: BankRef) -> BankData:
        """Give the bank as it is now."""

    def term_counts(self, ref: BankRef, terms: Sequence[str]) -> TermCounts:
        """See `lapse.ports.Store.term_counts`."""
        bank = self._read(ref)
        found = {each: bank.terms[each].count for each in terms if each in bank.terms}
        return TermCounts(memory_count=len(bank.rows), frequency=found)
