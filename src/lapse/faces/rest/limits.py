"""How fast requests may come: a bucket for each key, filled by the clock.

Decides that a bucket holds a sixth of a minute's requests, so that a burst passes and a flood does
not. Refuses to sleep: who comes too fast is told when to come again. Each process counts its own.
"""

import threading
from collections import OrderedDict
from typing import Final

from lapse.errors import LimitError
from lapse.model.instants import MINUTE, SECOND, Instant

_BURST_SHARE: Final = 1 / 6
_MOST_BUCKETS: Final = 10_000


class Pace:
    """Counts requests by caller."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._buckets: OrderedDict[str, tuple[float, Instant]] = OrderedDict()

    def check(self, caller: str, per_minute: int, now: Instant) -> None:
        """Count one request.

        Raises:
            LimitError: One too many; `retry_after_s` says when to come again.
        """
        room = max(per_minute * _BURST_SHARE, 1.0)
        with self._lock:
            left, since = self._buckets.pop(caller, (room, now))
            left = min(room, left + max(now - since, 0) * per_minute / MINUTE)
            taken = left >= 1.0
            self._buckets[caller] = (left - 1.0 if taken else left, now)
            while len(self._buckets) > _MOST_BUCKETS:
                self._buckets.popitem(last=False)
        if not taken:
            wait_s = (1.0 - left) * (MINUTE / per_minute) / SECOND
            raise LimitError(
                f"more than {per_minute} requests a minute (server.requests_per_minute)",
                retry_after_s=wait_s,
            )
