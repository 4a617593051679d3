"""The verbs that spare memories from fading.

Decides their signatures. Refuses arithmetic, SQL and rules.
"""

from collections.abc import Iterable

from lapse.bank.base import HOST, BankBase
from lapse.lifecycle import marks
from lapse.model.verbs import Verb


class Marks(BankBase):
    """Pin, unpin, exempt, verify."""

    def pin(self, ids: Iterable[str], *, by: str = HOST) -> int:
        """Keep memories from fading. Returns how many were not pinned before.

        Raises:
            NotFoundError: Some ids are not in this bank; nothing was changed.
            ValidationError: What is no list of ids, or no actor's name.
        """
        return self._mark(Verb.PIN, ids, marks.pin, by, None)

    def unpin(self, ids: Iterable[str], *, by: str = HOST) -> int:
        """Let memories fade again. Returns how many were pinned before.

        Raises:
            NotFoundError: Some ids are not in this bank; nothing was changed.
            ValidationError: What is no list of ids, or no actor's name.
        """
        return self._mark(Verb.UNPIN, ids, marks.unpin, by, None)

    def exempt(self, ids: Iterable[str], *, reason: str | None, by: str = HOST) -> int:
        """Keep memories from fading for a stated reason; None ends the exemption.

        Raises:
            NotFoundError: Some ids are not in this bank; nothing was changed.
            ValidationError: What is no list of ids, a blank reason, or no actor's name.
        """
        return self._mark(Verb.EXEMPT, ids, marks.exempt_for(reason), by, reason)

    def verify_outcome(
        self, ids: Iterable[str], *, reason: str | None = None, by: str = HOST
    ) -> int:
        """Record that what the memories say came true: importance 1, and no fading.

        Raises:
            NotFoundError: Some ids are not in this bank; nothing was changed.
            ValidationError: What is no list of ids, a blank reason, or no actor's name.
        """
        return self._mark(Verb.VERIFY_OUTCOME, ids, marks.verify, by, reason)
