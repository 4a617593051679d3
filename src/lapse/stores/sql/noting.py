"""Notes in their table.

Decides how a note lies in a row, and that one that changes is compared with what is there inside
one transaction. Refuses to read what is written in one.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Final

from sqlalchemy import BigInteger, Column, Index, LargeBinary, Table, Text

from lapse.model.instants import Instant
from lapse.model.memory import can_be_kept
from lapse.model.note import Note, Shelf
from lapse.stores.sql.driver import Connection
from lapse.stores.sql.rows import Row
from lapse.stores.sql.schema import metadata

note = Table(
    "note",
    metadata,
    Column("shelf", Text, primary_key=True),
    Column("name", Text, primary_key=True),
    Column("place", Text, nullable=False),
    Column("version", BigInteger, nullable=False),
    Column("body", LargeBinary, nullable=False),
    Column("until", BigInteger),
    sqlite_with_rowid=False,
)
Index("note_until", note.c.until)
Index("note_place", note.c.shelf, note.c.place)

_GET: Final = (
    "SELECT shelf, name, place, version, body, until FROM note WHERE shelf = ? AND name = ?"
)
_ON: Final = (
    "SELECT shelf, name, place, version, body, until FROM note WHERE shelf = ? ORDER BY name"
)
# One statement decides and writes: a version that is not the next one changes no row.
_ADD: Final = "INSERT INTO note VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"
_CHANGE: Final = (
    "UPDATE note SET place = ?, version = ?, body = ?, until = ?"
    " WHERE shelf = ? AND name = ? AND version = ?"
)
_CLEAR: Final = "DELETE FROM note WHERE shelf = ? AND place = ?"
_EXPIRE: Final = "DELETE FROM note WHERE until <= ?"


class SqlNotes:
    """Notes of one database; see `lapse.ports.Notes`."""

    def __init__(
        self,
        lent: Callable[[], AbstractContextManager[Connection]],
        writing: Callable[[], AbstractContextManager[Connection]],
    ) -> None:
        """Take what lends a connection for one statement, and one inside a write."""
        self._lent = lent
        self._writing = writing

    def get(self, shelf: Shelf, name: str) -> Note | None:
        """See `lapse.ports.Notes.get`."""
        if not can_be_kept(name):
            return None
        with self._lent() as connection:
            found = connection.execute(_GET, (shelf.value, name)).fetchone()
        return None if found is None else _read(found)

    def on(self, shelf: Shelf) -> list[Note]:
        """See `lapse.ports.Notes.on`."""
        with self._lent() as connection:
            return [_read(each) for each in connection.execute(_ON, (shelf.value,)).fetchall()]

    def put(self, note: Note) -> bool:
        """See `lapse.ports.Notes.put`."""
        with self._writing() as connection:
            done = _write(connection, note)
            connection.execute("COMMIT")
        return done

    def clear(self, shelf: Shelf, place: str) -> int:
        """See `lapse.ports.Notes.clear`."""
        return self._drop(_CLEAR, (shelf.value, place))

    def expire(self, now: Instant) -> int:
        """See `lapse.ports.Notes.expire`."""
        return self._drop(_EXPIRE, (now,))

    def _drop(self, statement: str, values: tuple[object, ...]) -> int:
        with self._writing() as connection:
            gone = connection.execute(statement, values).rowcount
            connection.execute("COMMIT")
        return gone


def _write(connection: Connection, note: Note) -> bool:
    named = (note.shelf.value, note.name)
    if note.version == 1:
        values = (*named, note.place, note.version, note.body, note.until)
        return connection.execute(_ADD, values).rowcount == 1
    told = (note.place, note.version, note.body, note.until)
    return connection.execute(_CHANGE, (*told, *named, note.version - 1)).rowcount == 1


def _read(row: Row) -> Note:
    shelf, name, place, version, body, until = row
    return Note(
        shelf=Shelf(shelf),
        name=name,
        place=place,
        version=version,
        body=body,
        until=None if until is None else Instant(until),
    )
