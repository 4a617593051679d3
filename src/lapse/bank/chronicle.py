"""The verbs that read the journal.

Decides their signatures. Refuses arithmetic, SQL and rules.
"""

from lapse.bank.base import BankBase
from lapse.engine import chronicle
from lapse.engine.chronicle import History, JournalCheck
from lapse.engine.untyped import as_name


class Chronicle(BankBase):
    """History, verify_journal."""

    def history(self, id: str) -> History:  # noqa: A002 - the field's own name, as everywhere
        """What a memory lived through: told, changed, used, put away, brought back, by whom, why.

        Raises:
            NotFoundError: No such memory in this bank.
        """
        return chronicle.history(self._core, self._runtime, as_name("id", id))

    def verify_journal(self) -> JournalCheck:
        """Whether the bank's journal is whole; names the first entry that is not as written."""
        return chronicle.verify_journal(self._core, self._runtime)
