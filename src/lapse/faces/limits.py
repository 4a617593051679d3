"""How much one request may hold and how fast requests may come, by whichever served face.

Decides that there is a bucket for each key, filled by the clock, which holds a sixth of a minute's
requests: a burst passes and a flood does not. Refuses to sleep: who comes too fast is told when to
come again. Each process counts its own, for all of its faces together.
"""

import threading
from collections import OrderedDict
from collections.abc import AsyncIterable
from typing import Final

from lapse.bank import Bank
from lapse.errors import LimitError, PolicyError, TooLargeError
from lapse.model.instants import MINUTE, SECOND, Instant
from lapse.model.policy_server import ServerPolicy

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


def limits_of(bank: Bank) -> ServerPolicy:
    """What a bank's policy lets in; the defaults where its policy cannot be read."""
    try:
        return bank.policy().policy.server
    except PolicyError:
        # Such a bank can be read and given another policy, for which it has to be reached.
        return ServerPolicy()


async def bounded(chunks: AsyncIterable[bytes], limit: int) -> bytes:
    """A body, read no further than it may be long.

    Raises:
        TooLargeError: It is longer.
    """
    whole = bytearray()
    async for chunk in chunks:
        whole += chunk
        check_size(len(whole), limit)
    return bytes(whole)


def check_size(size: int, limit: int) -> None:
    """Refuse a body that is longer than it may be.

    Raises:
        TooLargeError: It is.
    """
    if size > limit:
        raise TooLargeError(
            f"a request may hold {limit} bytes (server.max_request_bytes); send several",
            fields={"max_request_bytes": str(limit)},
        )
