"""Connections to one SQLite file, transactions on them, and the driver's errors in Lapse's words.

Decides how a connection is set up, who may use it when, and what a failure is called. Refuses to
know tables.

One thread uses a connection at a time; a free one is taken last in, first out. `synchronous` is
NORMAL: whatever was committed survives the death of the process at any point, and a loss of power
may take back the last commits but never half of one, nor harm the file. Deleted content is
overwritten (`secure_delete`).
"""

import os
import sqlite3
import struct
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock
from typing import Final

from lapse.errors import (
    CorruptStoreError,
    LapseError,
    StoreBusyError,
    StoreError,
    StoreFullError,
    ValidationError,
)
from lapse.stores.room import room_beside

MOST_IDLE: Final = 8
"""Free connections that are kept for the next thread."""

WAL_LIMIT_BYTES: Final = 64 * 1024 * 1024
"""Size from which the log of writes is emptied as soon as nobody reads."""

UNREADABLE: Final = (
    ValueError,  # of which what JSON and UTF-8 cannot read are kinds
    TypeError,
    OverflowError,
    LookupError,
    struct.error,
    ValidationError,
)
"""What the model and its codecs raise at a value that Lapse did not write."""

_COMMITS_BETWEEN_LOOKS: Final = 64

_SETUP: Final = (
    "PRAGMA synchronous=NORMAL",
    "PRAGMA foreign_keys=ON",
    "PRAGMA secure_delete=ON",
    "PRAGMA temp_store=MEMORY",
    "PRAGMA cache_size=-16384",
)


class Connections:
    """The connections of one process to one file."""

    def __init__(self, path: Path, busy_timeout_s: float) -> None:
        self.path = path.absolute()  # the process may change its folder
        self._busy_timeout_s = busy_timeout_s
        self._free: deque[sqlite3.Connection] = deque()
        self._process = os.getpid()
        self._inherited: list[deque[sqlite3.Connection]] = []
        # Writers of one process queue here, in order; SQLite's own wait is a blind retry.
        self._writers = Lock()
        self._commits = 0
        self._closed = False

    @contextmanager
    def lent(self) -> Iterator[sqlite3.Connection]:
        """Lend a connection; each statement on it reads what is committed when it starts.

        Raises:
            StoreError: The store is closed, or SQLite failed.
        """
        connection = self._take()
        try:
            yield connection
        except (sqlite3.Error, OverflowError, UnicodeError) as error:
            raise translated(error, self.path) from error
        finally:
            self._give(connection)

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Lend a connection whose statements all read the same moment.

        Raises:
            CorruptStoreError: A stored value is not of the type that its column has.
        """
        with self.lent() as connection:
            connection.execute("BEGIN")
            try:
                with legible():
                    yield connection
            finally:
                _roll_back(connection)

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Lend a connection inside a write transaction; it is rolled back unless committed.

        Raises:
            StoreBusyError: Another process, or another thread of this one, wrote for longer than
                the busy timeout.
        """
        with self._turn(), self.lent() as connection:
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
            finally:
                _roll_back(connection)
            self._commits += 1
            if self._commits % _COMMITS_BETWEEN_LOOKS == 0 and self.wal_bytes() > WAL_LIMIT_BYTES:
                self._empty_log(connection)

    @contextmanager
    def _turn(self) -> Iterator[None]:
        """Wait until no other thread writes, no longer than for another process."""
        writers = self._writers
        if not writers.acquire(timeout=self._busy_timeout_s):
            raise StoreBusyError(
                f"another thread has been writing to {self.path} for {self._busy_timeout_s} s; try "
                "again in a moment",
                fields={"path": str(self.path)},
            )
        try:
            yield
        finally:
            writers.release()

    def connect(self) -> sqlite3.Connection:
        """Open another connection and set it up.

        Raises:
            StoreError: The file cannot be opened, is damaged, or is no SQLite file.
        """
        connection = None
        try:
            connection = sqlite3.connect(
                self.path,
                timeout=self._busy_timeout_s,
                isolation_level=None,
                check_same_thread=False,
                cached_statements=128,
            )
            for statement in _SETUP:
                connection.execute(statement)
        except (sqlite3.Error, UnicodeError) as error:
            if connection is not None:
                connection.close()
            raise translated(error, self.path) from error
        return connection

    def wal_bytes(self) -> int:
        """Size of the log of writes that are not in the main file yet."""
        try:
            return os.stat(f"{self.path}-wal").st_size  # noqa: PTH116 - called often, and cheaper
        except FileNotFoundError:
            return 0

    def close(self) -> None:
        """Close what is free now and the rest when it comes back; the log goes into the file."""
        self._closed = True
        self._close_free()

    def _take(self) -> sqlite3.Connection:
        if self._closed:
            raise StoreError("the store is closed: open it again", fields={"path": str(self.path)})
        if self._process != os.getpid():
            self._leave_to_parent()
        try:
            return self._free.pop()
        except IndexError:
            return self.connect()

    def _give(self, connection: sqlite3.Connection) -> None:
        if connection.in_transaction:
            connection.close()
            return
        self._free.append(connection)
        if self._closed:
            self._close_free()
        elif len(self._free) > MOST_IDLE:
            with suppress(IndexError):  # other threads take and give at the same time
                self._free.popleft().close()

    def _close_free(self) -> None:
        with suppress(IndexError):
            while True:
                connection = self._free.pop()
                if not self._free:
                    with suppress(sqlite3.Error):  # another process is reading: it will do it
                        self._empty_log(connection)
                connection.close()

    def _leave_to_parent(self) -> None:
        # A connection must not be used, nor even closed, on the other side of a fork.
        self._inherited.append(self._free)
        self._free, self._writers = deque(), Lock()
        self._process = os.getpid()

    def _empty_log(self, connection: sqlite3.Connection) -> None:
        connection.execute("PRAGMA busy_timeout=0")  # whoever reads goes first
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        connection.execute(f"PRAGMA busy_timeout={round(self._busy_timeout_s * 1000)}")


@contextmanager
def legible() -> Iterator[None]:
    """Read stored values: what is no value of the model was not written by Lapse.

    Raises:
        CorruptStoreError: A value of another type or out of range, or an unknown word of ours.
    """
    try:
        yield
    except UNREADABLE as error:
        raise CorruptStoreError(
            "the file holds a value that cannot be read; `lapse doctor` says where"
        ) from error


def translated(error: BaseException, path: Path) -> LapseError:
    """Say in Lapse's words what went wrong with the file at `path`; never in the file's own."""
    if isinstance(error, UnicodeDecodeError) or "Could not decode to UTF-8" in str(error):
        text = f"{path} holds text that cannot be read; `lapse doctor` says where"
        return CorruptStoreError(text, fields={"path": str(path), "sqlite": ""})
    code = getattr(error, "sqlite_errorcode", None)
    primary = code & 0xFF if isinstance(code, int) else None
    fields = {"path": str(path), "sqlite": str(getattr(error, "sqlite_errorname", ""))}
    match primary:
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            text = f"another process is writing to {path} for too long: try again"
            return StoreBusyError(text, fields=fields)
        case sqlite3.SQLITE_NOTADB:
            text = f"{path} is not a SQLite file, or is damaged: choose another path"
            return CorruptStoreError(text, fields=fields)
        case sqlite3.SQLITE_CORRUPT:
            text = f"{path} is damaged ({error}): restore a backup"
            return CorruptStoreError(text, fields=fields)
        case sqlite3.SQLITE_FULL:
            return _full(path, fields)
        case sqlite3.SQLITE_READONLY:
            text = f"{path} cannot be written: make the file and its folder writable"
        case sqlite3.SQLITE_CANTOPEN:
            text = f"{path} cannot be opened: its folder must exist and be writable"
        case sqlite3.SQLITE_IOERR if not room_beside(_files(path)):
            # A file that may not grow and a used-up quota are failed writes to SQLite, like any.
            return _full(path, fields)
        case sqlite3.SQLITE_IOERR:
            text = f"reading or writing {path} failed ({error}): check the disk"
        case _:
            text = f"SQLite refused a value or statement: {error}"
    return StoreError(text, fields=fields)


def _full(path: Path, fields: dict[str, str]) -> StoreFullError:
    text = f"no room left to write to {path}: free some, then try again"
    return StoreFullError(text, fields=fields)


def _files(path: Path) -> tuple[Path, Path]:
    return path, Path(f"{path}-wal")


def _roll_back(connection: sqlite3.Connection) -> None:
    if connection.in_transaction:
        connection.execute("ROLLBACK")
