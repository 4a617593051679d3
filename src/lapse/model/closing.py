"""When a memory stopped counting, and whether that was taken back: the history of its truth.

A memory itself says how it stands now (`valid_to`, `recorded_to`, `superseded_by`). What was
believed at an earlier time follows from its closings: each says from when on something was known to
end it, and until when that was believed.

Decides the shape of that history. Refuses to interpret it (`truth`, `recall`).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from lapse.errors import Fault, fault, raise_all
from lapse.model.instants import Instant


class ClosingKind(StrEnum):
    """How a memory stopped counting."""

    SUPERSEDED = "superseded"
    """Another memory without the same key took its place. Claims of one key need no closing: which
    is newer follows from the claims themselves."""

    RETRACTED = "retracted"
    """It was taken back, and nothing was asserted."""


class Undo(StrEnum):
    """What taking a supersession back does to the memory that took the place."""

    RETRACT = "retract"
    """It was told by the act that closed the other: it goes with the act."""

    KEEP = "keep"
    """It stood for itself, and only turned out to replace the other: it stays."""

    REOPEN = "reopen"
    """As `KEEP`; and its start, which was open until it replaced the other, is open again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Closing:
    """One reason why a memory did not count, for as long as that was believed.

    Attributes:
        memory_id: The memory that stopped counting.
        kind: How.
        recorded_from: Since when this is known.
        recorded_to: When it was taken back, exclusive; None while it stands.
        by_id: For SUPERSEDED, the memory in its place; None where it just ended. For RETRACTED, the
            memory whose retraction took it along, because it was made from that one; or None.
        starts_at: For SUPERSEDED, the instant in the world from which it did not hold.
        rest_id: The memory that keeps what still holds of a compound one, or None.
        undo: What becomes of `by_id` when this is taken back.
    """

    memory_id: str
    kind: ClosingKind
    recorded_from: Instant
    recorded_to: Instant | None = None
    by_id: str | None = None
    starts_at: Instant | None = None
    rest_id: str | None = None
    undo: Undo = Undo.KEEP

    def __post_init__(self) -> None:
        raise_all(self._faults())

    @property
    def name(self) -> tuple[str, ClosingKind, str, Instant]:
        """What tells it from every other closing of its bank."""
        return self.memory_id, self.kind, self.by_id or "", self.recorded_from

    def known_at(self, recorded: Instant) -> bool:
        """Whether it was believed at that instant."""
        ended = self.recorded_to is not None and self.recorded_to <= recorded
        return self.recorded_from <= recorded and not ended

    def _faults(self) -> Iterator[Fault]:
        if (self.kind is ClosingKind.SUPERSEDED) != (self.starts_at is not None):
            yield fault("starts_at", self.starts_at, "goes with what was superseded, and only so")
        if self.rest_id is not None and self.kind is not ClosingKind.SUPERSEDED:
            yield fault("rest_id", self.rest_id, "goes only with what was superseded")
        if self.by_id == self.memory_id:
            yield fault("by_id", self.by_id, "nothing ends itself")
        if self.recorded_to is not None and self.recorded_to < self.recorded_from:
            yield fault("recorded_to", self.recorded_to, "must not be earlier than recorded_from")
