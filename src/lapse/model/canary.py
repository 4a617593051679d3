"""Canaries: questions with the answers they should keep having.

A sweep asks them before and after, so that forgetting too much is noticed by a number and not by a
user. Decides what a canary is. Refuses to ask it.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from lapse.errors import Fault, fault, raise_all
from lapse.model.instants import Instant
from lapse.model.memory import line_faults, name_faults

QUERY_LIMIT = 4096
"""Longest question of a canary, in characters."""

EXPECTED_LIMIT = 100
"""Most memories that one canary expects."""


class CanarySource(StrEnum):
    """Where a canary's answers come from."""

    GIVEN = "given"
    """Somebody named them."""
    CAPTURED = "captured"
    """A real recall gave them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Canary:
    """One question, and the memories that should be among its answers.

    Attributes:
        query: The question. A bank has one canary for each.
        expected_ids: 1 to 100 ids, each once.
        source: Where the ids come from.
        added_at, by: When, and who added it.
    """

    query: str
    expected_ids: tuple[str, ...]
    source: CanarySource
    added_at: Instant
    by: str

    def __post_init__(self) -> None:
        raise_all(self._faults())

    @property
    def id(self) -> str:
        """Name of the canary: a digest of its question, 16 hexadecimal digits."""
        return hashlib.sha256(self.query.encode("utf-8", "surrogatepass")).hexdigest()[:16]

    def _faults(self) -> Iterator[Fault]:
        if not 1 <= len(self.query) <= QUERY_LIMIT:
            yield fault("query", len(self.query), f"needs text of 1 to {QUERY_LIMIT} characters")
        else:
            yield from line_faults("query", self.query)
        if not 1 <= len(self.expected_ids) <= EXPECTED_LIMIT:
            problem = f"needs 1 to {EXPECTED_LIMIT} ids"
            yield fault("expected_ids", len(self.expected_ids), problem)
        if len(set(self.expected_ids)) < len(self.expected_ids):
            yield fault("expected_ids", self.expected_ids, "names a memory twice")
        for at, each in enumerate(self.expected_ids):
            yield from name_faults(f"expected_ids[{at}]", each)


@dataclass(frozen=True, slots=True, kw_only=True)
class CanaryResult:
    """What became of one canary.

    Attributes:
        id: The canary.
        found, expected: How many of the expected memories were among the first k answers.
        missing: Ids of those that were not.
    """

    id: str
    found: int
    expected: int
    missing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CanaryCheck:
    """What all canaries of a bank gave at one instant.

    Attributes:
        at: When they were asked.
        k: How many answers each was given.
        recall: Mean over the canaries of found/expected, in [0, 1]; None without canaries.
        results: Each canary, in the order they were added.
    """

    at: Instant
    k: int
    recall: float | None
    results: tuple[CanaryResult, ...] = ()
