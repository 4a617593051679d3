"""What one process holds of a bank's cache: the questions, and how often they were met.

Decides nothing. Refuses to read a store and to keep an answer.
"""

import threading
from collections import Counter
from enum import StrEnum

from lapse.cache.shelf import Shelf


class Met(StrEnum):
    """What became of a call to the cache."""

    HIT = "hit"
    MISS = "miss"
    REFUSED = "refused"


class AnswerDesk:
    """Thread-safe.

    Attributes:
        shelf: The questions that were answered.
        opened: Whether expired answers were looked for since the bank was opened here.
    """

    def __init__(self) -> None:
        """Start empty."""
        self.shelf = Shelf()
        self.opened = False
        self._lock = threading.Lock()
        self._met: Counter[Met] = Counter()

    def count(self, met: Met) -> None:
        """Count a call."""
        with self._lock:
            self._met[met] += 1

    def counted(self, met: Met) -> int:
        """How many calls ended so."""
        with self._lock:
            return self._met[met]
