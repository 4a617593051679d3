"""Turns: threads that judge a recall do it one after another, in the order in which they came.

Decides who computes next. Refuses to hold anybody back who waits for the outside (a store, a model,
a reranker), and to be more than a courtesy: whoever has waited long enough computes all the same,
so that a thread which was interrupted at the wrong moment stops nobody.

Python lets one thread compute at a time anyway, and takes it away from a thread at each of the
hundred array operations of a recall; eight threads then spend twice the processor time of one and
each waits for all the others at every step.
"""

import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

AT_ONCE: Final = 1
"""Threads that may compute at once under Python's global lock."""

PATIENCE_S: Final = 2.0
"""Seconds after which a thread computes without a turn."""


class Turns:
    """Hands out turns, first come, first served. Thread-safe; a thread takes one at a time."""

    def __init__(self, at_once: int = AT_ONCE, patience_s: float = PATIENCE_S) -> None:
        """Nobody has a turn yet.

        Args:
            at_once: Threads that have one at the same time.
            patience_s: Seconds for which one is waited for.
        """
        self._at_once = max(at_once, 1)
        self._patience_s = patience_s
        self.begin_anew()

    def begin_anew(self) -> None:
        """Forget who waits, as in a forked process: those threads stay with the parent."""
        self._lock = threading.Lock()
        self._free = self._at_once
        self._waiting: deque[threading.Lock] = deque()

    @contextmanager
    def taken(self) -> Iterator[None]:
        """Wait for a turn, and give it on at the end."""
        self._take()
        try:
            yield
        finally:
            self._give()

    @contextmanager
    def left(self) -> Iterator[None]:
        """Give the turn on while something of the outside is waited for, and take one again."""
        self._give()
        try:
            yield
        finally:
            self._take()

    def _take(self) -> None:
        with self._lock:
            if self._free:
                self._free -= 1
                return
            called = threading.Lock()
            called.acquire()
            self._waiting.append(called)
        if not called.acquire(timeout=self._patience_s):
            with self._lock, suppress(ValueError):
                self._waiting.remove(called)

    def _give(self) -> None:
        with self._lock:
            if self._waiting:
                self._waiting.popleft().release()
            else:
                # Whoever computed without a turn gives one on: that of somebody who was lost.
                self._free = min(self._free + 1, self._at_once)
