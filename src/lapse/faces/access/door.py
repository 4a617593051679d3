"""The door: from what a caller shows to who they are.

Decides that an unknown, a wrong, an expired and a revoked key get one and the same answer in the
same time, and that whoever keeps showing wrong ones has to wait longer each time, by the clock and
not by keeping a thread asleep. Refuses to say what a caller may do (`caller`).
"""

import threading
from collections import OrderedDict
from dataclasses import dataclass
from typing import Final

from lapse.errors import LimitError, UnknownCallerError
from lapse.faces.access.caller import Caller, open_caller
from lapse.faces.access.keyring import KeyRing
from lapse.faces.access.keys import ApiKey, Grant, halves, issue
from lapse.faces.access.roles import Role
from lapse.model.instants import SECOND, Instant
from lapse.ports import Entropy

FREE_FAILURES: Final = 5
"""Wrong keys that cost no waiting: somebody mistyped."""
FORGOTTEN_S: Final = 900
"""Seconds without a wrong key after which earlier ones are forgotten."""
LONGEST_WAIT_S: Final = 60
_MOST_WATCHED: Final = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class _Failures:
    count: int
    last: Instant
    until: Instant


class OpenDoor:
    """Lets everybody in while the store has no key, and asks for one from the first key on.

    Once it has asked it goes on asking, even when every key was revoked.
    """

    def __init__(self, ring: KeyRing, entropy: Entropy) -> None:
        """Ask nobody yet."""
        self._ring = ring
        self._behind = Door(ring, entropy)
        self._asks = False

    def admit(self, written: str | None, *, address: str, now: Instant) -> Caller:
        """See `Door.admit`; while there is no key the caller is `open_caller`."""
        self._asks = self._asks or bool(self._ring.all())
        if self._asks:
            return self._behind.admit(written, address=address, now=now)
        return open_caller()


class Door:
    """Lets callers in. Thread-safe; what it knows of failures is its process's own."""

    def __init__(self, ring: KeyRing, entropy: Entropy) -> None:
        """Watch nobody yet."""
        self._ring = ring
        # Compared with when there is no such key, so that its absence takes no less time.
        nobody = Grant(owner="nobody", role=Role.READER)
        self._decoy: ApiKey = issue(nobody, Instant(0), entropy).key
        self._lock = threading.Lock()
        self._failures: OrderedDict[tuple[str, str], _Failures] = OrderedDict()

    def admit(self, written: str | None, *, address: str, now: Instant) -> Caller:
        """Say who a caller is.

        Args:
            written: The key that was shown, or None.
            address: Where the caller comes from; wrong keys are counted by it.
            now: The instant at which the key has to hold.

        Raises:
            UnknownCallerError: No key, or none that holds.
            LimitError: Too many wrong ones from there; `retry_after_s` says how long to wait.
        """
        if written is None:
            raise UnknownCallerError("show a key: Authorization: Bearer lapse_…")
        shown = halves(written)
        key = None if shown is None else self._ring.find(shown[0])
        # Counted by known key too: one client with an old key does not lock its neighbours out.
        watched = (address, "" if key is None else key.id)
        self._check(watched, now)
        secret = "" if shown is None else shown[1]
        right = (key or self._decoy).opens_with(secret)
        if key is None or not right or not key.holds(now):
            self._failed(watched, now)
            raise UnknownCallerError("the key is unknown, expired or revoked")
        with self._lock:
            self._failures.pop(watched, None)
        return Caller(key_id=key.id, grant=key.grant)

    def _check(self, watched: tuple[str, str], now: Instant) -> None:
        with self._lock:
            found = self._failures.get(watched)
        if found is not None and now < found.until:
            wait = (found.until - now) / SECOND
            raise LimitError("too many wrong keys; wait before the next", retry_after_s=wait)

    def _failed(self, watched: tuple[str, str], now: Instant) -> None:
        with self._lock:
            before = self._failures.pop(watched, None)
            fresh = before is None or now - before.last > FORGOTTEN_S * SECOND
            count = 1 if before is None or fresh else before.count + 1
            excess = count - FREE_FAILURES
            wait_s = 0 if excess < 0 else min(2 ** min(excess, 16), LONGEST_WAIT_S)
            until = Instant(now + wait_s * SECOND)
            self._failures[watched] = _Failures(count=count, last=now, until=until)
            while len(self._failures) > _MOST_WATCHED:
                self._failures.popitem(last=False)
