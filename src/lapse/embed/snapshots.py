"""Snapshots of a bank's document frequencies, from which a vector space's IDF is computed.

A snapshot is a list of little-endian 32-bit integers: how many texts were counted, then pairs of a
token id and the number of texts that hold it, by token id. Tokens that no text holds are left out,
so a small bank's snapshot is small.

Decides the bytes. Refuses to decide when a snapshot is taken.
"""

import numpy as np
from numpy.typing import NDArray

from lapse.embed.idf import idf_from
from lapse.errors import EmbedderError

_DAMAGED = "the bank's counts of tokens are damaged: reembed takes them anew"


def pack(frequencies: NDArray[np.int64], count: int) -> bytes:
    """Write a snapshot.

    Args:
        frequencies: Shape (vocabulary,). In how many texts each token occurs.
        count: How many texts were counted.
    """
    held = np.flatnonzero(frequencies)
    pairs = np.stack([held, frequencies[held]], axis=1).ravel()
    return np.concatenate([[count], pairs]).astype("<i4").tobytes()


def unpack(snapshot: bytes, vocabulary: int) -> NDArray[np.float32]:
    """The IDF of every token, shape (vocabulary,), computed from a snapshot.

    Raises:
        EmbedderError: `pack` did not write it, not for this vocabulary, or it was damaged.
    """
    if len(snapshot) % 8 != 4:  # a count, then pairs of 32-bit integers
        raise EmbedderError(_DAMAGED)
    numbers = np.frombuffer(snapshot, dtype="<i4")
    tokens, counts = numbers[1::2], numbers[2::2]
    if numbers.min() < 0 or np.any(tokens >= vocabulary) or np.any(counts > numbers[0]):
        raise EmbedderError(_DAMAGED)
    frequencies = np.zeros(vocabulary, dtype=np.int64)
    frequencies[tokens] = counts
    return idf_from(frequencies, int(numbers[0]))
