"""What to look for where a store is kept, after content was removed from it.

Decides which byte sequences stand for a memory: pieces short enough to lie within one page of a
file. Refuses to look.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Final

from lapse.model.memory import Memory

MOST: Final = 64
"""Memories whose bytes are looked for; each search reads the whole file."""

_PIECE_BYTES: Final = 48


def needles_of(memories: Iterable[Memory]) -> Iterator[bytes]:
    """Byte sequences of the first `MOST` memories that went."""
    for memory in islice(memories, MOST):
        yield from _pieces(memory)


def _pieces(memory: Memory) -> Sequence[bytes]:
    data = memory.text.encode()
    if len(data) <= _PIECE_BYTES:
        return (data,)
    middle = (len(data) - _PIECE_BYTES) // 2
    return (data[:_PIECE_BYTES], data[middle : middle + _PIECE_BYTES], data[-_PIECE_BYTES:])
