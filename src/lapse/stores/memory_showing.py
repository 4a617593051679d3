"""What the in-memory reference shows of memories, and what it says is undecided about them.

Decides nothing but what the protocol says. Refuses to change anything.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence

from lapse.model.memory import BankRef, Memory
from lapse.model.proposal import Proposal, ProposalStatus
from lapse.model.shown import Shown
from lapse.stores.memory_bank import BankData


class Showing(ABC):
    """The reads of a store that an answer needs."""

    @abstractmethod
    def _read(self, ref: BankRef) -> BankData: ...

    def contents(self, ref: BankRef, ids: Sequence[str]) -> list[Memory]:
        """See `lapse.ports.Store.contents`."""
        rows = self._read(ref).rows
        return [rows[each].memory for each in dict.fromkeys(ids) if each in rows]

    def proposals(
        self, ref: BankRef, status: ProposalStatus | None = None, limit: int | None = None
    ) -> list[Proposal]:
        """See `lapse.ports.Store.proposals`."""
        found = self._read(ref).proposals.values()
        return [each for each in found if status in (None, each.status)][:limit]

    def proposals_naming(self, ref: BankRef, ids: Sequence[str]) -> list[Proposal]:
        """See `lapse.ports.Store.proposals_naming`."""
        wanted = set(ids)
        found = self.proposals(ref, ProposalStatus.OPEN)
        return [each for each in found if wanted & set(each.memory_ids)]

    def shown(self, ref: BankRef, ids: Sequence[str]) -> Shown:
        """See `lapse.ports.Store.shown`."""
        memories, proposals = self.contents(ref, ids), self.proposals_naming(ref, ids)
        return Shown(memories=tuple(memories), proposals=tuple(proposals))
