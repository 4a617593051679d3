"""The outside world: wall clock, chance, ids.

Decides what `lapse.ports` mean on a real machine. Refuses to be used by anything but
`faces/app.py`.
"""

import os
import threading
import time

from lapse.model.instants import Instant


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

    def __init__(self) -> None:
        """Start before the first instant."""
        self._lock = threading.Lock()
        self._last_ms = -1
        self._counter = 0

    def __call__(self, now: Instant) -> str:
        """Make the next id."""
        with self._lock:
            millis = max(now // 1000, 0)
            if millis > self._last_ms:
                self._last_ms, self._counter = millis, int.from_bytes(os.urandom(2), "big") >> 5
            else:
                self._counter += 1
                if self._counter >= 1 << 12:
                    self._last_ms, self._counter = self._last_ms + 1, 0
            tail = int.from_bytes(os.urandom(8), "big") & ((1 << 62) - 1)
            number = self._last_ms << 80 | 7 << 76 | self._counter << 64 | 2 << 62 | tail
        text = f"{number:032x}"
        return "-".join((text[:8], text[8:12], text[12:16], text[16:20], text[20:]))


def random_bytes(count: int) -> bytes:
    """Bytes from the operating system's source of chance."""
    return os.urandom(count)
