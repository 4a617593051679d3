"""A copy of a PostgreSQL store, as a file.

Decides that a backup is a SQLite file of the same tables: whoever has it can open it, without a
server. All of it is read at one moment, one tenant after the other, since a transaction sees the
rows of one tenant. Refuses to copy what PostgreSQL alone has: roles, parts and the log of counts,
which is folded in.
"""

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from sqlalchemy import Table

from lapse.stores.postgres.connections import NOBODYS
from lapse.stores.postgres.connections import Connections as Served
from lapse.stores.sql.connections import Connections
from lapse.stores.sql.driver import Connection
from lapse.stores.sql.opening import make_new_file, parse_location, prepare
from lapse.stores.sql.schema import metadata

_BUSY_TIMEOUT_S: Final = 30.0
_TENANTS: Final = "SELECT DISTINCT tenant FROM bank ORDER BY tenant"
_BE: Final = "SELECT set_config('lapse.tenant', ?, true)"
_AT_ONCE: Final = 1000
_COUNTED: Final = (
    "df + (SELECT coalesce(sum(more), 0) FROM term_delta AS log"
    " WHERE log.bank = term.bank AND log.term = term.id)::bigint"
)
_SEQUENCES: Final = {
    "bank": "bank_id",
    "memory": "memory_row",
    "tombstone": "tombstone_number",
    "answer": "answer_number",
}
"""By table, the sequence that numbers its rows."""


def back_up(served: Served, path: str) -> None:
    """Write a consistent copy of the whole store to a new SQLite file.

    Raises:
        StoreError: The path exists or cannot be written, or the server failed.
    """
    target = parse_location(path)
    make_new_file(target)
    connections = Connections(target, _BUSY_TIMEOUT_S)
    try:
        prepare(connections)
        with connections.writing() as file:
            with served.copying() as link:
                _copy_all(link, file)
            file.execute("COMMIT")
    except BaseException:
        connections.close()
        _remove(target)  # half a copy must never be taken for a backup
        raise
    connections.close()


def _copy_all(link: Connection, file: sqlite3.Connection) -> None:
    tenants = [tenant for (tenant,) in link.execute(_TENANTS).fetchall()]
    for tenant in (*tenants, NOBODYS):
        link.execute(_BE, (tenant,))
        for table in metadata.sorted_tables:
            for rows in _portions(link, table, tenant):
                marks = ", ".join("?" for _ in table.columns)
                file.executemany(f"INSERT INTO {table.name} VALUES ({marks})", rows)  # noqa: S608 - names of our tables
    for name, sequence in _SEQUENCES.items():
        last = link.execute(f"SELECT last_value FROM {sequence}").fetchone()[0]  # noqa: S608 - names of our tables
        file.execute("UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = ?", (last, name))


def _portions(link: Connection, table: Table, tenant: str) -> Iterator[list[tuple[object, ...]]]:
    names = [
        _COUNTED if table.name == "term" and each.name == "df" else each.name for each in table.c
    ]
    statement = f"SELECT {', '.join(names)} FROM {table.name} WHERE tenant = ?"  # noqa: S608 - names of our tables
    cursor = link.execute(statement, (tenant,))
    while rows := cursor.fetchmany(_AT_ONCE):
        yield rows


def _remove(path: Path) -> None:
    for suffix in ("", "-wal", "-shm", "-journal"):
        Path(f"{path}{suffix}").unlink(missing_ok=True)
