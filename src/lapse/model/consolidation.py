"""What became of a session that was consolidated.

Decides the values that are told of it. Refuses to hold anything of the summary's text.
"""

from dataclasses import dataclass
from enum import StrEnum


class ConsolidationEnding(StrEnum):
    """How a pass over one session ended."""

    DERIVED = "derived"
    """One memory was made of it."""
    NOTHING = "nothing"
    """There was nothing to say that is worth a memory of its own."""
    REFUSED = "refused"
    """What would have been made says what was erased: nothing was stored."""
    FAILED = "failed"
    """The summariser failed: it is tried again later."""
    LEFT = "left"
    """Another process did it meanwhile, or what it read changed: nothing was done here."""


class SummarisedBy(StrEnum):
    """Who wrote a summary."""

    SENTENCES = "sentences"
    """Nobody: it is made of sentences as they stand."""
    MODEL = "model"


@dataclass(frozen=True, slots=True, kw_only=True)
class Consolidated:
    """What became of one session.

    Attributes:
        session: The session.
        ending: How it ended.
        gathered: Importance that it had gathered.
        read: Memories that were read.
        memory_id: The memory that was made, or None.
        sources: How many memories it rests on.
        corroborated: Observations that gained independent proof.
        refused: Sentences that were left out because they say what was erased.
        summarised_by: Who wrote the summary.
    """

    session: str
    ending: ConsolidationEnding
    gathered: float
    read: int
    memory_id: str | None = None
    sources: int = 0
    corroborated: int = 0
    refused: int = 0
    summarised_by: SummarisedBy = SummarisedBy.SENTENCES
