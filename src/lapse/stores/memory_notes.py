"""The notes of the in-memory reference.

Decides nothing but what `lapse.ports.Notes` says. Refuses to read what is written in one.
"""

from threading import Lock

from lapse.model.instants import Instant
from lapse.model.note import Note, Shelf


class HeldNotes:
    """Notes in RAM. Threads may share them."""

    def __init__(self) -> None:
        self.begin_anew()
        self._kept: dict[tuple[Shelf, str], Note] = {}

    def begin_anew(self) -> None:
        """Let go of a lock that a thread of the parent may hold, in a forked process."""
        self._lock = Lock()

    def get(self, shelf: Shelf, name: str) -> Note | None:
        """See `lapse.ports.Notes.get`."""
        return self._kept.get((shelf, name))

    def on(self, shelf: Shelf) -> list[Note]:
        """See `lapse.ports.Notes.on`."""
        with self._lock:
            found = [each for each in self._kept.values() if each.shelf is shelf]
        return sorted(found, key=lambda each: each.name)

    def put(self, note: Note) -> bool:
        """See `lapse.ports.Notes.put`."""
        with self._lock:
            before = self._kept.get((note.shelf, note.name))
            if note.version != (0 if before is None else before.version) + 1:
                return False
            self._kept[(note.shelf, note.name)] = note
        return True

    def clear(self, shelf: Shelf, place: str) -> int:
        """See `lapse.ports.Notes.clear`."""
        with self._lock:
            gone = [
                at for at, each in self._kept.items() if each.shelf is shelf and each.place == place
            ]
            return self._drop(gone)

    def expire(self, now: Instant) -> int:
        """See `lapse.ports.Notes.expire`."""
        with self._lock:
            gone = [
                at
                for at, each in self._kept.items()
                if each.until is not None and each.until <= now
            ]
            return self._drop(gone)

    def _drop(self, gone: list[tuple[Shelf, str]]) -> int:
        for each in gone:
            del self._kept[each]
        return len(gone)
