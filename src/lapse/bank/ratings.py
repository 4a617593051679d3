"""The verbs that rate what is stored.

Decides their signatures. Refuses arithmetic, SQL and rules.
"""

from lapse.bank.base import HOST, BankBase
from lapse.engine import awaited
from lapse.engine.embedding import Progress, no_progress
from lapse.model.rating import RatingRun


class Ratings(BankBase):
    """Rate, and rate what was told without a rating."""

    def rate(self, *, by: str = HOST, progress: Progress = no_progress) -> RatingRun:
        """Have the background model rate all that waits for it, now.

        Upkeep does it by itself where `importance.rater` is `llm`. What was rated is not rated
        again.

        Args:
            by: Who asks for it, for the journal.
            progress: Called with (settled, at least so many in all).

        Raises:
            ValidationError: `importance.rater` is off, or is llm and there is no model to ask; or
                no actor's name.
        """
        return awaited.rate_waiting(self._core, self._runtime, by, progress)

    def backfill_ratings(self, *, by: str = HOST, progress: Progress = no_progress) -> RatingRun:
        """Rate all that nobody rated when it was told, then do what `rate` does.

        The heuristic reads a text against the bank as it is now. Repeated, it finds nothing to do.
        What is archived is passed over, and rated when it is asked for again once it is back.
        Without a model, what waits for one goes on waiting, and is counted.

        Args:
            by: Who asks for it, for the journal.
            progress: Called with (settled, at least so many in all).

        Raises:
            ValidationError: `importance.rater` is off, or no actor's name.
        """
        return awaited.backfill(self._core, self._runtime, by, progress)
