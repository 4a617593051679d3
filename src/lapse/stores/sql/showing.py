"""What an answer shows: contents of memories, and what is undecided about them.

Decides that one statement gives the contents and says of each whether any proposal names it, since
hardly any is named: only then proposals are read. Refuses to know how a connection is come by.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache

from sqlalchemy import ColumnElement, bindparam, exists, select

from lapse.model.memory import BankRef, Memory, can_be_kept
from lapse.model.shown import Shown
from lapse.stores.sql.banks import BankRow
from lapse.stores.sql.driver import Connection
from lapse.stores.sql.portions import portions
from lapse.stores.sql.rows import Row, read_memory
from lapse.stores.sql.schema import memory, proposal_part
from lapse.stores.sql.statements import CONTENT, eq, sql
from lapse.stores.sql.truths import read_proposals_naming


@cache
def shown_by_id(count: int) -> str:
    """Give the statement for so many ids of a bank: bank, then the ids.

    It gives row, id, whether a proposal names it, then the content.
    """
    ids: list[ColumnElement[object]] = [bindparam(None) for _ in range(count)]
    named = exists().where(proposal_part.c.row == memory.c.row)
    columns = select(memory.c.row, memory.c.id, named, *(memory.c[each] for each in CONTENT))
    return sql(columns.where(eq(memory.c.bank), memory.c.id.in_(ids)))


def asked_for(ids: Iterable[str]) -> list[str]:
    """Give the ids that may be there, each once, in order."""
    return list(filter(can_be_kept, dict.fromkeys(ids)))


def statements_for(bank: int, ids: Sequence[str]) -> Iterator[tuple[str, tuple[object, ...]]]:
    """Give the statements that ask for memories, with their values."""
    for part, statement in portions(ids, shown_by_id):
        yield statement, (bank, *part)


def memories_of(ref: BankRef, ids: Sequence[str], rows: Iterable[Row]) -> tuple[Memory, ...]:
    """Read rows of `shown_by_id`, in the order of the ids."""
    found: Mapping[str, Row] = {row[1]: row for row in rows}
    return tuple(read_memory(ref, each, found[each][3:]) for each in ids if each in found)


def named_in(rows: Iterable[Row]) -> list[int]:
    """Give the numbers of those that a proposal names, decided or not."""
    return [row[0] for row in rows if row[2]]


def get_shown(connection: Connection, bank: BankRow, ids: Iterable[str]) -> Shown:
    """Read what an answer shows of memories."""
    if bank.id is None:
        return Shown()
    wanted = asked_for(ids)
    asked = statements_for(bank.id, wanted)
    rows = [row for each in asked for row in connection.execute(*each).fetchall()]
    return Shown(
        memories=memories_of(bank.bank.ref, wanted, rows),
        proposals=tuple(read_proposals_naming(connection, bank.id, named_in(rows))),
    )
