"""The answers that the in-memory reference keeps.

Decides nothing but what the protocol says. Refuses to compare questions and to look at dates.
"""

from abc import ABC, abstractmethod

from lapse.model.answer import KeptAnswer
from lapse.model.memory import BankRef
from lapse.stores.memory_bank import BankData
from lapse.stores.memory_views import answers_of


class Answering(ABC):
    """The reads of a store that the cache of answers needs."""

    @abstractmethod
    def _read(self, ref: BankRef) -> BankData: ...

    def answers(self, ref: BankRef, after: int = 0) -> list[KeptAnswer]:
        """See `lapse.ports.Store.answers`."""
        return list(answers_of(self._read(ref), after))

    def answer(self, ref: BankRef, answer_id: str) -> KeptAnswer | None:
        """See `lapse.ports.Store.answer`."""
        return self._read(ref).answers.get(answer_id)

    def answer_count(self, ref: BankRef) -> int:
        """See `lapse.ports.Store.answer_count`."""
        return len(self._read(ref).answers)
