"""Digests under which equal texts are found.

Decides how the folded form of a text becomes bytes. Refuses to find texts that are merely alike.
"""

import hashlib

from lapse.text.normalise import fold

SIZE_BYTES = 16


def fingerprint(text: str) -> bytes:
    """The 16-byte BLAKE2b digest of the folded text (see `normalise.fold`).

    Equal for texts that count as the same, on every machine and in every version that folds alike.
    It is not keyed, so whoever can guess a text can confirm the guess.
    """
    return hashlib.blake2b(fold(text).encode("utf-8"), digest_size=SIZE_BYTES).digest()
