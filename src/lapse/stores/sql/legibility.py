"""Which stored values of a bank cannot be read any more.

Decides that a value counts as unreadable when its column's type, its codec or the model refuses it,
and under which name it is told: a memory's id where that can be read, else its internal number.
Refuses to show the value, and to mend it.
"""

import sqlite3
from collections.abc import Iterator, Sequence
from typing import Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    ColumnElement,
    Double,
    Integer,
    LargeBinary,
    Table,
    Text,
    and_,
    bindparam,
    func,
    literal_column,
    or_,
    select,
)

from lapse.stores.sql import statements
from lapse.stores.sql.banks import BankRow
from lapse.stores.sql.connections import UNREADABLE
from lapse.stores.sql.driver import Connection
from lapse.stores.sql.portions import portions
from lapse.stores.sql.rows import read_event, read_memory, read_record
from lapse.stores.sql.schema import memory, retention
from lapse.stores.sql.statements import sql

REFUSED: Final = (sqlite3.Error, *UNREADABLE)
"""What reading a damaged value may raise."""

_NUMBERS: Final = (Integer, BigInteger, Double, Boolean)
_ROWS: Final = sql(
    select(memory.c.row).where(memory.c.bank == bindparam("bank")).order_by(memory.c.row)
)
_ID: Final = sql(select(memory.c.id).where(memory.c.row == bindparam("row")))


def _foreign(table: Table) -> ColumnElement[bool]:
    """Whether a row holds a value of another type than its column has."""
    found: list[ColumnElement[bool]] = []
    for column in table.c:
        kinds = {*_kinds(column.type), "null"} if column.nullable else _kinds(column.type)
        literals = [literal_column(f"'{each}'", Text) for each in sorted(kinds)]
        found.append(func.typeof(column).not_in(literals))
    return or_(*found)


def _kinds(kind: object) -> set[str]:
    if isinstance(kind, _NUMBERS):
        return {"integer", "real"}
    return {"blob"} if isinstance(kind, LargeBinary) else {"text"}


_FOREIGN: Final = tuple(
    sql(
        select(memory.c.row)
        .select_from(
            memory.join(
                retention,
                and_(retention.c.row == memory.c.row, retention.c.bank == memory.c.bank),
            )
        )
        .where(memory.c.bank == bindparam("bank"), _foreign(table))
        .order_by(memory.c.row)
    )
    for table in (memory, retention)
)


def unreadable(connection: Connection, bank: BankRow) -> Iterator[str]:
    """Name each memory of which something cannot be read, in order of internal numbers."""
    rows = [row for (row,) in connection.execute(_ROWS, (bank.id,)).fetchall()]
    reader = _Reader(connection, bank)
    odd: dict[int, str] = {}
    for foreign in _FOREIGN:
        for (row,) in connection.execute(foreign, (bank.id,)).fetchall():
            odd.setdefault(row, "a value of another type than belongs there")
    for part, statement in portions(rows, statements.records_by_row):
        if not reader.reads_all(statement, part):
            for row in part:
                if not reader.reads_all(statements.records_by_row(1), (row,)):
                    odd.setdefault(row, "a value that cannot be read")
    for row in rows:
        if not reader.reads_past(row):
            odd.setdefault(row, "an earlier version or an event of use that cannot be read")
    for row in sorted(odd):
        yield f"{_named(connection, row)} has {odd[row]}: restore a backup"


class _Reader:
    """Reads rows only to see whether they can be."""

    def __init__(self, connection: Connection, bank: BankRow) -> None:
        self._connection = connection
        self._bank = bank.id
        self._ref = bank.bank.ref

    def reads_all(self, statement: str, rows: Sequence[int]) -> bool:
        """Whether these memories and their states can be read."""
        try:
            for row in self._connection.execute(statement, (self._bank, *rows)):
                read_record(self._ref, row)
        except REFUSED:
            return False
        return True

    def reads_past(self, row: int) -> bool:
        """Whether the earlier versions of a memory, and its events, can be read."""
        try:
            for each in self._connection.execute(statements.VERSIONS, (self._bank, row)):
                read_memory(self._ref, "", each)
            for each in self._connection.execute(statements.EVENTS, (self._bank, row)):
                read_event("", each)
        except REFUSED:
            return False
        return True


def _named(connection: Connection, row: int) -> str:
    try:
        (memory_id,) = connection.execute(_ID, (row,)).fetchone()
    except REFUSED:
        return f"memory number {row}"
    return f"memory {memory_id!r}"
