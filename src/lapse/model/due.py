"""What is due: memories whose date has come, as an index gives them.

Decides how what is due is asked for and paged through. Refuses to say what is done about it: being
due is a date, and a guard may spare the memory all the same.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from lapse.model.instants import EARLIEST, Instant


class DueBy(StrEnum):
    """Which of a memory's dates has come."""

    EXPIRY = "expiry"
    """`RetentionState.expires_at`."""
    FADING = "fading"
    """`RetentionState.fades_at`."""
    ARCHIVED = "archived"
    """When it was archived; of archived memories, not of active ones."""


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class DueAfter:
    """A cursor: go on after this date, and on this date after this internal number."""

    at: Instant
    row: int


FROM_THE_START: Final = DueAfter(at=EARLIEST, row=0)
"""The cursor before everything that is due."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Due:
    """One memory whose date has come: an active one, or by `DueBy.ARCHIVED` an archived one.

    Attributes:
        memory_id: Which.
        at: The date.
        row: Internal number.
    """

    memory_id: str
    at: Instant
    row: int

    @property
    def place(self) -> DueAfter:
        """The cursor to go on from."""
        return DueAfter(at=self.at, row=self.row)
