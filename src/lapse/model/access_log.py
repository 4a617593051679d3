"""What happened to memories and when, as ids and instants alone: the line of an access log.

Decides which happenings there are, and the order of a log. Refuses to hold a text, and to say what
follows from a happening.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from lapse.model.instants import Instant


class Happening(StrEnum):
    """What happened to a memory. Those of one instant come in this order."""

    CREATED = "created"
    USED = "used"
    RETURNED = "returned"
    REJECTED = "rejected"
    SUPERSEDED = "superseded"
    """Another took its place, or it was taken back: it can no longer be needed."""
    SUPPRESSED = "suppressed"
    """It was put out of recall, whether or not it stayed in the index: it cannot be returned."""
    RESTORED = "restored"
    """What had put it out of recall, or ended it, was taken back."""
    DELETED = "deleted"


_PLACES: Final = {each: place for place, each in enumerate(Happening)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One line of a log.

    Attributes:
        at: When, in microseconds UTC.
        memory: Its id.
        event: What happened.
    """

    at: Instant
    memory: str
    event: Happening


def laid_out(entries: Iterable[Entry]) -> list[Entry]:
    """Entries in order of (at, happening, id): the same log, whatever order it was gathered in."""
    return sorted(entries, key=lambda each: (each.at, _PLACES[each.event], each.memory))
