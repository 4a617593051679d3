"""The outside world: wall clock and ids.

Decides what `lapse.ports` mean on a real machine. Refuses to be used by anything but
`faces/app.py`.
"""

import os
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from lapse.errors import ValidationError
from lapse.model.instants import Instant
from lapse.ports import Entropy

TARGETS = "needs a path, sqlite:///path, file:///folder, postgresql+psycopg://… or memory://"
"""What may be opened."""


@runtime_checkable
class BeginsAnew(Protocol):
    """A part with locks or threads, which a forked process must not take over."""

    def begin_anew(self) -> None:
        """Let go of them: they stay with the parent."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Outside:
    """Chance and environment of the process; `lapse.faces.app` alone reads them."""

    entropy: Entropy
    environment: Mapping[str, str]


class SystemClock:
    """The machine's clock, in UTC."""

    def now(self) -> Instant:
        """The present instant, to the microsecond."""
        return Instant(time.time_ns() // 1000)


class TimeOrderedIds:
    """Ids that sort by time: UUID version 7, made of milliseconds, a counter and chance.

    Ids made by one instance are strictly increasing, even within one millisecond and when the clock
    is set back.

    Source: RFC 9562, section 5.7, with the fixed-length counter of section 6.2.
    """

    def __init__(self, chance: Entropy) -> None:
        """Start before the first instant; `chance` tells makers apart."""
        self._chance = chance
        self.begin_anew()
        self._last_ms = -1
        self._counter = 0

    def begin_anew(self) -> None:
        """Let go of a lock that a thread of the parent may hold, in a forked process."""
        self._lock = threading.Lock()

    def __call__(self, now: Instant) -> str:
        """Make the next id."""
        with self._lock:
            millis = max(now // 1000, 0)
            if millis > self._last_ms:
                self._last_ms, self._counter = millis, self._number(2) >> 5
            else:
                self._counter += 1
                if self._counter >= 1 << 12:
                    self._last_ms, self._counter = self._last_ms + 1, 0
            tail = self._number(8) & ((1 << 62) - 1)
            number = self._last_ms << 80 | 7 << 76 | self._counter << 64 | 2 << 62 | tail
        text = f"{number:032x}"
        return "-".join((text[:8], text[8:12], text[12:16], text[16:20], text[20:]))

    def _number(self, count: int) -> int:
        return int.from_bytes(self._chance(count), "big")


def named_target(target: object) -> str:
    """A target of `Lapse.open` as text.

    Raises:
        ValidationError: Neither text nor a path.
    """
    if not isinstance(target, str | os.PathLike):
        raise ValidationError.of("target", type(target).__name__, TARGETS)
    return os.fsdecode(target)
