"""The embedded store: one SQLite file, shared by threads and processes.

Decides where each operation's transaction begins and ends. A write reads, judges and writes inside
one `BEGIN IMMEDIATE`; a read of several statements sees one moment. Refuses everything else: what
is asked in them stands in `store`, and the parts beside this file read, write and open.
"""

import os
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing
from types import MappingProxyType
from typing import ClassVar, Final

from lapse.model.memory import BankRef
from lapse.model.scrubbing import Scrubbed
from lapse.stores.sql.connections import Connections
from lapse.stores.sql.doctor import LOOKS, Look, file_faults
from lapse.stores.sql.driver import Connection
from lapse.stores.sql.legibility import unreadable
from lapse.stores.sql.noting import SqlNotes
from lapse.stores.sql.opening import (
    make_file,
    make_new_file,
    parse_location,
    prepare,
    remove_files,
)
from lapse.stores.sql.scrubbing import scrub
from lapse.stores.sql.store import SqlStore

BUSY_TIMEOUT_S: Final = 30.0
"""How long a write waits for another process before it gives up."""


class SqliteStore(SqlStore):
    """A store in one file. Threads may share it; other processes may open the same file."""

    _looks: ClassVar[Mapping[str, Look]] = MappingProxyType({"the memories": unreadable, **LOOKS})

    def __init__(self, connections: Connections) -> None:
        super().__init__()
        self._connections = connections
        self.notes = SqlNotes(connections.lent, connections.writing)

    @classmethod
    def open(
        cls, location: str | os.PathLike[str], *, busy_timeout_s: float = BUSY_TIMEOUT_S
    ) -> "SqliteStore":
        """Open a file, made on first use with access for its owner alone.

        Args:
            location: A path or `sqlite:///path`; the folder must exist.
            busy_timeout_s: How long a write waits for another process.

        Raises:
            SchemaError: The file belongs to another program or to a newer Lapse.
            CorruptStoreError: The file is damaged or no database.
            StoreError: It cannot be made, opened or written.
        """
        path = parse_location(location)
        make_file(path)
        connections = Connections(path, busy_timeout_s)
        prepare(connections)
        return cls(connections)

    def scrub(self, needles: Sequence[bytes]) -> Scrubbed:
        """See `lapse.ports.Store.scrub`."""
        return scrub(self._connections, needles)

    def size_bytes(self) -> int:
        """Give the bytes of the file and of its log of writes."""
        with self._connections.lent():
            return self._connections.path.stat().st_size + self._connections.wal_bytes()

    def backup(self, path: str) -> None:
        """Write a consistent copy to a new file, with access for its owner alone.

        Raises:
            StoreError: The path exists or cannot be written.
        """
        target = parse_location(path)
        make_new_file(target)
        try:
            with self._connections.lent() as connection, closing(sqlite3.connect(target)) as copy:
                connection.backup(copy)
        except BaseException:  # half a copy must never be taken for a backup
            remove_files(target)
            raise

    def close(self) -> None:
        """See `lapse.ports.Store.close`. The log of writes goes into the file."""
        self._connections.close()

    def _faults(self, connection: Connection) -> Iterator[str]:
        return file_faults(connection)

    def _reading(self, _: str) -> AbstractContextManager[Connection]:
        return self._connections.reading()

    def _glancing(self, _: str) -> AbstractContextManager[Connection]:
        return self._connections.lent()

    def _overlooking(self) -> AbstractContextManager[Connection]:
        return self._connections.lent()

    def _writing(self, _: BankRef) -> AbstractContextManager[Connection]:
        return self._connections.writing()
