"""A memory as it is written and as it is kept.

Decides what a store keeps beside a memory's words. Refuses to know how.
"""

from dataclasses import dataclass

from lapse.model.memory import Memory, TextFacets
from lapse.model.retention import RetentionState


@dataclass(frozen=True, slots=True, kw_only=True)
class Vector:
    """A memory's vector: little-endian float32, unit length, in one space."""

    space: int
    data: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """A stored memory with its state; `row` is its internal number, never reused."""

    row: int
    memory: Memory
    state: RetentionState


@dataclass(frozen=True, slots=True, kw_only=True)
class NewRecord:
    """A memory to insert, with all that the store keeps beside it.

    Attributes:
        number: The number that the bank's journal gives it, for one that was taken over with its
            bank; None for the next.
        versions: Earlier content versions, oldest first.
    """

    memory: Memory
    state: RetentionState
    facets: TextFacets
    salt: bytes
    vector: Vector | None = None
    number: int | None = None
    versions: tuple[Memory, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ContentChange:
    """A new content version of a stored memory; the store keeps the version before it."""

    memory: Memory
    facets: TextFacets
    vector: Vector | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class VectorChange:
    """A vector for the given content version; ignored when the memory has moved on."""

    memory_id: str
    content_version: int
    vector: Vector
