"""How often a term is held, in PostgreSQL: counts, and a log of what came since.

Decides when the log is folded into the counts: with every so many-th write to a bank, inside it. A
write only ever appends, so no two wait for each other over a term that everybody uses. Refuses to
weigh terms.
"""

from typing import Final

from lapse.stores.sql.driver import Connection

WRITES_BETWEEN_FOLDS: Final = 64
"""Writes to one bank from one fold to the next."""

_FOLD: Final = (
    "WITH gone AS (DELETE FROM term_delta WHERE bank = ?1 RETURNING term, more),"
    " sums AS (SELECT term, sum(more) AS more FROM gone GROUP BY term)"
    " UPDATE term SET df = term.df + sums.more FROM sums"
    " WHERE term.bank = ?1 AND term.id = sums.term"
)


def is_due(revision: int) -> bool:
    """Whether the write that led to this revision folds."""
    return revision % WRITES_BETWEEN_FOLDS == 0


def fold(connection: Connection, bank: int) -> None:
    """Fold a bank's log into its counts."""
    connection.execute(_FOLD, (bank,))
