"""The verbs that look without asking a question.

Decides their signatures. Refuses arithmetic, SQL and rules.
"""

from collections.abc import Sequence

from lapse.bank.base import BankBase
from lapse.engine import reading
from lapse.engine.reading import Stats
from lapse.engine.untyped import as_given, as_name
from lapse.model.paging import Listing, Page
from lapse.model.record import Record


class Reads(BankBase):
    """Get, list, count, diagnose."""

    def get(self, id: str) -> Record:  # noqa: A002 - the field's own name, as everywhere
        """One memory with its state, whatever its lifecycle. Looking changes nothing.

        Raises:
            NotFoundError: No such memory in this bank.
        """
        return reading.fetch(self._core, self._runtime, [as_name("id", id)])[0]

    def list(self, listing: Listing | None = None) -> Page:
        """Memories page by page, in the order they were stored; stable while others write.

        Raises:
            ValidationError: `listing` is something else than a `Listing`.
        """
        return self._core.page(self.ref, as_given("listing", listing, Listing()))

    def stats(self, *, history: bool = False) -> Stats:
        """What can be counted about the bank.

        Args:
            history: Whether to tell of the latest sweeps too.

        Raises:
            ValidationError: `history` is neither true nor false.
        """
        told = as_given("history", history, otherwise=False)
        return reading.count(self._core, self._runtime, history=told)

    def doctor(self) -> Sequence[str]:
        """One sentence for each thing that contradicts another; none when all is well."""
        return reading.diagnose(self._core, self._runtime)
