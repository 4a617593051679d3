"""Which memories of the in-memory reference have a text or a key, without looking at all of them.

Decides nothing but that. Refuses to put them in order: whoever asks does.
"""

from collections.abc import Hashable
from typing import TypeVar

from lapse.model.memory import Memory

Place = TypeVar("Place", bound=Hashable)


class Finding:
    """Ids of memories by fingerprint and by key."""

    def __init__(self) -> None:
        self._by_text: dict[bytes, tuple[str, ...]] = {}
        self._by_key: dict[str, tuple[str, ...]] = {}

    def copy(self) -> "Finding":
        """Give a copy to change in place of this one."""
        copied = Finding()
        copied._by_text, copied._by_key = dict(self._by_text), dict(self._by_key)
        return copied

    def of_text(self, fingerprint: bytes) -> tuple[str, ...]:
        """The memories with that fingerprint, in no order."""
        return self._by_text.get(fingerprint, ())

    def of_key(self, key: str) -> tuple[str, ...]:
        """The memories under that key, in no order."""
        return self._by_key.get(key, ())

    def put(self, memory: Memory) -> None:
        """Take a memory in."""
        _put(self._by_text, memory.fingerprint, memory.id)
        if memory.key is not None:
            _put(self._by_key, memory.key, memory.id)

    def drop(self, memory: Memory) -> None:
        """Let a memory go, as it was taken in."""
        _drop(self._by_text, memory.fingerprint, memory.id)
        if memory.key is not None:
            _drop(self._by_key, memory.key, memory.id)


def _put(places: dict[Place, tuple[str, ...]], place: Place, name: str) -> None:
    places[place] = (*places.get(place, ()), name)


def _drop(places: dict[Place, tuple[str, ...]], place: Place, name: str) -> None:
    left = tuple(each for each in places.get(place, ()) if each != name)
    if left:
        places[place] = left
    else:
        places.pop(place, None)
