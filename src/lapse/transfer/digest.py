"""A digest of a bank by which two stores can be compared.

Decides that it is taken over the lines of an export, in their order, but for tombstones: what is
erased in one bank may be refused in others too, so that banks that come one after the other into a
store bring some of each other's along, and these may lie in another order there.
"""

import hashlib
from collections.abc import Iterable
from typing import Final

_TOMBSTONE: Final = '{"tombstone":'
_BYTES: Final = 32


def content_digest(lines: Iterable[str]) -> str:
    """Digest of the lines of an export, in hexadecimal; RAM is needed for one line alone."""
    ordered, others, count = hashlib.sha256(), 0, 0
    for line in lines:
        data = line.encode("ascii")
        if line.startswith(_TOMBSTONE):
            # A sum does not tell in which order its terms came.
            others += int.from_bytes(hashlib.sha256(data).digest(), "big")
            count += 1
        else:
            ordered.update(data)
    ordered.update((others % (1 << 8 * _BYTES)).to_bytes(_BYTES, "big"))
    ordered.update(str(count).encode("ascii"))
    return ordered.hexdigest()
