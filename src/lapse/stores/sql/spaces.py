"""Vector spaces that a process has read.

Decides that one is read once: under its bank, its number and its revision it never changes, and its
weights of terms are the longest part of a bank. Refuses to read any by itself.
"""

from collections.abc import Callable
from typing import Final

from lapse.model.bank import Space
from lapse.stores.sql.rows import Row

_MOST: Final = 64

SpaceKey = tuple[int, int, int]
"""Number of the bank, number of the space, revision of the space."""


class KnownSpaces:
    """Spaces by key. Thread-safe: what is known is replaced as a whole."""

    def __init__(self) -> None:
        self._known: dict[SpaceKey, Space] = {}

    def find(self, key: SpaceKey, read: Callable[[], Row | None]) -> Space | None:
        """The space of a key; None where there is no such row.

        Args:
            key: Which.
            read: Reads its row, as `statements.SPACE_WHOLE` gives it, where it is not known.
        """
        known = self._known.get(key)
        if known is None:
            row = read()
            if row is None:
                return None
            embedder, dimension, epoch, idf = row
            known = Space(
                number=key[1], embedder=embedder, dimension=dimension, epoch=epoch, idf=idf
            )
            kept = self._known if len(self._known) < _MOST else {}
            self._known = {**kept, key: known}
        return known
