"""Every statement that is run often, written in Core once and compiled to SQLite's SQL at import.

Decides the text of the statements and the order of their parameters: that in which they are
written. Refuses to run them. Most statements answer for one memory, key or event, and a set is
asked for one by one: the database lies in the same process, and a prepared look-up costs a few
microseconds. Whole memories are fetched many at a time, since the driver names every column of a
wide answer anew, and so are the terms of a write, since there are many.
"""

from functools import cache
from typing import Final

from sqlalchemy import (
    ClauseElement,
    Column,
    ColumnElement,
    Select,
    Table,
    and_,
    bindparam,
    delete,
    func,
    insert,
    literal_column,
    select,
    update,
)
from sqlalchemy.dialects.sqlite import dialect as sqlite_dialect
from sqlalchemy.dialects.sqlite import insert as upsert

from lapse.stores.sql.driver import Statement
from lapse.stores.sql.schema import (
    bank,
    citation,
    event,
    journal,
    journal_head,
    memory,
    memory_version,
    removal,
    retention,
    space,
    term,
    vector,
)
from lapse.stores.sql.schema_governing import hold, plan

DIALECT: Final = sqlite_dialect(paramstyle="qmark")
EVERYTHING: Final = 2**62
"""A limit that limits nothing."""

TRUE: Final[ColumnElement[object]] = literal_column("1")
FALSE: Final[ColumnElement[object]] = literal_column("0")

CONTENT: Final = tuple(
    each.name for each in memory_version.columns if each.name not in ("row", "bank")
)
"""Columns of a memory's content, in the order in which `rows` writes and reads them."""

STATE: Final = tuple(
    each.name
    for each in retention.columns
    if each.name not in ("row", "bank", "revision", "archived_at")
)
"""Columns of a retention state, likewise; `archived_at` is one of its transition's values."""

EVENT: Final = ("event_id", "source", "weight", "at", "enqueued_at", "recall_id")
"""Columns of an event, likewise, without the memory's id."""


def sql(statement: ClauseElement) -> Statement:
    """Compile a statement to text with one question mark for each parameter."""
    return Statement.of(str(statement.compile(dialect=DIALECT)), statement)


def limited(statement: ClauseElement) -> Statement:
    """Compile a statement whose last parameter is the most rows it may give.

    SQLAlchemy would add an offset, and offsets are what keyset paging is there to avoid.
    """
    return sql(statement).limited()


VECTOR_OF_MEMORY: Final = and_(vector.c.row == memory.c.row, vector.c.bank == memory.c.bank)


def with_values(statement: ClauseElement) -> tuple[Statement, list[object]]:
    """Compile a statement that holds its values, and give them in the order of the parameters."""
    compiled = statement.compile(dialect=DIALECT, compile_kwargs={"render_postcompile": True})
    values = compiled.construct_params() or {}
    return Statement.of(str(compiled), statement), [
        values[each] for each in getattr(compiled, "positiontup", None) or ()
    ]


def _columns(table: Table, names: tuple[str, ...]) -> list[Column[object]]:
    return [table.c[each] for each in names]


def eq(column: ColumnElement[object]) -> ColumnElement[bool]:
    """Compare a column with the next parameter."""
    return column == bindparam(None)


def insert_into(table: Table, *left_out: str) -> Statement:
    """Give the statement that inserts a row of all columns but those left out."""
    names = [each.name for each in table.columns if each.name not in left_out]
    return sql(insert(table).values({each: bindparam(each) for each in names}))


def _upsert(table: Table, keys: tuple[str, ...]) -> Statement:
    names = [each.name for each in table.columns]
    statement = upsert(table).values({each: bindparam(each) for each in names})
    changed = {each: statement.excluded[each] for each in names if each not in keys}
    return sql(statement.on_conflict_do_update(index_elements=list(keys), set_=changed))


WITH_STATE: Final = memory.outerjoin(
    retention, and_(retention.c.row == memory.c.row, retention.c.bank == memory.c.bank)
)
"""Memories and their states. Joins name the bank as well: a store may lay banks apart by it."""


def records() -> Select[*tuple[object, ...]]:
    """Select memories with their states: row, id, content, state; no state gives absent values."""
    return select(
        memory.c.row, memory.c.id, *_columns(memory, CONTENT), *_columns(retention, STATE)
    ).select_from(WITH_STATE)


@cache
def same_text(count: int) -> str:
    """Give the statement for who has any of so many texts: bank, then fingerprints; those first."""
    told: list[ColumnElement[object]] = [bindparam(None) for _ in range(count)]
    columns = select(memory.c.fingerprint, memory.c.row, memory.c.id)
    # In no order: SQLite would read the whole bank along its numbers to give one.
    return sql(columns.where(eq(memory.c.bank), memory.c.fingerprint.in_(told)))


@cache
def touched(count: int) -> str:
    """Give the statement that dates so many memories' content anew: revision, bank, numbers."""
    rows: list[ColumnElement[object]] = [bindparam(None) for _ in range(count)]
    within = (memory.c.bank == bindparam("in_bank"), memory.c.row.in_(rows))
    return sql(update(memory).where(*within).values(revision=bindparam("revision")))


# --- banks ------------------------------------------------------------------------------------

BANK_COLUMNS: Final = (
    "id", "created_at", "revision", "policy", "policy_version", "space", "building",
    "space_revision", "overlay", "late_events", "tokeniser", "law", "next_term", "memories",
    "active", "redating", "redated_through", "shift",
)  # fmt: skip

REVISION: Final = sql(select(bank.c.revision).where(eq(bank.c.tenant), eq(bank.c.name)))
COUNT: Final = sql(select(bank.c.memories).where(eq(bank.c.tenant), eq(bank.c.name)))
ACTIVE: Final = sql(select(bank.c.active).where(eq(bank.c.tenant), eq(bank.c.name)))
BANK: Final = sql(select(*_columns(bank, BANK_COLUMNS)).where(eq(bank.c.tenant), eq(bank.c.name)))
BANKS: Final = sql(select(bank.c.name).where(eq(bank.c.tenant)).order_by(bank.c.name))
REFS: Final = sql(select(bank.c.tenant, bank.c.name).order_by(bank.c.tenant, bank.c.name))
INSERT_BANK: Final = sql(
    insert(bank)
    .values({each.name: bindparam(each.name) for each in bank.columns if each.name != "id"})
    .returning(bank.c.id)
)
UPDATE_BANK: Final = sql(
    update(bank)
    .where(bank.c.id == bindparam("bank_id"))
    .values({each: bindparam(each) for each in ("created_at", *BANK_COLUMNS[2:])})
)
SPACE: Final = sql(select(space.c.revision).where(eq(space.c.bank), eq(space.c.number)))
SPACE_WHOLE: Final = sql(
    select(space.c.embedder, space.c.dimension, space.c.epoch, space.c.idf).where(
        eq(space.c.bank), eq(space.c.number)
    )
)
PUT_SPACE: Final = _upsert(space, ("bank", "number"))
SPACES: Final = sql(select(space.c.number).where(eq(space.c.bank)))
DELETE_SPACE: Final = sql(delete(space).where(eq(space.c.bank), eq(space.c.number)))

# --- memories ---------------------------------------------------------------------------------


@cache
def records_by_id(count: int) -> str:
    """Give the statement for memories of one bank by so many ids: bank, then the ids."""
    ids: list[ColumnElement[object]] = [bindparam(None) for _ in range(count)]
    return sql(records().where(eq(memory.c.bank), memory.c.id.in_(ids)))


@cache
def rows_by_id(count: int) -> str:
    """Give the statement for internal numbers by so many ids: bank, then the ids; id, row."""
    ids: list[ColumnElement[object]] = [bindparam(None) for _ in range(count)]
    return sql(select(memory.c.id, memory.c.row).where(eq(memory.c.bank), memory.c.id.in_(ids)))


@cache
def contents_by_id(count: int) -> str:
    """Give the statement for contents by so many ids: bank, then the ids; id, then the content."""
    ids: list[ColumnElement[object]] = [bindparam(None) for _ in range(count)]
    columns = select(memory.c.id, *_columns(memory, CONTENT))
    return sql(columns.where(eq(memory.c.bank), memory.c.id.in_(ids)))


@cache
def standing_by_id(count: int) -> str:
    """Give the statement for how so many memories stand: bank, then the ids; id first."""
    ids: list[ColumnElement[object]] = [bindparam(None) for _ in range(count)]
    found = _columns(memory, ("id", "row", "content_version", "text", "salt"))
    columns = select(*found, retention.c.lifecycle).select_from(WITH_STATE)
    return sql(columns.where(eq(memory.c.bank), memory.c.id.in_(ids)))


@cache
def records_by_row(count: int) -> str:
    """Give the statement for memories of one bank by so many internal numbers: bank, numbers."""
    numbers: list[ColumnElement[object]] = [bindparam(None) for _ in range(count)]
    return sql(records().where(eq(memory.c.bank), memory.c.row.in_(numbers)))


SAME_KEY: Final = sql(
    select(memory.c.row, memory.c.id)
    .where(eq(memory.c.bank), eq(memory.c.key))
    .order_by(memory.c.row)
)
ROW: Final = sql(select(memory.c.row).where(eq(memory.c.bank), eq(memory.c.id)))
VERSIONS: Final = sql(
    select(*_columns(memory_version, CONTENT))
    .where(eq(memory_version.c.bank), eq(memory_version.c.row))
    .order_by(memory_version.c.content_version)
)
MISSING_VECTORS: Final = limited(
    records()
    .where(
        eq(memory.c.bank),
        ~select(vector.c.row).where(VECTOR_OF_MEMORY, eq(vector.c.space)).exists(),
    )
    .order_by(memory.c.row)
)
STATELESS: Final = sql(
    select(memory.c.id)
    .select_from(WITH_STATE)
    .where(eq(memory.c.bank), retention.c.row.is_(None))
    .order_by(memory.c.row)
)
# Numbers never given before, in order, so many as are asked for.
NEW_ROWS: Final = (
    "WITH RECURSIVE given(row, left) AS (SELECT coalesce("
    "(SELECT seq FROM sqlite_sequence WHERE name = 'memory'), 0) + 1, ?1"
    " UNION ALL SELECT row + 1, left - 1 FROM given WHERE left > 1) SELECT row FROM given"
)
INSERT_MEMORY: Final = insert_into(memory)
MEMORY: Final = tuple(each.name for each in memory.columns)
FACETS: Final = ("word_count", "distinctions", "terms")
UPDATE_CONTENT: Final = sql(
    update(memory)
    .where(memory.c.bank == bindparam("in_bank"), memory.c.row == bindparam("memory_row"))
    .values({each: bindparam(each) for each in ("revision", "entity_count", *CONTENT)})
)
UPDATE_FACETS: Final = sql(
    update(memory)
    .where(memory.c.bank == bindparam("in_bank"), memory.c.row == bindparam("memory_row"))
    .values({each: bindparam(each) for each in FACETS})
)
TERMS_OF: Final = sql(select(memory.c.terms).where(eq(memory.c.bank), eq(memory.c.row)))
KEEP_VERSION: Final = sql(
    insert(memory_version).from_select(
        ["bank", "row", *CONTENT],
        select(memory.c.bank, memory.c.row, *_columns(memory, CONTENT)).where(
            eq(memory.c.bank), eq(memory.c.row)
        ),
    )
)
PUT_STATE: Final = _upsert(retention, ("row",))
REMOVE: Final = tuple(
    sql(delete(table).where(eq(table.c.bank), eq(table.c.row)))
    for table in (vector, event, citation, memory_version, retention, memory)
)
INSERT_REMOVAL: Final = insert_into(removal)

# --- citations and holds ----------------------------------------------------------------------

INSERT_CITATION: Final = insert_into(citation)
DROP_CITATIONS: Final = sql(delete(citation).where(eq(citation.c.bank), eq(citation.c.row)))
# The ids come as one JSON array: a plan asks for thousands. A cross join, as for terms.
CITED_BY: Final = (
    "SELECT citation.cited, memory.id FROM json_each(?) AS wanted"
    " CROSS JOIN citation ON citation.bank = ? AND citation.cited = wanted.value"
    " JOIN memory ON memory.bank = citation.bank AND memory.row = citation.row"
    " LEFT JOIN retention ON retention.bank = citation.bank AND retention.row = citation.row"
    " WHERE coalesce(retention.lifecycle, 'active') = 'active' AND memory.id != citation.cited"
    " ORDER BY wanted.key, citation.row"
)
HOLD: Final = ("name", "scope", "targets", "holder", "reason", "placed_at", "attached")
HOLDS: Final = sql(select(*_columns(hold, HOLD)).where(eq(hold.c.bank)).order_by(hold.c.name))
PUT_HOLD: Final = _upsert(hold, ("bank", "name"))
DELETE_HOLD: Final = sql(delete(hold).where(eq(hold.c.bank), eq(hold.c.name)))

PUT_PLAN: Final = sql(
    upsert(plan)
    .values({each.name: bindparam(each.name) for each in plan.columns})
    .on_conflict_do_update(
        index_elements=["bank", "id"], set_={"progress": upsert(plan).excluded.progress}
    )
)
PLAN: Final = sql(
    select(*_columns(plan, ("head", "items", "progress"))).where(eq(plan.c.bank), eq(plan.c.id))
)
PLANS: Final = limited(
    select(*_columns(plan, ("head", "progress")))
    .where(eq(plan.c.bank))
    .order_by(plan.c.created_at.desc(), plan.c.id)
)

# --- vectors, terms, events, journal ----------------------------------------------------------

PUT_VECTOR: Final = _upsert(vector, ("row", "space"))
DROP_VECTORS: Final = sql(delete(vector).where(eq(vector.c.bank), eq(vector.c.row)))
DROP_SPACE: Final = sql(delete(vector).where(eq(vector.c.bank), eq(vector.c.space)))
# The terms come as one JSON array. A cross join makes SQLite look each of them up; given a choice,
# it would read the bank's whole dictionary.
TERMS: Final = (
    "SELECT term.term, term.id FROM json_each(?) AS wanted"
    " CROSS JOIN term ON term.bank = ? AND term.term = wanted.value"
)
INSERT_TERM: Final = insert_into(term)
COUNT_TERM: Final = sql(
    update(term)
    .where(term.c.bank == bindparam("bank_id"), term.c.id == bindparam("term_id"))
    .values(df=term.c.df + bindparam("more"))
)
DELETE_TERM: Final = sql(delete(term).where(eq(term.c.bank), eq(term.c.id), term.c.df <= FALSE))

PENDING_ROWS: Final = limited(
    select(event.c.row).where(eq(event.c.bank), event.c.pending == TRUE).order_by(event.c.number)
)
PENDING_COUNT: Final = sql(
    select(func.count()).select_from(event).where(eq(event.c.bank), event.c.pending == TRUE)
)
PENDING_SINCE: Final = limited(
    select(event.c.enqueued_at)
    .where(eq(event.c.bank), event.c.pending == TRUE)
    .order_by(event.c.number)
)
EVENTS: Final = sql(
    select(*_columns(event, EVENT))
    .where(eq(event.c.bank), eq(event.c.row))
    .order_by(event.c.at, event.c.event_id)
)
RECENT_EVENTS: Final = sql(
    select(*_columns(event, EVENT)).where(
        eq(event.c.bank), eq(event.c.row), event.c.at >= bindparam(None)
    )
)
LATE_PENDING: Final = sql(
    select(*_columns(event, EVENT)).where(
        eq(event.c.bank),
        eq(event.c.row),
        event.c.at < bindparam(None),
        event.c.pending == TRUE,
    )
)
ENQUEUE: Final = sql(
    upsert(event)
    .values({each: bindparam(each) for each in ("bank", "row", *EVENT)} | {"pending": TRUE})
    .on_conflict_do_nothing(index_elements=["row", "event_id"])
)
DRAIN: Final = sql(
    update(event)
    .where(
        event.c.bank == bindparam("in_bank"),
        event.c.row == bindparam("memory_row"),
        event.c.event_id == bindparam("id"),
        event.c.pending == TRUE,
    )
    .values(pending=FALSE)
)

JOURNAL: Final = limited(
    select(*(each for each in journal.columns if each.name != "bank"))
    .where(eq(journal.c.bank), journal.c.seq > bindparam(None))
    .order_by(journal.c.seq)
)
JOURNAL_OF: Final = sql(
    select(*(each for each in journal.columns if each.name != "bank"))
    .where(eq(journal.c.bank), func.instr(journal.c["items"], bindparam(None)) > FALSE)
    .order_by(journal.c.seq)
)
JOURNAL_BY: Final = sql(
    select(*(each for each in journal.columns if each.name != "bank"))
    .where(eq(journal.c.bank), eq(journal.c.verb), journal.c.seq > bindparam(None))
    .order_by(journal.c.seq)
)
JOURNAL_HEAD: Final = sql(
    select(journal_head.c.seq, journal_head.c.hash).where(eq(journal_head.c.bank))
)
PUT_JOURNAL_HEAD: Final = _upsert(journal_head, ("bank",))
INSERT_JOURNAL: Final = insert_into(journal)
