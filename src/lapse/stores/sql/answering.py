"""Cached answers in their tables.

Decides how an answer lies in a row, and that its sources are kept the other way round than the
answer tells them, so that what dies with a memory is found along an index. Refuses to compare
questions and to look at dates.
"""

from collections.abc import Iterable
from typing import Final

from sqlalchemy import (
    BigInteger,
    Column,
    ForeignKey,
    Index,
    Integer,
    Table,
    Text,
    UniqueConstraint,
)

from lapse.model.answer import AnswerChanges, CachedAnswer, KeptAnswer
from lapse.model.codec import dumps, loads
from lapse.model.memory import can_be_kept
from lapse.stores.sql.driver import Connection
from lapse.stores.sql.schema import metadata

answer = Table(
    "answer",
    metadata,
    # In the order of putting; never given twice.
    Column("number", BigInteger().with_variant(Integer, "sqlite"), primary_key=True),
    Column("bank", BigInteger, ForeignKey("bank.id"), nullable=False),
    Column("id", Text, nullable=False),
    Column("answer", Text, nullable=False),
    UniqueConstraint("bank", "id", name="answer_id"),
    sqlite_autoincrement=True,
)
Index("answer_bank", answer.c.bank, answer.c.number)

answer_source = Table(
    "answer_source",
    metadata,
    Column("bank", BigInteger, ForeignKey("bank.id"), primary_key=True),
    Column("source", Text, primary_key=True),
    Column("number", BigInteger, primary_key=True),
    sqlite_with_rowid=False,
)
Index("answer_source_number", answer_source.c.bank, answer_source.c.number)

AFTER: Final = "SELECT number, answer FROM answer WHERE bank = ? AND number > ? ORDER BY number"
"""The answers of a bank above a number."""

OF_SOURCE: Final = "SELECT number FROM answer_source WHERE bank = ? AND source = ?"
"""The numbers of the answers that were made from a memory."""

_ONE: Final = "SELECT number, answer FROM answer WHERE bank = ? AND id = ?"
_COUNT: Final = "SELECT count(*) FROM answer WHERE bank = ?"
_ANY: Final = "SELECT 1 FROM answer WHERE bank = ? LIMIT 1"
_DROP: Final = "DELETE FROM answer WHERE bank = ? AND number = ?"
_DROP_SOURCES: Final = "DELETE FROM answer_source WHERE bank = ? AND number = ?"
_PUT: Final = "INSERT INTO answer (bank, id, answer) VALUES (?, ?, ?) RETURNING number"
_PUT_SOURCE: Final = "INSERT INTO answer_source (bank, source, number) VALUES (?, ?, ?)"


def get_answers(
    connection: Connection, bank: int | None, after: int | None
) -> tuple[KeptAnswer, ...]:
    """Read those with a higher number, in order; none for None."""
    if bank is None or after is None:
        return ()
    return tuple(_read(*row) for row in connection.execute(AFTER, (bank, after)).fetchall())


def get_answer(connection: Connection, bank: int | None, answer_id: str) -> KeptAnswer | None:
    """Read the answer of an id, or None."""
    if bank is None or not can_be_kept(answer_id):
        return None
    found = connection.execute(_ONE, (bank, answer_id)).fetchone()
    return None if found is None else _read(*found)


def count_answers(connection: Connection, bank: int | None) -> int:
    """Count a bank's answers."""
    (count,) = connection.execute(_COUNT, (bank,)).fetchone()
    return int(count)


def put_answers(connection: Connection, bank: int, changes: AnswerChanges) -> None:
    """Drop what goes, then keep what comes under new numbers."""
    if not (changes.put or connection.execute(_ANY, (bank,)).fetchone()):
        return
    for source in changes.of_sources:
        found = connection.execute(OF_SOURCE, (bank, source)).fetchall()
        _drop(connection, bank, (number for (number,) in found))
    for name in dict.fromkeys((*changes.gone, *(put.id for put in changes.put))):
        found = connection.execute(_ONE, (bank, name)).fetchall()
        _drop(connection, bank, (number for number, _ in found))
    for each in changes.put:
        _put(connection, bank, each)


def _put(connection: Connection, bank: int, told: CachedAnswer) -> None:
    (number,) = connection.execute(_PUT, (bank, told.id, dumps(told))).fetchone()
    connection.executemany(_PUT_SOURCE, [(bank, each, number) for each in told.sources])


def _drop(connection: Connection, bank: int, numbers: Iterable[int]) -> None:
    going = [(bank, each) for each in numbers]
    connection.executemany(_DROP, going)
    connection.executemany(_DROP_SOURCES, going)


def _read(number: int, text: str) -> KeptAnswer:
    return KeptAnswer(number=number, answer=loads(CachedAnswer, text))
