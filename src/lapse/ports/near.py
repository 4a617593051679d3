"""What a store can do for a bank that is too large for RAM."""

from typing import Protocol, runtime_checkable

from lapse.model.memory import BankRef
from lapse.model.near import Near, Wanted


@runtime_checkable
class SearchesNear(Protocol):
    """Capability of a store: it finds candidates in a bank by its own indexes, approximately.

    It may miss some that an exact search would find. It never gives another bank's, nor one that
    was removed, and what it gives is as it stands now: ranking and explaining it is not its task.
    """

    def near(self, ref: BankRef, wanted: Wanted) -> Near | None:
        """Candidates for a question, among all that was written until now.

        Returns:
            None while the bank has no such index, or one of other vectors: `follow_near` makes it.
        """
        ...

    def follow_near(self, ref: BankRef) -> bool:
        """Bring the bank's index up to the present, or make it, which takes minutes for millions.

        Returns:
            Whether there is one now. There is none where the store cannot make it.
        """
        ...
