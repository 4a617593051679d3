"""The notes of a folder: one file each.

Decides nothing but what `lapse.ports.Notes` says. Refuses to read what is written in one.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Final

from lapse.model.instants import Instant
from lapse.model.note import Note, Shelf
from lapse.stores.files.documents import document
from lapse.stores.files.forms import plain_of
from lapse.stores.files.names import file_name
from lapse.stores.files.record import Draft
from lapse.stores.memory_notes import HeldNotes

NOTES: Final = "notes"
"""Folder of the notes, by shelf."""


class FiledNotes(HeldNotes):
    """Notes in RAM, and in a folder that other processes share."""

    def __init__(self, transaction: Callable[[], AbstractContextManager[Draft]]) -> None:
        """Hold none yet.

        Args:
            transaction: Takes in what others wrote, and writes what the draft says at its end.
        """
        super().__init__()
        self._transaction = transaction
        self._draft = Draft()

    def get(self, shelf: Shelf, name: str) -> Note | None:
        """See `lapse.ports.Notes.get`."""
        with self._transaction():
            return super().get(shelf, name)

    def on(self, shelf: Shelf) -> list[Note]:
        """See `lapse.ports.Notes.on`."""
        with self._transaction():
            return super().on(shelf)

    def put(self, note: Note) -> bool:
        """See `lapse.ports.Notes.put`."""
        with self._transaction() as draft:
            kept = super().put(note)
            if kept:
                draft.write(_path(note.shelf, note.name), document(plain_of(note)))
            return kept

    def clear(self, shelf: Shelf, place: str) -> int:
        """See `lapse.ports.Notes.clear`."""
        with self._transaction() as self._draft:
            return super().clear(shelf, place)

    def expire(self, now: Instant) -> int:
        """See `lapse.ports.Notes.expire`."""
        with self._transaction() as self._draft:
            return super().expire(now)

    def take(self, note: Note) -> None:
        """Take one in as its file says it."""
        self._kept[(note.shelf, note.name)] = note

    def held(self) -> dict[tuple[Shelf, str], Note]:
        """What is in RAM now."""
        return dict(self._kept)

    def hold(self, notes: dict[tuple[Shelf, str], Note]) -> None:
        """Hold what was held before a write that did not take place."""
        self._kept = notes

    def leave(self, path: str) -> None:
        """Let the one go whose file is gone."""
        for shelf, name in [each for each in self._kept if _path(*each) == path]:
            del self._kept[(shelf, name)]

    def leave_all(self) -> None:
        """Let all go: they are read anew."""
        self._kept = {}

    def _drop(self, gone: list[tuple[Shelf, str]]) -> int:
        for shelf, name in gone:
            self._draft.remove(_path(shelf, name), "")
        return super()._drop(gone)


def _path(shelf: Shelf, name: str) -> str:
    return f"{NOTES}/{shelf.value}/{file_name(name)}.json"
