"""What waits for somebody's decision: contradictions, found replacements, things told again.

Decides what a proposal says, how it is named, and what may become of it. Refuses to act on one:
accepting is a verb of its own. It holds no text but what a partial replacement would leave.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from lapse.errors import Fault, fault, raise_all
from lapse.model.finding import ChangeKind
from lapse.model.instants import Instant
from lapse.model.memory import share_faults


class ProposalKind(StrEnum):
    """What is proposed."""

    REPLACE = "replace"
    """The first memory may be what replaces the others: found, but not surely enough to act."""

    RESTATE = "restate"
    """The first memory, which no longer holds, was told again; the others stand in its place."""

    REACTIVATE = "reactivate"
    """The first memory, which is suppressed or archived, was told again without authority."""


class ProposalStatus(StrEnum):
    """What became of a proposal."""

    OPEN = "open"
    ACCEPTED = "accepted"
    DISMISSED = "dismissed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """Something that nobody has decided yet, or how it was decided.

    Attributes:
        kind: What is proposed.
        memory_id: The memory that the proposal is about.
        other_ids: The memories it bears on; see `kind`.
        at: When it first came up.
        by: Who told what brought it up.
        change: For REPLACE, how the others are replaced.
        confidence: In [0, 1]; 1 for what needs no finding.
        evidence: Short names of what spoke for it; never text of a memory.
        rest: For a partial replacement, what would remain of the other.
        until: The instant at which the other ended, where the new one tells it.
        status, decided_at, decided_by, reason: What became of it.
    """

    kind: ProposalKind
    memory_id: str
    at: Instant
    by: str
    other_ids: tuple[str, ...] = ()
    change: ChangeKind | None = None
    confidence: float = 1.0
    evidence: tuple[str, ...] = ()
    rest: str | None = None
    until: Instant | None = None
    status: ProposalStatus = ProposalStatus.OPEN
    decided_at: Instant | None = None
    decided_by: str | None = None
    reason: str | None = None

    def __post_init__(self) -> None:
        raise_all(self._faults())

    @property
    def id(self) -> str:
        """Names the proposal: the same thing proposed again has the same id.

        So what was dismissed once is not asked again.
        """
        # What was told again is one question, whatever stands in its place by now.
        others = () if self.kind is ProposalKind.RESTATE else sorted(self.other_ids)
        parts = (self.kind.value, self.memory_id, *others)
        named = b"".join(len(each.encode()).to_bytes(4) + each.encode() for each in parts)
        return hashlib.sha256(named).hexdigest()[:32]

    @property
    def memory_ids(self) -> tuple[str, ...]:
        """Every memory it names, each once."""
        return tuple(dict.fromkeys((self.memory_id, *self.other_ids)))

    def _faults(self) -> Iterator[Fault]:
        yield from share_faults("confidence", self.confidence)
        if self.memory_id in self.other_ids:
            yield fault("other_ids", self.memory_id, "a memory bears on others, not on itself")
        if (self.kind is ProposalKind.REPLACE) != (self.change is not None):
            yield fault("change", self.change, "goes with a replacement, and only with one")
        if (self.status is ProposalStatus.OPEN) != (self.decided_at is None):
            yield fault("decided_at", self.decided_at, "is set when it is decided, and only then")
