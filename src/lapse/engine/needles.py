"""What to look for where a store is kept, after content was removed from it.

Decides which byte sequences stand for a memory: pieces short enough to lie within one page of a
file. Refuses to look.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Final

from lapse.model.answer import CachedAnswer
from lapse.model.memory import Memory

MOST: Final = 64
"""Memories whose bytes are looked for; each search reads the whole file."""

_PIECE_BYTES: Final = 48

_LONGEST_WORDS: Final = 1_000
"""Longer texts lie across pages of a file, where they are not found whole."""


def needles_of(memories: Iterable[Memory]) -> Iterator[bytes]:
    """Byte sequences of the first `MOST` memories that went."""
    for memory in islice(memories, MOST):
        yield from _pieces(memory.text)


def needles_of_words(texts: Iterable[str]) -> Iterator[bytes]:
    """Byte sequences of the first `MOST` texts that went from beside memories.

    Each is looked for whole, as text and as JSON writes it: two reasons may begin alike.
    """
    for text in islice(texts, MOST):
        if len(text) <= _LONGEST_WORDS:
            yield text.encode("utf-8", "surrogatepass")
            yield json.dumps(text)[1:-1].encode()


def answer_needles(answers: Iterable[CachedAnswer]) -> Iterator[bytes]:
    """Byte sequences of the first `MOST` cached answers that went, as they are kept: in JSON."""
    for answer in islice(answers, MOST):
        for text in (answer.query, answer.answer):
            yield from _pieces(json.dumps(text)[1:-1])


def _pieces(text: str) -> Sequence[bytes]:
    data = text.encode()
    if len(data) <= _PIECE_BYTES:
        return (data,)
    middle = (len(data) - _PIECE_BYTES) // 2
    return (data[:_PIECE_BYTES], data[middle : middle + _PIECE_BYTES], data[-_PIECE_BYTES:])
