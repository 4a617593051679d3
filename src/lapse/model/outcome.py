"""What became of each item of a write, for whoever asked for it."""

from dataclasses import dataclass
from enum import StrEnum


class Action(StrEnum):
    """What became of one item of a write."""

    CREATED = "created"
    UNCHANGED = "unchanged"
    RECONFIRMED = "reconfirmed"
    UPDATED = "updated"
    ENQUEUED = "enqueued"
    DRAINED = "drained"
    REFUSED = "refused"
    DISPUTED = "disputed"
    """Told again although it no longer holds: nothing changed, and `conflicts` lists it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of one memory: the id it has now, the action, what it replaced, and why."""

    memory_id: str
    action: Action
    superseded: tuple[str, ...] = ()
    note: str = ""
