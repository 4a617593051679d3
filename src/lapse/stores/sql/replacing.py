"""Putting another content into a file that others may want to open.

The file stays the same file: its content is exchanged by SQLite's own copying, in one transaction,
so that whoever waits for it sees the old content or the new one, and a death half way leaves the
old one whole. A file put in its place by renaming would be missed by whoever had just opened it.

Decides who may exchange it: only who has it alone. Refuses to know what the content means.
"""

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

from lapse.errors import CorruptStoreError, StoreBusyError, StoreError
from lapse.stores.sql.connections import translated
from lapse.stores.sql.opening import make_new_file

PAGES_AT_ONCE: Final = 2_000
"""Pages copied between two words about how far it is."""

Progress = Callable[[int, int], None]


@contextmanager
def held(path: Path) -> Iterator[sqlite3.Connection]:
    """Have a file alone until the end: nobody else can read or write it meanwhile.

    Raises:
        StoreBusyError: Somebody has it open.
        CorruptStoreError: It is damaged.
    """
    try:
        with closing(sqlite3.connect(path, timeout=0, isolation_level=None)) as connection:
            # Leaving this mode needs the file alone, whatever the others do with it.
            _ask(connection, "PRAGMA journal_mode=DELETE")
            connection.execute("PRAGMA locking_mode=EXCLUSIVE")
            connection.execute("BEGIN EXCLUSIVE")
            connection.execute("COMMIT")
            yield connection
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            raise StoreBusyError(
                f"{path} is open somewhere: end every program that uses it first",
                fields={"path": str(path)},
            ) from error
        raise translated(error, path) from error
    except sqlite3.DatabaseError as error:
        raise beyond_reading(path) from error


def beyond_reading(path: Path) -> CorruptStoreError:
    """The error for a file that is to be replaced and cannot be read."""
    return CorruptStoreError(
        f"{path} is damaged, so that nobody can tell what was erased since the backup: move it away"
        " first, and know that erasures since are undone",
        fields={"path": str(path)},
    )


def copied(source: sqlite3.Connection, path: Path) -> None:
    """Copy what a connection sees to a new file, for its owner alone.

    Raises:
        StoreError: Something is there already.
    """
    make_new_file(path)
    with closing(sqlite3.connect(path)) as target:
        source.backup(target)


def copied_file(source: Path, path: Path) -> None:
    """Copy a database to a new file and look it through. The source is not changed.

    Raises:
        CorruptStoreError: It is damaged, or no database.
        StoreError: It is not there, or cannot be read.
    """
    if not source.is_file():
        raise StoreError(f"there is no file {source}", fields={"path": str(source)})
    # What nobody can write to cannot be given the files that a log of writes needs.
    mode = "rw" if os.access(source, os.W_OK) else "ro&immutable=1"
    address = f"{source.absolute().as_uri()}?mode={mode}"
    try:
        with closing(sqlite3.connect(address, uri=True, timeout=30)) as connection:
            copied(connection, path)
        with closing(sqlite3.connect(path)) as connection:
            ((found, *_), *_) = connection.execute("PRAGMA integrity_check(1)").fetchall()
    except sqlite3.Error as error:
        raise translated(error, source) from error
    if found != "ok":
        raise CorruptStoreError(
            f"{source} is damaged: take another backup", fields={"path": str(source)}
        )


def exchange(source: Path, target: sqlite3.Connection, progress: Progress) -> None:
    """Give a file that is held the content of another, in one transaction.

    Args:
        source: The file with the new content; nobody has it open.
        target: What `held` gave.
        progress: Called with (pages done, pages in all).
    """
    with closing(sqlite3.connect(source, isolation_level=None)) as connection:
        # The content brings the way of writing along that its own file had.
        _ask(connection, "PRAGMA journal_mode=DELETE")
        connection.backup(
            target,
            pages=PAGES_AT_ONCE,
            progress=lambda _, left, total: progress(total - left, total),
        )


def _ask(connection: sqlite3.Connection, statement: str) -> None:
    connection.execute(statement).fetchall()
