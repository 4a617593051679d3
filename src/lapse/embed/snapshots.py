"""Snapshots of a bank's document frequencies, from which a vector space's IDF is computed.

A snapshot is a list of little-endian 32-bit integers: how many texts were counted, then pairs of a
token id and the number of texts that hold it, by token id. Tokens that no text holds are left out,
so a small bank's snapshot is small.

Decides the bytes. Refuses to decide when a snapshot is taken.
"""

import numpy as np
from numpy.typing import NDArray

from lapse.embed.idf import idf_from


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
    """The IDF of every token, shape (vocabulary,), computed from a snapshot."""
    numbers = np.frombuffer(snapshot, dtype="<i4")
    frequencies = np.zeros(vocabulary, dtype=np.int64)
    frequencies[numbers[1::2]] = numbers[2::2]
    return idf_from(frequencies, int(numbers[0]))
