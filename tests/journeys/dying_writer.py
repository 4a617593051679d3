"""The process of the crash test that writes, says what is done, and is killed."""

import os
import signal
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path

from lapse.stores.sql import connections
from lapse.stores.sql.sqlite import SqliteStore
from tests.journeys.numbered_verbs import REF, numbered

Values = Sequence[str | bytes | int | float | None]


def write_on(path: Path, last: int, done: Connection) -> None:
    """Go on with the story up to the write `last`, and say after each that it is done."""
    with closing(SqliteStore.open(path)) as store:
        for number in range(store.revision(REF) + 1, last + 1):
            done.send(store.commit(numbered(number)).revision)


def write_until_statement(path: Path, last: int, done: Connection, deadly: int) -> None:
    """Go on with the story, and die of SIGKILL just before SQL statement number `deadly`."""
    left = deadly

    def count_down(_: str) -> None:
        nonlocal left
        left -= 1
        if left <= 0:
            os.kill(os.getpid(), signal.SIGKILL)

    def connect(self: connections.Connections) -> sqlite3.Connection:
        connection = plain_connect(self)
        connection.set_trace_callback(count_down)
        return connection

    plain_connect = connections.Connections.connect
    connections.Connections.connect = connect  # type: ignore[method-assign]  # this process only
    write_on(path, last, done)


def write_carelessly_until_statement(path: Path, last: int, done: Connection, deadly: int) -> None:
    """Do the same without transactions: what a careless store would leave behind."""

    class Careless(sqlite3.Connection):
        # The store passes nothing but tuples.
        def execute(self, sql: str, parameters: Values = (), /) -> sqlite3.Cursor:  # type: ignore[override]
            careless = sql in ("BEGIN IMMEDIATE", "COMMIT")
            return super().execute("SELECT 1" if careless else sql, parameters)

    sqlite3.connect = partial(sqlite3.connect, factory=Careless)  # type: ignore[assignment]
    write_until_statement(path, last, done, deadly)
