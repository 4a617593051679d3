"""How common terms are, in the bank's dictionary.

Decides that a term is looked up one by one, by its name. Refuses to weigh it.
"""

from collections.abc import Iterable
from typing import Final

from sqlalchemy import bindparam, select

from lapse.model.term_counts import TermCounts
from lapse.stores.sql.banks import BankRow
from lapse.stores.sql.driver import Connection
from lapse.stores.sql.schema import term
from lapse.stores.sql.statements import sql

FREQUENCY: Final = sql(
    select(term.c.df).where(term.c.bank == bindparam(None), term.c.term == bindparam(None))
)


def get_term_counts(connection: Connection, bank: BankRow, terms: Iterable[str]) -> TermCounts:
    """Read in how many of a bank's memories each term occurs."""
    found = {
        each: row[0]
        for each in dict.fromkeys(terms)
        if (row := connection.execute(FREQUENCY, (bank.id, each)).fetchone()) is not None
    }
    return TermCounts(memory_count=bank.memories, frequency=found)
