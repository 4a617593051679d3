"""What a store in SQL needs of a driver, and a statement that every dialect can be asked for.

Decides the few calls that are made of a connection: those of Python's database interface, with the
cursor given back at once. `sqlite3.Connection` has them as it is. Refuses to know a dialect.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Protocol  # a row of a driver holds columns of many types

from sqlalchemy import ClauseElement


class Statement(str):
    """The text of a statement in SQLite's dialect, with what it was compiled from.

    Attributes:
        core: The statement itself, to be compiled anew for another dialect.
        limit: Whether one more parameter stands at the end: the most rows it may give.
    """

    __slots__ = ("core", "limit")

    core: ClauseElement
    limit: bool

    @classmethod
    def of(cls, text: str, core: ClauseElement) -> "Statement":
        """Keep a text with what it was compiled from."""
        found = cls(text)
        found.core, found.limit = core, False
        return found

    def limited(self) -> "Statement":
        """The same with a limit behind it."""
        found = type(self).of(f"{self} LIMIT ?", self.core)
        found.limit = True
        return found


class Cursor(Protocol):
    """What a statement gave."""

    @property
    def rowcount(self) -> int:
        """How many rows were written."""
        ...

    def fetchone(self) -> Any:  # noqa: ANN401 - a row, or None after the last
        """Give the next row, or None."""
        ...

    def fetchall(self) -> list[Any]:
        """Give all rows that are left."""
        ...

    def fetchmany(self, size: int, /) -> list[Any]:
        """Give the next rows, at most `size`; none when there are no more."""
        ...

    def __iter__(self) -> Iterator[Any]:
        """Give the rows that are left, one by one."""
        ...


class Connection(Protocol):
    """Runs statements. Their parameters are marked in SQLite's way."""

    def execute(self, sql: str, parameters: Sequence[Any] = ..., /) -> Cursor:
        """Run one statement."""
        ...

    def executemany(self, sql: str, parameters: Iterable[Sequence[Any]], /) -> Cursor:
        """Run one statement for each set of parameters; it gives no rows."""
        ...
