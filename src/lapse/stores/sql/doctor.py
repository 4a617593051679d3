"""What in one bank contradicts what.

Decides what counts as a contradiction and says it in one sentence each. Refuses to mend anything.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from types import MappingProxyType
from typing import Final

import numpy as np
from sqlalchemy import ColumnElement, Table, and_, bindparam, func, select

from lapse.errors import CorruptStoreError
from lapse.model.journal import GENESIS, follows
from lapse.model.retention import Lifecycle
from lapse.stores.applying import VECTOR_ITEM_BYTES, stateless_fault
from lapse.stores.sql import statements
from lapse.stores.sql.banks import BankRow
from lapse.stores.sql.driver import Connection
from lapse.stores.sql.journal_rows import read_entry
from lapse.stores.sql.legibility import REFUSED
from lapse.stores.sql.rows import read_terms
from lapse.stores.sql.schema import event, memory, retention, term, vector
from lapse.stores.sql.statements import sql
from lapse.stores.sql.sweeping import COUNT_ACTIVE

Look = Callable[[Connection, BankRow], Iterator[str]]
"""Says what is wrong with one thing in a bank, one sentence each."""


def _of_memory(table: Table) -> ColumnElement[bool]:
    return and_(table.c.row == memory.c.row, table.c.bank == memory.c.bank)


_HOMELESS: Final = sql(
    select(retention.c.row)
    .select_from(retention.outerjoin(memory, _of_memory(retention)))
    .where(retention.c.bank == bindparam("bank"), memory.c.row.is_(None))
    .order_by(retention.c.row)
)
_LOST_EVENTS: Final = sql(
    select(func.count())
    .select_from(event.outerjoin(memory, _of_memory(event)))
    .where(event.c.bank == bindparam("bank"), memory.c.row.is_(None))
)
_LATER: Final = sql(
    select(memory.c.id)
    .where(memory.c.bank == bindparam("bank"), memory.c.revision > bindparam("revision"))
    .order_by(memory.c.row)
)
_VECTORS: Final = sql(
    select(vector.c.space, func.length(vector.c.data), func.count())
    .select_from(vector.join(memory, _of_memory(vector)))
    .where(memory.c.bank == bindparam("bank"))
    .group_by(vector.c.space, func.length(vector.c.data))
)

_VECTOR_DATA: Final = sql(
    select(memory.c.id, vector.c.data)
    .select_from(vector.join(memory, _of_memory(vector)))
    .where(memory.c.bank == bindparam("bank"))
    .order_by(memory.c.row)
)
_UNIT_TOLERANCE: Final = 1e-3
_TERM_BLOBS: Final = sql(select(memory.c.terms).where(memory.c.bank == bindparam("bank")))
TERM_COUNTS: Final = sql(select(term.c.id, term.c.df).where(term.c.bank == bindparam("bank")))


def find_faults(
    connection: Connection,
    read_bank: Callable[[], BankRow],
    whole: Callable[[], Iterator[str]],
    looks: Mapping[str, Look],
) -> list[str]:
    """List every contradiction in a bank; nothing for a bank that was never written.

    Args:
        connection: Inside a transaction.
        read_bank: Reads the bank's own record, which may itself be damaged.
        whole: Says what is wrong with the store itself.
        looks: Say what is wrong in the bank, by what each looks at.
    """
    found = list(_told("the file", whole))
    try:
        bank = read_bank()
    except CorruptStoreError as error:
        return [*found, str(error)]
    except REFUSED:
        return [*found, "the record of this bank cannot be read: restore a backup"]
    if bank.id is not None:
        for what, look in looks.items():
            found += _told(what, partial(look, connection, bank))
    return found


def find_stateless(connection: Connection, bank: BankRow) -> list[str]:
    """List ids of memories whose state is missing, by internal number."""
    if bank.id is None:
        return []
    return [memory_id for (memory_id,) in connection.execute(statements.STATELESS, (bank.id,))]


def _told(what: str, look: Callable[[], Iterator[str]]) -> Iterator[str]:
    # What stops one look must not keep the others from being told.
    try:
        yield from look()
    except REFUSED:
        yield f"{what} cannot be read to the end: restore a backup"


def file_faults(connection: Connection) -> Iterator[str]:
    """Say what SQLite finds wrong with the file."""
    for (found,) in connection.execute("PRAGMA integrity_check").fetchall():
        if found != "ok":
            yield f"the file is damaged: {found}"


def _state_faults(connection: Connection, bank: BankRow) -> Iterator[str]:
    yield from map(stateless_fault, find_stateless(connection, bank))
    for (row,) in connection.execute(_HOMELESS, (bank.id,)):
        yield f"there is a retention state for memory number {row}, which does not exist"
    (lost,) = connection.execute(_LOST_EVENTS, (bank.id,)).fetchone()
    if lost:
        yield f"{lost} events of use belong to memories that do not exist"
    for (memory_id,) in connection.execute(_LATER, (bank.id, bank.bank.revision)):
        yield f"memory {memory_id!r} was changed at a revision that the bank has not reached"


def _vector_faults(connection: Connection, bank: BankRow) -> Iterator[str]:
    used = [each for each in (bank.bank.space, bank.bank.building) if each is not None]
    lengths = {each.number: each.dimension * VECTOR_ITEM_BYTES for each in used}
    for space, length, count in connection.execute(_VECTORS, (bank.id,)).fetchall():
        if space not in lengths:
            yield f"{count} vectors lie in space {space}, which the bank does not use"
        elif length != lengths[space]:
            yield f"{count} vectors in space {space} have {length} bytes, not {lengths[space]}"
    for memory_id, data in connection.execute(_VECTOR_DATA, (bank.id,)):
        if len(data) % VECTOR_ITEM_BYTES == 0 and not _could_be_ours(data):
            yield f"the vector of memory {memory_id!r} is not of unit length: reembed makes it anew"


def _could_be_ours(data: bytes) -> bool:
    with np.errstate(invalid="ignore"):
        numbers = np.frombuffer(data, dtype="<f4").astype(np.float64)
    length = float(np.sqrt(numbers @ numbers)) if np.isfinite(numbers).all() else math.inf
    return length == 0 or abs(length - 1) <= _UNIT_TOLERANCE


def _count_faults(connection: Connection, bank: BankRow) -> Iterator[str]:
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
    held = dict(connection.execute(TERM_COUNTS, (bank.id,)).fetchall())
    wrong = [each for each in counts.keys() | held.keys() if counts.get(each) != held.get(each)]
    if wrong:
        yield f"the dictionary counts {len(wrong)} terms otherwise than the memories hold them"


def _journal_faults(connection: Connection, bank: BankRow) -> Iterator[str]:
    previous, seq = GENESIS, 0
    for row in connection.execute(statements.JOURNAL, (bank.id, 0, statements.EVERYTHING)):
        entry = read_entry(row)
        if entry.seq != seq + 1 or not follows(entry, previous):
            yield f"journal entry {entry.seq} does not follow the one before it"
        previous, seq = entry.hash, entry.seq


LOOKS: Final[Mapping[str, Look]] = MappingProxyType(
    {
        "the retention states": _state_faults,
        "the vectors": _vector_faults,
        "the dictionary": _count_faults,
        "the journal": _journal_faults,
    }
)
"""What is looked at in a bank of every dialect, by its name."""
