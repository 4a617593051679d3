"""A stream that goes on no longer than the key of whoever reads it.

Decides that a key which is revoked or has expired ends an answer under way: what is streamed may be
a whole bank, and a slow reader takes it for as long as they like. Refuses to let anybody in.
"""

from collections.abc import Generator
from contextlib import closing
from dataclasses import dataclass

from lapse.errors import UnknownCallerError
from lapse.faces.access import Caller, KeyRing
from lapse.ports import Clock


@dataclass(frozen=True, slots=True, kw_only=True)
class Holding:
    """Looks whether keys hold.

    Attributes:
        ring: Where they are kept.
        clock: By which they expire.
    """

    ring: KeyRing
    clock: Clock

    def check(self, caller: Caller) -> None:
        """Refuse to go on.

        Raises:
            UnknownCallerError: Their key holds no longer. Where none is asked for, nobody's does.
        """
        if not caller.key_id:
            return
        key = self.ring.find(caller.key_id)
        if key is None or not key.holds(self.clock.now()):
            raise UnknownCallerError("the key has expired or was revoked meanwhile")

    def while_held(
        self, pieces: Generator[bytes, None, None], caller: Caller
    ) -> Generator[bytes, None, None]:
        """The same pieces, for as long as the caller's key holds.

        Raises:
            UnknownCallerError: It holds no longer.
        """
        with closing(pieces):
            for piece in pieces:
                self.check(caller)
                yield piece
