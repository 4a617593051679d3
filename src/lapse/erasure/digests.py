"""Keyed digests: what of a text may stay once the text is gone.

Decides how a key makes digests of texts, claims, names and words. Refuses to hold a text longer
than it takes to digest it, and to compare (`matching`).

The sum of a sentence of n words is Σ w_i · m^i modulo 2⁶⁴, with w_i the keyed digest of word i and
m an odd number that follows from the key. So the sum of any stretch of words is the difference of
two running sums, and the sum with one word left open is one subtraction.
"""

import hashlib
import hmac
from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from lapse.model.tombstone import EXACT_BYTES, SLIP_BYTES, TombstoneKey

Uint64Array = NDArray[np.uint64]

_WORD_BYTES: Final = 8
_MASK: Final = (1 << 64) - 1
_FIRST_POWERS: Final = 256


class Digester:
    """Makes the digests of one key. Thread-safe: nothing is kept of what it digests."""

    def __init__(self, key: TombstoneKey) -> None:
        """Derive from the key one secret for each kind of digest."""
        self.key_id = key.id
        self._exact = _derived(key, b"exact")
        self._words = _derived(key, b"words")
        self._slips = _derived(key, b"slips")
        self._multiplier = int.from_bytes(_derived(key, b"multiplier")[:8], "little") | 1
        self.open_word = np.uint64(int.from_bytes(_derived(key, b"open")[:8], "little"))
        self._powers = self._made(_FIRST_POWERS)

    def exact(self, label: str, *parts: str) -> bytes:
        """HMAC-SHA-256, cut to 16 bytes, of a few texts under a label that says what they are."""
        told = "\x00".join((label, *parts)).encode("utf-8", "surrogatepass")
        return hmac.digest(self._exact, told, "sha256")[:EXACT_BYTES]

    def words(self, words: Iterable[str]) -> Uint64Array:
        """A keyed digest for each word, shape (n,)."""
        key = self._words
        found = b"".join(
            hashlib.blake2b(each.encode(), key=key, digest_size=_WORD_BYTES).digest()
            for each in words
        )
        return np.frombuffer(found, dtype="<u8")

    def weighted(self, digests: Uint64Array) -> Uint64Array:
        """w_i · m^i for each word of a text, shape (n,); a sum of them is a stretch's sum · m^a."""
        powers, _ = self._up_to(len(digests))
        return digests * powers[: len(digests)]

    def unshifted(self, sums: Uint64Array, starts: Sequence[int] | NDArray[np.intp]) -> Uint64Array:
        """Sums of stretches as if each stood at the beginning of its text: divided by m^start."""
        most = int(max(starts, default=0)) + 1
        _, inverses = self._up_to(most)
        return sums * inverses[np.asarray(starts, dtype=np.intp)]

    def slips(self, salt: bytes, variants: Iterable[str]) -> frozenset[bytes]:
        """Digests of what a word may be, salted so that no two tombstones share any."""
        key = self._slips
        return frozenset(
            hashlib.blake2b(each.encode(), key=key, salt=salt, digest_size=SLIP_BYTES).digest()
            for each in variants
        )

    def _up_to(self, count: int) -> tuple[Uint64Array, Uint64Array]:
        if count > len(self._powers[0]):
            self._powers = self._made(2 * count)
        return self._powers

    def _made(self, count: int) -> tuple[Uint64Array, Uint64Array]:
        inverse = pow(self._multiplier, -1, 1 << 64)
        return _powers(self._multiplier, count), _powers(inverse, count)


def _powers(base: int, count: int) -> Uint64Array:
    powers, value = np.empty(count, dtype=np.uint64), 1
    for at in range(count):
        powers[at] = value
        value = value * base & _MASK
    return powers


def _derived(key: TombstoneKey, label: bytes) -> bytes:
    return hmac.digest(key.secret, b"lapse tombstone " + label, "sha256")
