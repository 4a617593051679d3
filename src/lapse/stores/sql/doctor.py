"""What in one bank contradicts what.

Decides what counts as a contradiction and says it in one sentence each. Refuses to mend anything.
"""

import sqlite3
from collections import Counter
from collections.abc import Iterator
from typing import Final

from sqlalchemy import (
    ColumnElement,
    Float,
    Integer,
    Table,
    Text,
    bindparam,
    func,
    literal_column,
    or_,
    select,
)

from lapse.model.journal import GENESIS, follows
from lapse.model.retention import Lifecycle
from lapse.stores.applying import VECTOR_ITEM_BYTES, stateless_fault
from lapse.stores.sql import statements
from lapse.stores.sql.banks import BankRow
from lapse.stores.sql.journal_rows import read_entry
from lapse.stores.sql.rows import read_terms
from lapse.stores.sql.schema import event, memory, retention, term, vector
from lapse.stores.sql.statements import sql
from lapse.stores.sql.sweeping import COUNT_ACTIVE

_HOMELESS: Final = sql(
    select(retention.c.row)
    .select_from(retention.outerjoin(memory, retention.c.row == memory.c.row))
    .where(retention.c.bank == bindparam("bank"), memory.c.row.is_(None))
    .order_by(retention.c.row)
)
_LOST_EVENTS: Final = sql(
    select(func.count())
    .select_from(event.outerjoin(memory, event.c.row == memory.c.row))
    .where(event.c.bank == bindparam("bank"), memory.c.row.is_(None))
)
_LATER: Final = sql(
    select(memory.c.id)
    .where(memory.c.bank == bindparam("bank"), memory.c.revision > bindparam("revision"))
    .order_by(memory.c.row)
)
_VECTORS: Final = sql(
    select(vector.c.space, func.length(vector.c.data), func.count())
    .select_from(vector.join(memory, vector.c.row == memory.c.row))
    .where(memory.c.bank == bindparam("bank"))
    .group_by(vector.c.space, func.length(vector.c.data))
)


def _no_number(table: Table) -> ColumnElement[bool]:
    numbers = [each for each in table.c if isinstance(each.type, Integer | Float)]
    kinds = [literal_column("'text'", Text), literal_column("'blob'", Text)]
    return or_(*(func.typeof(each) == kind for each in numbers for kind in kinds))


_UNREADABLE: Final = tuple(
    sql(
        select(memory.c.id)
        .select_from(memory.join(retention, retention.c.row == memory.c.row))
        .where(memory.c.bank == bindparam("bank"), _no_number(table))
        .order_by(memory.c.row)
    )
    for table in (memory, retention)
)
_TERM_BLOBS: Final = sql(select(memory.c.terms).where(memory.c.bank == bindparam("bank")))
_TERM_COUNTS: Final = sql(select(term.c.id, term.c.df).where(term.c.bank == bindparam("bank")))


def find_faults(connection: sqlite3.Connection, bank: BankRow) -> list[str]:
    """List every contradiction in a bank; nothing for a bank that was never written."""
    if bank.id is None:
        return []
    return [
        *_file_faults(connection),
        *_type_faults(connection, bank),
        *_state_faults(connection, bank),
        *_vector_faults(connection, bank),
        *_count_faults(connection, bank),
        *_journal_faults(connection, bank),
    ]


def find_stateless(connection: sqlite3.Connection, bank: BankRow) -> list[str]:
    """List ids of memories whose state is missing, by internal number."""
    if bank.id is None:
        return []
    return [memory_id for (memory_id,) in connection.execute(statements.STATELESS, (bank.id,))]


def _file_faults(connection: sqlite3.Connection) -> Iterator[str]:
    for (found,) in connection.execute("PRAGMA integrity_check").fetchall():
        if found != "ok":
            yield f"the file is damaged: {found}"


def _state_faults(connection: sqlite3.Connection, bank: BankRow) -> Iterator[str]:
    yield from map(stateless_fault, find_stateless(connection, bank))
    for (row,) in connection.execute(_HOMELESS, (bank.id,)):
        yield f"there is a retention state for memory number {row}, which does not exist"
    (lost,) = connection.execute(_LOST_EVENTS, (bank.id,)).fetchone()
    if lost:
        yield f"{lost} events of use belong to memories that do not exist"
    for (memory_id,) in connection.execute(_LATER, (bank.id, bank.bank.revision)):
        yield f"memory {memory_id!r} was changed at a revision that the bank has not reached"


def _type_faults(connection: sqlite3.Connection, bank: BankRow) -> Iterator[str]:
    for statement in _UNREADABLE:
        for (memory_id,) in connection.execute(statement, (bank.id,)):
            yield f"memory {memory_id!r} has text where a number belongs: restore a backup"


def _vector_faults(connection: sqlite3.Connection, bank: BankRow) -> Iterator[str]:
    used = [each for each in (bank.bank.space, bank.bank.building) if each is not None]
    lengths = {each.number: each.dimension * VECTOR_ITEM_BYTES for each in used}
    for space, length, count in connection.execute(_VECTORS, (bank.id,)).fetchall():
        if space not in lengths:
            yield f"{count} vectors lie in space {space}, which the bank does not use"
        elif length != lengths[space]:
            yield f"{count} vectors in space {space} have {length} bytes, not {lengths[space]}"


def _count_faults(connection: sqlite3.Connection, bank: BankRow) -> Iterator[str]:
    counts: Counter[int] = Counter()
    total = 0
    for (data,) in connection.execute(_TERM_BLOBS, (bank.id,)):
        counts.update(set(read_terms(data)))
        total += 1
    if total != bank.memories:
        yield f"the bank counts {bank.memories} memories and holds {total}"
    active = (bank.id, Lifecycle.ACTIVE.value)
    (held_active,) = connection.execute(COUNT_ACTIVE, active).fetchone()
    if held_active != bank.active and not find_stateless(connection, bank):
        yield f"the bank counts {bank.active} active memories and holds {held_active}"
    held = dict(connection.execute(_TERM_COUNTS, (bank.id,)).fetchall())
    wrong = [each for each in counts.keys() | held.keys() if counts.get(each) != held.get(each)]
    if wrong:
        yield f"the dictionary counts {len(wrong)} terms otherwise than the memories hold them"


def _journal_faults(connection: sqlite3.Connection, bank: BankRow) -> Iterator[str]:
    previous, seq = GENESIS, 0
    for row in connection.execute(statements.JOURNAL, (bank.id, 0, -1)):
        entry = read_entry(row)
        if entry.seq != seq + 1 or not follows(entry, previous):
            yield f"journal entry {entry.seq} does not follow the one before it"
        previous, seq = entry.hash, entry.seq
