"""Statements that PostgreSQL has to be asked in other words than SQLite.

Decides the words, for each text that was written by hand for SQLite. Each takes the same parameters
in the same order and gives the same rows. Whatever is not here is compiled anew or taken as it is.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from lapse.stores.sql import statements
from lapse.stores.sql.copying import FORGET_LAST_ROW, LAST_ROW, NOTE_LAST_ROW
from lapse.stores.sql.counting import FREQUENCY
from lapse.stores.sql.doctor import TERM_COUNTS
from lapse.stores.sql.redacting import APPROVALS
from lapse.stores.sql.schema import journal

_JOURNAL: Final = ", ".join(each.name for each in journal.columns if each.name != "bank")

TWINS: Final[Mapping[str, str]] = MappingProxyType(
    {
        # Whoever sets many numbers aside waits for those who take a few, and they for it.
        statements.NEW_ROWS: (
            "SELECT nextval('memory_row') FROM pg_advisory_xact_lock_shared("
            "1279348787, hashtext(current_schema())), generate_series(1, %s)"
        ),
        LAST_ROW: (
            "SELECT nextval('memory_row') - 1 FROM pg_advisory_xact_lock("
            "1279348787, hashtext(current_schema()))"
        ),
        FORGET_LAST_ROW: "SELECT 1",
        NOTE_LAST_ROW: "SELECT setval('memory_row', %s)",
        statements.TERMS: (
            "SELECT term.term, term.id FROM term"
            " JOIN json_array_elements_text(%s::json) AS wanted(name) ON term.term = wanted.name"
            " WHERE term.bank = %s"
        ),
        statements.CITED_BY: (
            "SELECT citation.cited, memory.id"
            " FROM json_array_elements_text(%s::json) WITH ORDINALITY AS wanted(value, place)"
            " JOIN citation ON citation.bank = %s AND citation.cited = wanted.value"
            " JOIN memory ON memory.bank = citation.bank AND memory.row = citation.row"
            " LEFT JOIN retention"
            " ON retention.bank = citation.bank AND retention.row = citation.row"
            " WHERE coalesce(retention.lifecycle, 'active') = 'active'"
            " AND memory.id <> citation.cited ORDER BY wanted.place, citation.row"
        ),
        statements.JOURNAL_OF: (
            f"SELECT {_JOURNAL} FROM journal"  # noqa: S608 - names of our columns
            " WHERE bank = %s AND position(%s::bytea IN items) > 0 ORDER BY seq"
        ),
        APPROVALS: (
            "SELECT id, progress::json #>> '{approval,reason}' FROM plan WHERE bank = %s"
            " ORDER BY id"
        ),
        # Who drains claims what waits; a worker that comes between takes what is left.
        statements.PENDING_ROWS: (
            "SELECT event.row FROM event WHERE event.bank = %s AND event.pending = 1"
            " ORDER BY event.number LIMIT %s FOR UPDATE SKIP LOCKED"
        ),
        # How often a term is held is appended, and folded in now and then: a count in one place
        # would be written anew by every write.
        statements.COUNT_TERM: "INSERT INTO term_delta (more, bank, term) VALUES (%s, %s, %s)",
        statements.DELETE_TERM: (
            "WITH held AS (SELECT %s::bigint AS bank, %s::bigint AS id), gone AS ("
            "DELETE FROM term USING held WHERE term.bank = held.bank AND term.id = held.id"
            " AND term.df + (SELECT coalesce(sum(more), 0) FROM term_delta"
            " WHERE bank = held.bank AND term = held.id) <= 0 RETURNING term.bank, term.id)"
            " DELETE FROM term_delta USING gone"
            " WHERE term_delta.bank = gone.bank AND term_delta.term = gone.id"
        ),
        FREQUENCY: (
            "SELECT (term.df + coalesce((SELECT sum(more) FROM term_delta"
            " WHERE term_delta.bank = term.bank AND term_delta.term = term.id), 0))::bigint"
            " FROM term WHERE term.bank = %s AND term.term = %s"
        ),
        TERM_COUNTS: (
            "SELECT term.id, (term.df + coalesce(sum(term_delta.more), 0))::bigint FROM term"
            " LEFT JOIN term_delta ON term_delta.bank = term.bank AND term_delta.term = term.id"
            " WHERE term.bank = %s GROUP BY term.id, term.df"
        ),
    }
)
"""By the text for SQLite."""
