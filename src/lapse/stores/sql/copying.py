"""What a bank hands on and takes over: whole dumps, and which copies it has elsewhere.

Decides in which order a bank is read for a dump, how copies are found by what they were made of,
and how internal numbers are kept free for what is taken over. Refuses to know a file.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from sqlalchemy import Index, bindparam, literal_column, select

from lapse.model.dump import KeptMemory, KeptUse, Piece
from lapse.model.journal import JournalEntry
from lapse.model.memory import BankRef, Memory, MemoryRef, SharedFrom, can_be_kept
from lapse.model.plan import Plan
from lapse.model.plan_form import Written, read_plan
from lapse.model.record import Record, Vector
from lapse.model.verbs import VERBS
from lapse.stores.applying import stateless_error
from lapse.stores.sql import statements
from lapse.stores.sql.banks import BankRow
from lapse.stores.sql.driver import Connection
from lapse.stores.sql.graves import get_tombstones
from lapse.stores.sql.holding import get_holds
from lapse.stores.sql.journal_rows import read_entry
from lapse.stores.sql.rows import (
    Row,
    memory_values,
    read_event,
    read_memory,
    read_record,
    shared_text,
)
from lapse.stores.sql.schema import bank, event, journal, memory, memory_version, vector
from lapse.stores.sql.schema_governing import plan
from lapse.stores.sql.statements import EVENT, EVERYTHING, eq, insert_into, limited, records, sql
from lapse.stores.sql.sweeping import get_canaries, get_sweeps
from lapse.stores.sql.truths import read_closings, read_proposals

Index("memory_shared", memory.c.shared_from, sqlite_where=memory.c.shared_from.is_not(None))
_COPYING: Final = journal.c.verb.in_(
    [literal_column(f"'{verb.value}'") for verb, spec in VERBS.items() if spec.copies]
)
Index("journal_copying", journal.c.bank, journal.c.seq, sqlite_where=_COPYING)

COPIED: Final = sql(
    select(*(each for each in journal.columns if each.name != "bank"))
    .where(eq(journal.c.bank), _COPYING)
    .order_by(journal.c.seq)
)
COPIES: Final = sql(
    select(bank.c.name, memory.c.id)
    .select_from(memory.join(bank, bank.c.id == memory.c.bank))
    .where(eq(memory.c.shared_from), eq(bank.c.tenant))
    .order_by(bank.c.name, memory.c.row)
)
LAST_ROW: Final = "SELECT seq FROM sqlite_sequence WHERE name = 'memory'"
FORGET_LAST_ROW: Final = "DELETE FROM sqlite_sequence WHERE name = 'memory'"
NOTE_LAST_ROW: Final = "INSERT INTO sqlite_sequence (name, seq) VALUES ('memory', ?)"
_MEMORIES: Final = limited(
    records().where(eq(memory.c.bank), memory.c.row > bindparam(None)).order_by(memory.c.row)
)
_SALT: Final = sql(select(memory.c.salt).where(eq(memory.c.bank), eq(memory.c.row)))
_VECTORS: Final = sql(
    select(vector.c.space, vector.c.data)
    .where(eq(vector.c.bank), eq(vector.c.row))
    .order_by(vector.c.space)
)
_USES: Final = sql(
    select(*(event.c[each] for each in EVENT), event.c.pending)
    .where(eq(event.c.bank), eq(event.c.row))
    .order_by(event.c.number)
)
_PLANS: Final = sql(
    select(plan.c.head, plan.c["items"], plan.c.progress)
    .where(eq(plan.c.bank))
    .order_by(plan.c.created_at, plan.c.id)
)
_PUT_VERSION: Final = insert_into(memory_version)
_AT_ONCE: Final = 500


def reserve_rows(connection: Connection, count: int) -> int:
    """Set so many internal numbers aside, and give the one before the first of them."""
    found = connection.execute(LAST_ROW).fetchone()
    last = 0 if found is None else int(found[0])
    connection.execute(FORGET_LAST_ROW)
    connection.execute(NOTE_LAST_ROW, (last + count,))
    return last


def put_versions(
    connection: Connection, number: int, versions: Iterable[tuple[int, Sequence[Memory]]]
) -> None:
    """Write earlier content versions of memories of one bank, by internal number."""
    connection.executemany(
        _PUT_VERSION,
        [(row, number, *memory_values(each)) for row, known in versions for each in known],
    )


def get_copied(connection: Connection, bank: BankRow) -> list[JournalEntry]:
    """Read the journal's entries by which something left the bank."""
    return [read_entry(each) for each in connection.execute(COPIED, (bank.id,)).fetchall()]


def get_copies(
    connection: Connection, ref: BankRef, ids: Sequence[str]
) -> dict[str, tuple[MemoryRef, ...]]:
    """Read the copies of memories in any bank of the tenant."""
    found = {}
    for each in filter(can_be_kept, dict.fromkeys(ids)):
        told = shared_text(SharedFrom(bank=ref.name, id=each))
        rows = connection.execute(COPIES, (told, ref.tenant)).fetchall()
        if rows:
            found[each] = tuple(
                MemoryRef(ref=BankRef(tenant=ref.tenant, name=name), id=memory_id)
                for name, memory_id in rows
            )
    return found


def dump(connection: Connection, bank: BankRow) -> Iterator[Piece]:
    """Read everything of a bank, within one transaction."""
    if bank.id is None:
        return
    yield bank.bank
    yield from (each.tombstone for each in get_tombstones(connection, bank.bank.ref, 0))
    yield from get_holds(connection, bank.id)
    yield from get_canaries(connection, bank)
    yield from get_sweeps(connection, bank, EVERYTHING)
    for entry in connection.execute(statements.JOURNAL, (bank.id, 0, EVERYTHING)):
        yield read_entry(entry)
    yield from _memories(connection, bank)
    yield from read_closings(connection, bank.id, None)
    yield from read_proposals(connection, bank.id, None, None)
    yield from _plans(connection, bank.id)


def _memories(connection: Connection, bank: BankRow) -> Iterator[KeptMemory]:
    after = 0
    while found := connection.execute(_MEMORIES, (bank.id, after, _AT_ONCE)).fetchall():
        for row in found:
            yield _kept(connection, bank, row)
        after = found[-1][0]


def _kept(connection: Connection, bank: BankRow, row: Row) -> KeptMemory:
    record = read_record(bank.bank.ref, row)
    if not isinstance(record, Record):
        raise stateless_error(record[1].id)
    name, place = record.memory.id, (bank.id, record.row)
    (salt,) = connection.execute(_SALT, place).fetchone()
    versions = connection.execute(statements.VERSIONS, place).fetchall()
    return KeptMemory(
        number=record.row - bank.bank.shift,
        memory=record.memory,
        state=record.state,
        salt=salt,
        versions=tuple(read_memory(bank.bank.ref, name, each) for each in versions),
        vectors=tuple(
            Vector(space=space, data=data)
            for space, data in connection.execute(_VECTORS, place).fetchall()
        ),
        uses=tuple(
            KeptUse(event=read_event(name, each), pending=bool(each[-1]))
            for each in connection.execute(_USES, place).fetchall()
        ),
    )


def _plans(connection: Connection, bank: int) -> Iterator[Plan]:
    for head, items, progress in connection.execute(_PLANS, (bank,)):
        yield read_plan(Written(head=head, items=items, progress=progress))
