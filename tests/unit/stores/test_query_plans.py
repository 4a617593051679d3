"""No hot query reads a whole table: what SQLite plans for each is asked and held fast."""

from collections.abc import Iterator
from contextlib import closing

import pytest

from lapse.model.changeset import Changes
from lapse.model.due import DueBy
from lapse.stores.sql import feeding, statements, truths
from lapse.stores.sql.connections import Connections
from lapse.stores.sql.graves import IN_FORCE
from lapse.stores.sql.identifying import HOLDERS
from lapse.stores.sql.schema import memory as memory_table
from lapse.stores.sql.sqlite import SqliteStore
from lapse.stores.sql.sweeping import DUE
from lapse.testing.fakes import memory, record, writes

PAGE = statements.limited(
    statements.records()
    .where(memory_table.c.bank == 1, memory_table.c.row > 2)
    .order_by(memory_table.c.row)
)

SEARCHED_BY = {
    "IN_FORCE": (IN_FORCE, "COVERING INDEX tombstone_bank (tenant=? AND bank=?)"),
    "REVISION": (statements.REVISION, "(tenant=? AND name=?)"),
    "COUNT": (statements.COUNT, "(tenant=? AND name=?)"),
    "BANK": (statements.BANK, "(tenant=? AND name=?)"),
    "BANKS": (statements.BANKS, "(tenant=?)"),
    "one record": (statements.records_by_id(1), "(bank=? AND id=?)"),
    "records": (statements.records_by_id(64), "(bank=? AND id=?)"),
    "records by row": (statements.records_by_row(64), "INTEGER PRIMARY KEY (rowid=?)"),
    "ROW": (statements.ROW, "(bank=? AND id=?)"),
    "STANDING": (statements.standing_by_id(1), "(bank=? AND id=?)"),
    "SAME_TEXT": (statements.same_text(1), "memory_fingerprint (bank=? AND fingerprint=?)"),
    "same texts": (statements.same_text(4), "memory_fingerprint (bank=? AND fingerprint=?)"),
    "SAME_KEY": (statements.SAME_KEY, "memory_key (bank=? AND key=?)"),
    "VERSIONS": (statements.VERSIONS, "(row=?)"),
    "page": (PAGE, "memory_page (bank=? AND row>?)"),
    "MISSING_VECTORS": (statements.MISSING_VECTORS, "(row=? AND space=?)"),
    "STATELESS": (statements.STATELESS, "memory_page (bank=?)"),
    "PENDING_ROWS": (statements.PENDING_ROWS, "event_pending (bank=?)"),
    "PENDING_COUNT": (statements.PENDING_COUNT, "event_pending (bank=?)"),
    "PENDING_SINCE": (statements.PENDING_SINCE, "event_pending (bank=?)"),
    "EVENTS": (statements.EVENTS, "event_row (row=?)"),
    "RECENT_EVENTS": (statements.RECENT_EVENTS, "event_row (row=? AND at>?)"),
    "LATE_PENDING": (statements.LATE_PENDING, "event_pending_row (row=? AND at<?)"),
    "DRAIN": (statements.DRAIN, "(row=? AND event_id=?)"),
    "TERMS": (statements.TERMS, "(bank=? AND term=?)"),
    "COUNT_TERM": (statements.COUNT_TERM, "PRIMARY KEY (bank=? AND id=?)"),
    "DELETE_TERM": (statements.DELETE_TERM, "PRIMARY KEY (bank=? AND id=?)"),
    "ALL_CONTENT": (feeding.ALL_CONTENT, "memory_page (bank=?)"),
    "NEW_CONTENT": (feeding.NEW_CONTENT, "memory_revision (bank=? AND revision>?)"),
    "NEW_STATES": (feeding.NEW_STATES, "retention_revision (bank=? AND revision>?)"),
    "NEW_TERMS": (feeding.NEW_TERMS, "term_revision (bank=? AND revision>?)"),
    "REMOVED": (feeding.REMOVED, "PRIMARY KEY (bank=? AND revision>?)"),
    "JOURNAL": (statements.JOURNAL, "(bank=? AND seq>?)"),
    "JOURNAL_BY": (statements.JOURNAL_BY, "(bank=? AND seq>?)"),
    "JOURNAL_HEAD": (statements.JOURNAL_HEAD, "(bank=?)"),
    "JOURNAL_OF": (statements.JOURNAL_OF, "(bank=?)"),
    "DROP_CITATIONS": (statements.DROP_CITATIONS, "citation_row (row=? AND bank=?)"),
    "HOLDS": (statements.HOLDS, "PRIMARY KEY (bank=?)"),
    "DELETE_HOLD": (statements.DELETE_HOLD, "PRIMARY KEY (bank=? AND name=?)"),
    "DROP_VECTORS": (statements.DROP_VECTORS, "(row=?)"),
    "due": (
        DUE[DueBy.FADING],
        "retention_due (bank=? AND lifecycle=? AND fades_at>",
    ),
    "expired": (
        DUE[DueBy.EXPIRY],
        "retention_expiry (bank=? AND lifecycle=? AND expires_at>",
    ),
    "archived": (
        DUE[DueBy.ARCHIVED],
        "retention_archived (bank=? AND lifecycle=? AND archived_at>",
    ),
    "HOLDERS": (HOLDERS, "PRIMARY KEY (bank=? AND canonical=?)"),
    "ACTIVE": (statements.ACTIVE, "(tenant=? AND name=?)"),
    "PLAN": (statements.PLAN, "(bank=? AND id=?)"),
    "PLANS": (statements.PLANS, "plan_page (bank=?)"),
    "closings": (truths._closings_of(3), "closing_by (by_row=?)"),
    "ALL_CLOSINGS": (truths._ALL_CLOSINGS, "closing_bank (bank=?)"),
    "naming": (truths._naming(3), "proposal_part_row (row=?)"),
    "PROPOSALS_OF_STATUS": (truths._PROPOSALS_OF_STATUS, "proposal_status (bank=? AND status=?)"),
    "PROPOSAL": (truths._PROPOSAL, "(bank=? AND id=?)"),
}


@pytest.fixture(scope="module")
def connections(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Connections]:
    path = tmp_path_factory.mktemp("plans") / "plans.db"
    with closing(SqliteStore.open(path)) as store:
        created = tuple(record(memory(f"m{at}")) for at in range(50))
        store.commit(writes(Changes(created=created)))
        yield store._connections


def plan(connections: Connections, statement: str) -> list[str]:
    with connections.lent() as connection:
        found = connection.execute(
            f"EXPLAIN QUERY PLAN {statement}", (None,) * statement.count("?")
        )
        return [str(step) for *_, step in found.fetchall()]


@pytest.mark.parametrize("name", SEARCHED_BY)
def test_a_hot_query_goes_through_its_index(connections: Connections, name: str) -> None:
    statement, by = SEARCHED_BY[name]
    steps = plan(connections, statement)
    assert any(by in step.replace("+", "") for step in steps), steps
    # What is given as one JSON array is walked through; a table never is.
    walked = [step for step in steps if "VIRTUAL TABLE" not in step]
    assert not [step for step in walked if step.startswith("SCAN")], steps


ORDERED = (
    "page",
    "ALL_CONTENT",
    "MISSING_VECTORS",
    "PENDING_ROWS",
    "JOURNAL",
    "due",
    "expired",
    "SAME_TEXT",
)


@pytest.mark.parametrize("name", ORDERED)
def test_a_long_answer_comes_in_order_without_being_sorted(
    connections: Connections, name: str
) -> None:
    steps = plan(connections, SEARCHED_BY[name][0])
    assert steps
    assert not [step for step in steps if "TEMP B-TREE" in step], steps


def test_the_plan_of_a_query_without_an_index_would_show(connections: Connections) -> None:
    steps = plan(connections, "SELECT row FROM memory WHERE text = ? ORDER BY salt")
    assert [step for step in steps if step.startswith("SCAN")]
    assert [step for step in steps if "TEMP B-TREE" in step]
