"""What a new statement replaces: the question that a finder is asked, and its answer.

Decides the values that pass between whoever writes and whoever finds. Refuses to find (`truth`) and
to act: below the policy's level of confidence a finding becomes a proposal, nothing else.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from lapse.errors import Fault, fault, raise_all
from lapse.model.instants import Instant


class ChangeKind(StrEnum):
    """How a new statement bears on an old one."""

    REPLACEMENT = "replacement"
    """Another value of the same matter: "lives in Rome" after "lives in Berlin"."""

    POLARITY = "polarity"
    """The same matter, affirmed or denied the other way round."""

    RETRACTION = "retraction"
    """The old one was never so, or is not so any more, and nothing stands in its place."""

    PARTIAL = "partial"
    """One clause of a compound statement is replaced; the rest still holds."""

    BOUNDED = "bounded"
    """The old one held until an instant that the new one names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """A memory, or what is about to become one, as far as finding looks at it.

    Attributes:
        id: Of the memory; of the new statement, the id it will have.
        text: What it says.
        key, subject, session: As in `Draft`.
        occurred_at: When what it tells of happened, or None.
        recorded_from: When it was told.
        similarity: To the query if there is one, else to the new statement, in [0, 1]; 1 for the
            new statement itself.
    """

    id: str
    text: str
    recorded_from: Instant
    key: str | None = None
    subject: str | None = None
    session: str | None = None
    occurred_at: Instant | None = None
    similarity: float = 1.0

    def __post_init__(self) -> None:
        if not 0 <= self.similarity <= 1:
            raise_all([fault("similarity", self.similarity, "needs a number from 0 to 1")])


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One answer: these statements are no longer so, in this way.

    Attributes:
        ids: The statements replaced, best first; exactly one for PARTIAL.
        kind: How.
        confidence: In [0, 1] that this is what the new statement means.
        evidence: Short names of what spoke for it, such as `same template`; never text of a memory.
        clause: For PARTIAL, the part of the old text that no longer holds, as it stands there.
        rest: For PARTIAL, what remains, as a statement that can stand alone.
        until: For BOUNDED, the instant at which the old one ended. For any other change, where the
            new statement says from when on it holds, that instant.
    """

    ids: tuple[str, ...]
    kind: ChangeKind
    confidence: float
    evidence: tuple[str, ...] = ()
    clause: str | None = None
    rest: str | None = None
    until: Instant | None = None

    def __post_init__(self) -> None:
        raise_all(self._faults())

    def _faults(self) -> Iterator[Fault]:
        if not self.ids:
            yield fault("ids", self.ids, "needs at least one statement that is replaced")
        if not 0 <= self.confidence <= 1:
            yield fault("confidence", self.confidence, "needs a number from 0 to 1")
        if (self.kind is ChangeKind.PARTIAL) != (self.rest is not None):
            yield fault("rest", "…", "goes with a partial change, and only with one")
        if self.kind is ChangeKind.PARTIAL and len(self.ids) != 1:
            yield fault("ids", len(self.ids), "a partial change is of exactly one statement")
        if self.kind is ChangeKind.BOUNDED and self.until is None:
            yield fault("until", self.until, "is needed for a bounded change")


class Finder(Protocol):
    """Finds what a new statement replaces. Pure: equal questions have equal answers.

    The order of the candidates must not matter. No statement is in two findings.
    """

    def __call__(
        self, new: Statement, candidates: Sequence[Statement], query: str | None = None, /
    ) -> Sequence[Finding]:
        """Find what is replaced.

        Args:
            new: The new statement.
            candidates: What may be replaced: all of it standing, told before or with the new one.
            query: What the caller says is replaced ("where Ann lives"), or None: then the new
                statement alone must tell.

        Returns:
            Findings, surest first; none where nothing is replaced.
        """
        ...
