"""From a location to a file of the right shape.

Decides what a location means, who may read the file, and what to do with a file of another version:
a new one is made, an older one is migrated, a newer one and somebody else's are refused. Refuses to
mend a damaged file.
"""

import os
import sqlite3
from contextlib import suppress
from pathlib import Path
from typing import Final

from sqlalchemy import insert
from sqlalchemy.schema import CreateIndex, CreateTable

from lapse.errors import CorruptStoreError, SchemaError, StoreBusyError, StoreError
from lapse.stores.sql.connections import Connections, translated
from lapse.stores.sql.schema import APPLICATION_ID, REVISION, alembic_version, metadata
from lapse.stores.sql.statements import DIALECT

PREFIX: Final = "sqlite:///"

_MOST_TRIES: Final = 100
_FILE_MODE: Final = 0o600
_NEW: Final = ""
_SMALLEST_PAGE_BYTES: Final = 512


def parse_location(location: str | os.PathLike[str]) -> Path:
    """Read a path or `sqlite:///path`.

    Raises:
        StoreError: It names no file.
    """
    text = os.fspath(location)
    path = text.removeprefix(PREFIX)
    if not path or path.startswith(":memory:") or "://" in path or "\x00" in path:
        raise StoreError(
            f"{text!r} names no file: give a path, sqlite:///path, or memory:// for RAM",
            fields={"location": text},
        )
    return Path(path)


def make_file(path: Path) -> None:
    """Make an empty file that only its owner can read, unless there is one.

    Raises:
        StoreError: Its folder does not exist, it is a folder, or it cannot be made.
    """
    _touch(path, os.O_CREAT | os.O_RDWR)


def make_new_file(path: Path) -> None:
    """Make an empty file that only its owner can read, where there is nothing yet.

    Raises:
        StoreError: Something is there, the folder does not exist, or it cannot be made.
    """
    _touch(path, os.O_CREAT | os.O_RDWR | os.O_EXCL)


def remove_files(path: Path) -> None:
    """Remove a database with all that SQLite keeps beside it."""
    for suffix in ("", "-wal", "-shm", "-journal"):
        with suppress(FileNotFoundError):
            Path(f"{path}{suffix}").unlink()


def prepare(connections: Connections) -> None:
    """Bring the file to the present shape.

    Raises:
        SchemaError: It belongs to another program or to a newer Lapse.
        StoreError: It is damaged or cannot be written.
    """
    _refuse_stump(connections.path)
    connection = connections.connect()
    try:
        version = _version(connection, connections.path)
        if version != REVISION:
            _make_or_migrate(connection, connections.path, version)
        _use_write_ahead_log(connection)
    except (sqlite3.Error, UnicodeError) as error:
        raise translated(error, connections.path) from error
    finally:
        connection.close()


def _refuse_stump(path: Path) -> None:
    # SQLite takes less than a page for nothing at all, and would write a new store over it.
    if 0 < path.stat().st_size < _SMALLEST_PAGE_BYTES:
        raise CorruptStoreError(
            f"{path} is no SQLite file, or is cut off: restore a backup, or choose another path",
            fields={"path": str(path)},
        )


def _touch(path: Path, flags: int) -> None:
    try:
        os.close(os.open(path, flags, _FILE_MODE))
    except OSError as error:
        match error:
            case IsADirectoryError():
                text = f"{path} is a folder: name a file in it"
            case FileNotFoundError():
                text = f"the folder {path.parent} does not exist: make it first"
            case FileExistsError():
                text = f"{path} exists, and nothing is overwritten: choose another path"
            case _:
                text = f"{path} cannot be opened for writing: {error.strerror}"
        raise StoreError(text, fields={"path": str(path)}) from error


def _version(connection: sqlite3.Connection, path: Path) -> str:
    tables = {
        name
        for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
    }
    if not tables:
        return _NEW
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    if application != APPLICATION_ID or "alembic_version" not in tables:
        raise SchemaError(
            f"{path} is another program's SQLite file: choose another path",
            fields={"path": str(path)},
        )
    row = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    if row is None:
        raise CorruptStoreError(
            f"{path} does not say which version wrote it: restore a backup",
            fields={"path": str(path)},
        )
    return str(row[0])


def _make_or_migrate(connection: sqlite3.Connection, path: Path, version: str) -> None:
    _use_write_ahead_log(connection)
    if version != _NEW:
        # Alembic takes a tenth of a second to load, and hardly any file needs it.
        from lapse.stores.sql.migrating import migrate  # noqa: PLC0415

        migrate(connection, path, version)
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        # Another process may have made it while this one waited for its turn.
        if _version(connection, path) == _NEW:
            _make(connection)
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def _make(connection: sqlite3.Connection) -> None:
    connection.execute(f"PRAGMA application_id={APPLICATION_ID}")
    for table in (*metadata.sorted_tables, alembic_version):
        connection.execute(str(CreateTable(table).compile(dialect=DIALECT)))
        for index in sorted(table.indexes, key=lambda each: str(each.name)):
            connection.execute(str(CreateIndex(index).compile(dialect=DIALECT)))
    stamp = insert(alembic_version).compile(dialect=DIALECT)
    connection.execute(str(stamp), (REVISION,))


def _use_write_ahead_log(connection: sqlite3.Connection) -> None:
    # Several processes that open a new file at once can block each other in this one step without
    # SQLite waiting for them; a write transaction waits for its turn, so it is used to wait.
    for _ in range(_MOST_TRIES):
        try:
            connection.execute("PRAGMA journal_mode=WAL").fetchone()
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
                raise
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("ROLLBACK")
        else:
            return
    raise StoreBusyError("other processes keep the file busy: try again")
