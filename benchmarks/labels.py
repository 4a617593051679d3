"""A stand-in for a perfect model: a finder that reads the labels of a corpus.

Decides only what the labels say: which telling makes which other stale. Refuses to read a text.
What it reaches is the ceiling for any hook, since a hook is asked about the candidates that recall
brings, and its answer is acted on as that of the rules is.
"""

from collections.abc import Sequence

from benchmarks.updates import Story
from lapse.model.finding import ChangeKind, Finding, Statement


class Labels:
    """A `lapse.model.finding.Finder` that knows the answers."""

    def __init__(self, stories: Sequence[Story]) -> None:
        """Note which text makes which other stale."""
        self._stale = {
            (story.told[fresh].text, story.told[stale].text)
            for story in stories
            for update in story.updates
            for fresh in update.fresh
            for stale in update.stale
        }

    def __call__(
        self,
        new: Statement,
        candidates: Sequence[Statement],
        query: str | None = None,  # noqa: ARG002 - nothing is corrected by a query here
        /,
    ) -> Sequence[Finding]:
        """Everything that the labels call stale from this telling on, with certainty."""
        return [
            Finding(ids=(each.id,), kind=ChangeKind.REPLACEMENT, confidence=1.0)
            for each in candidates
            if (new.text, each.text) in self._stale
        ]
