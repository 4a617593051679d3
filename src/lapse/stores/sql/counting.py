"""How common terms are in the bank's dictionary, and how many memories stand how.

Decides that a term is looked up one by one, by its name, and that memories are counted where they
lie. Refuses to weigh anything.
"""

from collections import Counter
from collections.abc import Iterable
from typing import Final

from sqlalchemy import and_, bindparam, func, select

from lapse.model.instants import Instant
from lapse.model.memory import Kind
from lapse.model.retention import ImportanceSource, Lifecycle
from lapse.model.tally import Tally
from lapse.model.term_counts import TermCounts
from lapse.stores.sql.banks import BankRow
from lapse.stores.sql.driver import Connection
from lapse.stores.sql.graves import count_tombstones
from lapse.stores.sql.schema import memory, retention, term, vector
from lapse.stores.sql.statements import TRUE, VECTOR_OF_MEMORY, WITH_STATE, eq, sql

FREQUENCY: Final = sql(
    select(term.c.df).where(term.c.bank == bindparam(None), term.c.term == bindparam(None))
)
_GROUPS: Final = (memory.c.kind, retention.c.lifecycle, retention.c.importance_source)
_FADED: Final = and_(eq(retention.c.lifecycle), retention.c.fades_at <= bindparam(None))
TALLY: Final = sql(
    select(
        *_GROUPS,
        func.count(),
        func.count().filter(memory.c.is_latest == TRUE, memory.c.recorded_to.is_(None)),
        func.count().filter(_FADED),
        func.count().filter(retention.c.pinned == TRUE),
    )
    .select_from(WITH_STATE)
    .where(eq(memory.c.bank))
    .group_by(*_GROUPS)
)
WITHOUT_VECTOR: Final = sql(
    select(func.count())
    .select_from(memory)
    .where(
        eq(memory.c.bank),
        ~select(vector.c.row).where(VECTOR_OF_MEMORY, eq(vector.c.space)).exists(),
    )
)


def get_term_counts(connection: Connection, bank: BankRow, terms: Iterable[str]) -> TermCounts:
    """Read in how many of a bank's memories each term occurs."""
    found = {
        each: row[0]
        for each in dict.fromkeys(terms)
        if (row := connection.execute(FREQUENCY, (bank.id, each)).fetchone()) is not None
    }
    return TermCounts(memory_count=bank.memories, frequency=found)


def get_tally(connection: Connection, bank: BankRow, now: Instant, space: int | None) -> Tally:
    """Count a bank's memories."""
    kinds: Counter[Kind] = Counter()
    lifecycles: Counter[Lifecycle] = Counter()
    ratings: Counter[ImportanceSource] = Counter()
    current = faded = pinned = 0
    asked = (Lifecycle.ACTIVE.value, now, bank.id)
    for kind, lifecycle, rating, count, *rest in connection.execute(TALLY, asked):
        kinds[Kind(kind)] += count
        if lifecycle is not None:
            lifecycles[Lifecycle(lifecycle)] += count
            ratings[ImportanceSource(rating)] += count
        current, faded, pinned = current + rest[0], faded + rest[1], pinned + rest[2]
    return Tally(
        memories=kinds.total(),
        by_kind=kinds,
        by_lifecycle=lifecycles,
        by_rater=ratings,
        current=current,
        faded=faded,
        pinned=pinned,
        tombstones=count_tombstones(connection, bank.bank.ref),
        without_vector=kinds.total() if space is None else _bare(connection, bank, space),
    )


def _bare(connection: Connection, bank: BankRow, space: int) -> int:
    found = connection.execute(WITHOUT_VECTOR, (bank.id, space)).fetchone()
    return 0 if found is None else int(found[0])
