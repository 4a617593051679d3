"""Each hot query goes through an index of one part: what PostgreSQL plans is held fast."""

import re

import pytest

from lapse.model.changeset import Changes
from lapse.model.due import DueBy
from lapse.stores.postgres.dialect import PARTED, in_postgres
from lapse.stores.postgres.store import PostgresStore
from lapse.stores.sql import feeding, statements
from lapse.stores.sql.copying import COPIED
from lapse.stores.sql.identifying import HOLDERS
from lapse.stores.sql.schema import memory as memory_table
from lapse.stores.sql.sweeping import DUE
from lapse.testing.fakes import ALICE, memory, record, writes
from tests.unit.stores.postgres.asking import READS, values_for

PAGE, PAGE_VALUES = statements.with_values(
    statements.records()
    .where(memory_table.c.bank == 1, memory_table.c.row > 2)
    .order_by(memory_table.c.row)
)
OTHERS = {
    "page": (PAGE.limited(), (*PAGE_VALUES, 10)),
    "records": (statements.records_by_id(16), (1, *(f"m{at}" for at in range(16)))),
    "records by row": (statements.records_by_row(16), (1, *range(16))),
    "SAME_TEXT": (statements.same_text(1), (1, b"x")),
    "same texts": (statements.same_text(4), (1, b"w", b"x", b"y", b"z")),
    "SAME_KEY": (statements.SAME_KEY, (1, "user/drink")),
    "STATELESS": (statements.STATELESS, (1,)),
    "PENDING_ROWS": (statements.PENDING_ROWS, (1, 10)),
    "PENDING_COUNT": (statements.PENDING_COUNT, (1,)),
    "PENDING_SINCE": (statements.PENDING_SINCE, (1, 1)),
    "LATE_PENDING": (statements.LATE_PENDING, (1, 1, 0)),
    "DRAIN": (statements.DRAIN, (1, 1, "e1")),
    "TERMS": (statements.TERMS, ('["tea"]', 1)),
    "DELETE_TERM": (statements.DELETE_TERM, (1, 1)),
    "REMOVED": (feeding.REMOVED, (1, 0)),
    "due": (DUE[DueBy.FADING], (1, "active", 9, 0, 0, 10)),
    "expired": (DUE[DueBy.EXPIRY], (1, "active", 9, 0, 0, 10)),
    "HOLDERS": (HOLDERS, (1, "anna@example.org")),
    "COPIED": (COPIED, (1,)),
    "PLAN": (statements.PLAN, (1, "x")),
    "CITED_BY": (statements.CITED_BY, ('["m1"]', 1)),
    "REMOVE": (statements.REMOVE[-1], (1, 1)),
    "UPDATE_FACETS": (statements.UPDATE_FACETS, (1, b"", b"", 1, 1)),
}


@pytest.fixture
def filled(store: PostgresStore) -> PostgresStore:
    created = tuple(record(memory(f"m{at}")) for at in range(300))
    store.commit(writes(Changes(created=created)))
    with store._connections.alone() as session:
        session.execute(b"ANALYZE")
    return store


def plan(store: PostgresStore, statement: str, values: tuple[object, ...]) -> list[str]:
    text, places = in_postgres(statement)
    given = values if places is None else tuple(values[each] for each in places)
    with store._connections.working(ALICE.tenant) as link:
        # A few hundred rows are read faster whole: what counts is that an index can answer.
        link.execute("SELECT set_config('enable_seqscan', 'off', true)")
        link.execute("SELECT set_config('enable_bitmapscan', 'off', true)")
        found = link._session.execute(f"EXPLAIN {text}".encode(), given).fetchall()
    return [str(step) for (step,) in found]


ALL = {
    **{name: (text, values_for(name, ALICE, (1, 1))) for name, text in READS.items()},
    **OTHERS,
}


@pytest.mark.parametrize("name", ALL)
def test_a_hot_query_goes_through_an_index_of_one_part(filled: PostgresStore, name: str) -> None:
    steps = plan(filled, *ALL[name])
    assert not [each for each in steps if "Seq Scan" in each], steps
    for table in PARTED:
        parts = set(re.findall(rf" on {table}_p(\d+)\b", "\n".join(steps)))
        assert len(parts) <= 1, steps
    assert any("Index" in each for each in steps), steps


def test_the_plan_of_a_query_without_an_index_would_show(filled: PostgresStore) -> None:
    steps = plan(filled, "SELECT row FROM memory WHERE text = ?", ("x",))
    assert len({part for each in steps for part in re.findall(r"memory_p(\d+)", each)}) > 1
    assert [each for each in steps if "Seq Scan" in each]
