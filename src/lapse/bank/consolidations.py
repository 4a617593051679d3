"""The verb that derives memories from what sessions have gathered.

Decides its signature. Refuses arithmetic, SQL and rules.
"""

from collections.abc import Sequence

from lapse.bank.base import HOST, BankBase
from lapse.engine import consolidating
from lapse.engine.untyped import as_name
from lapse.model.consolidation import Consolidated
from lapse.model.verbs import Verb


class Consolidations(BankBase):
    """Consolidate sessions."""

    def consolidate(self, session: str | None = None, *, by: str = HOST) -> Sequence[Consolidated]:
        """Derive one memory from what each session has gathered, with its sources.

        Upkeep does it by itself where `reflection.enabled` says so; this does it now, whatever the
        policy says. What was read once is not read again.

        Args:
            session: Only this one, however little it has gathered; all that are due if left out.
            by: Who asks for it, for the journal.

        Returns:
            What became of each session that was looked at. Empty where nothing is due, or another
            process is at it.

        Raises:
            ValidationError: A blank or over-long name.
        """
        named = None if session is None else as_name("session", session)
        writing = self._writing(Verb.CONSOLIDATE, by)
        return consolidating.consolidate(self._core, self._runtime, writing, named)
