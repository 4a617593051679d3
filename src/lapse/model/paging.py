"""Listing memories page by page, stable while others write.

Decides what a listing can be filtered by and how a page continues. Refuses offsets: a cursor is the
internal number of the last memory seen, so a page never repeats or skips what was there throughout.
"""

from dataclasses import dataclass

from lapse.errors import fault, raise_all
from lapse.model.changeset import Record
from lapse.model.memory import Kind
from lapse.model.retention import Lifecycle

PAGE_LIMIT = 1000
"""Most memories on one page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """What to list.

    Attributes:
        after: Internal number after which to go on; 0 to start.
        limit: 1 to 1000 memories.
        kinds, sessions, lifecycles: Only these; empty for all.
        key, subject, tag: Only memories with exactly this, or None.
        latest_only: Leave out claims that a newer one replaced or that were retracted.
    """

    after: int = 0
    limit: int = 100
    kinds: tuple[Kind, ...] = ()
    sessions: tuple[str, ...] = ()
    lifecycles: tuple[Lifecycle, ...] = ()
    key: str | None = None
    subject: str | None = None
    tag: str | None = None
    latest_only: bool = False

    def __post_init__(self) -> None:
        faults = []
        if isinstance(self.limit, bool) or not 1 <= self.limit <= PAGE_LIMIT:
            faults.append(fault("limit", self.limit, f"needs an integer from 1 to {PAGE_LIMIT}"))
        if self.after < 0:
            faults.append(fault("after", self.after, "needs a cursor from an earlier page"))
        raise_all(faults)


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One page; `next_after` continues, None when this was the last."""

    records: tuple[Record, ...]
    next_after: int | None
