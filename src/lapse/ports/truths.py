"""What a store says of what is no longer so."""

from collections.abc import Sequence
from typing import Protocol

from lapse.model.closing import Closing
from lapse.model.memory import BankRef
from lapse.model.proposal import Proposal, ProposalStatus


class Truths(Protocol):
    """Reads of closings and of what waits for a decision."""

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
