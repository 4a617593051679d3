"""Listing memories page by page, stable while others write.

Decides what a listing can be filtered by and how a page continues. Refuses offsets: a cursor is the
internal number of the last memory seen, so a page never repeats or skips what was there throughout.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from lapse.errors import Fault, fault, raise_all
from lapse.model.memory import Kind
from lapse.model.record import Record
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
        raise_all(self._faults())

    def _faults(self) -> Iterator[Fault]:
        if not _is_integer(self.limit) or not 1 <= self.limit <= PAGE_LIMIT:
            yield fault("limit", self.limit, f"needs an integer from 1 to {PAGE_LIMIT}")
        if not _is_integer(self.after) or self.after < 0:
            yield fault("after", self.after, "needs a cursor from an earlier page")
        yield from _members_faults("kinds", self.kinds, Kind)
        yield from _members_faults("sessions", self.sessions, str)
        yield from _members_faults("lifecycles", self.lifecycles, Lifecycle)
        for name in ("key", "subject", "tag"):
            yield from _class_faults(name, getattr(self, name), (str, type(None)), "needs text")
        yield from _class_faults("latest_only", self.latest_only, bool, "needs true or false")


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One page; `next_after` continues, None when this was the last."""

    records: tuple[Record, ...]
    next_after: int | None


def _is_integer(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _members_faults(name: str, value: object, member: type) -> Iterator[Fault]:
    if not isinstance(value, list | tuple) or not all(isinstance(each, member) for each in value):
        yield fault(name, value, f"needs a list of {name}, each a {member.__name__}")


def _class_faults(
    name: str, value: object, wanted: type | tuple[type, ...], problem: str
) -> Iterator[Fault]:
    if not isinstance(value, wanted):
        yield fault(name, value, problem)
