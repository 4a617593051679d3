"""A connection that is asked for SQLite's statements and answers in PostgreSQL.

Decides how a statement reaches the driver: translated, its answers in binary, and many rows of one
table by COPY. Refuses to know what is asked, and where a transaction ends.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final, TypeAlias  # a row of a driver holds columns of many types

import psycopg
from psycopg.abc import Buffer
from psycopg.adapt import AdaptersMap, Dumper
from psycopg.postgres import adapters

from lapse.stores.postgres.dialect import in_postgres
from lapse.stores.sql.driver import Cursor

Session: TypeAlias = psycopg.Connection[tuple[Any, ...]]
Answer: TypeAlias = psycopg.Cursor[tuple[Any, ...]]

MANY: Final = 256
"""Rows of one table from which on they are copied rather than inserted one by one."""

_INSERT: Final = re.compile(r"INSERT INTO (\w+) \(([^()]*)\) VALUES \(([^()]*)\)(.*)", re.DOTALL)
_CONFLICT: Final = re.compile(r"ON CONFLICT \(([^()]*)\)")


class _TruthDumper(Dumper):
    """Writes truths as 0 and 1: they lie in columns of small integers."""

    oid = adapters.types["int2"].oid

    def dump(self, obj: object) -> Buffer:
        """Write one truth."""
        return b"1" if obj else b"0"


def _adapters() -> AdaptersMap:
    made = AdaptersMap(adapters)
    made.register_dumper(bool, _TruthDumper)
    return made


ADAPTERS: Final = _adapters()
"""How values are written and read on our connections."""


class Link:
    """One connection inside one transaction."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def execute(self, statement: str, parameters: Sequence[Any] = (), /) -> Cursor:
        """See `lapse.stores.sql.driver.Connection.execute`."""
        text, places = in_postgres(statement)
        if places is not None:
            parameters = [parameters[each] for each in places]
        cursor = self._session.cursor(binary=True)
        # Texts are fixed in the code or compiled from parts: never put together from values.
        cursor.execute(text.encode(), parameters or None)
        return cursor

    def executemany(self, statement: str, parameters: Iterable[Sequence[Any]], /) -> Cursor:
        """See `lapse.stores.sql.driver.Connection.executemany`."""
        rows = parameters if isinstance(parameters, list) else list(parameters)
        cursor = self._session.cursor(binary=True)
        if not rows:
            return cursor
        text, _ = in_postgres(statement)
        insert = _INSERT.fullmatch(text) if len(rows) >= MANY else None
        if insert is not None and _apart(insert, rows):
            _copy(cursor, insert, rows)
        else:
            cursor.executemany(text.encode(), rows)
        return cursor

    def copy_in(self, statement: bytes, pieces: Iterable[bytes]) -> None:
        """Run a COPY that takes these bytes in."""
        with _copying(self._session.cursor(), statement) as copy:
            for each in pieces:
                copy.write(each)


@contextmanager
def _copying(cursor: Answer, statement: bytes) -> Iterator[psycopg.Copy]:
    """Copy in, and say it as the driver does elsewhere when the connection breaks meanwhile."""
    try:
        with cursor.copy(statement) as copy:
            yield copy
    except ValueError as error:
        # A server that is ended here sends two results, and the driver unpacks one.
        raise psycopg.OperationalError("the connection broke while rows were copied") from error


def _names(found: str) -> list[str]:
    return [each.strip() for each in found.split(",")]


def _apart(insert: re.Match[str], rows: Sequence[Sequence[Any]]) -> bool:
    """Whether no two rows are of the same key: one statement may replace a row only once."""
    conflict = _CONFLICT.search(insert[4])
    if conflict is None or "DO UPDATE" not in insert[4]:
        return True
    values = _names(insert[3])
    names = [name for name, value in zip(_names(insert[2]), values, strict=True) if value == "%s"]
    places = [names.index(each) for each in _names(conflict[1]) if each in names]
    return len({tuple(row[each] for each in places) for row in rows}) == len(rows)


def _copy(cursor: Answer, insert: re.Match[str], rows: Sequence[Sequence[Any]]) -> None:
    # PostgreSQL refuses COPY where security by row holds: the rows go by way of a table that lives
    # as long as the transaction.
    table, columns, values, rest = insert.groups()
    pairs = list(zip(_names(columns), _names(values), strict=True))
    given = ", ".join(name for name, value in pairs if value == "%s")
    taken = ", ".join(name if value == "%s" else value for name, value in pairs)
    place = f"load_{table}"
    for each in (
        f"CREATE TEMP TABLE IF NOT EXISTS {place} ON COMMIT DROP AS"  # noqa: S608 - names of our tables
        f" SELECT {given} FROM {table} WITH NO DATA",
        f"TRUNCATE {place}",
    ):
        cursor.execute(each.encode())
    with _copying(cursor, f"COPY {place} ({given}) FROM STDIN".encode()) as copy:
        for row in rows:
            copy.write_row(row)
    insert_all = f"INSERT INTO {table} ({columns}) SELECT {taken} FROM {place} WHERE true{rest}"  # noqa: S608 - names of our tables
    cursor.execute(insert_all.encode())
