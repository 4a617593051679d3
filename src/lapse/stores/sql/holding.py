"""Holds and citations in their tables.

Decides how a hold lies in a row, and that who cites a memory is kept the other way round than the
citing memory tells it. Refuses to say what a hold covers or what a citation protects.
"""

from collections.abc import Iterable, Mapping
from typing import Final

from lapse.model.hold import Hold, HoldScope, HoldTarget
from lapse.model.memory import Memory, can_be_kept
from lapse.stores.sql import statements
from lapse.stores.sql.driver import Connection
from lapse.stores.sql.rows import Row, Value, compact_json, names, names_text

_DERIVED: Final = (
    "SELECT memory.id FROM citation JOIN memory"
    " ON memory.bank = citation.bank AND memory.row = citation.row"
    " WHERE citation.bank = ?1 AND citation.cited = ?2 AND memory.id <> ?2 ORDER BY citation.row"
)


def get_holds(connection: Connection, bank: int | None) -> tuple[Hold, ...]:
    """Read a bank's holds, by name."""
    found = connection.execute(statements.HOLDS, (bank,)).fetchall()
    return tuple(_read_hold(each) for each in found)


def put_holds(
    connection: Connection, bank: int, placed: Iterable[Hold], released: Iterable[str]
) -> None:
    """Keep holds, and end others."""
    connection.executemany(statements.PUT_HOLD, [(bank, *_hold_values(each)) for each in placed])
    connection.executemany(statements.DELETE_HOLD, [(bank, each) for each in released])


def get_cited_by(
    connection: Connection, bank: int | None, ids: Iterable[str]
) -> Mapping[str, tuple[str, ...]]:
    """Read which active memories cite each of these; who is cited by none is left out."""
    wanted = compact_json(list(dict.fromkeys(ids)))
    found: dict[str, list[str]] = {}
    for cited, citing in connection.execute(statements.CITED_BY, (wanted, bank)):
        found.setdefault(cited, []).append(citing)
    return {cited: tuple(citing) for cited, citing in found.items()}


def get_derived(
    connection: Connection, bank: int | None, ids: Iterable[str]
) -> Mapping[str, tuple[str, ...]]:
    """Read which memories cite each of these, wherever they stand."""
    found = {
        each: tuple(name for (name,) in connection.execute(_DERIVED, (bank, each)))
        for each in filter(can_be_kept, ids)
    }
    return {each: citing for each, citing in found.items() if citing}


def put_citations(
    connection: Connection, bank: int, cited_by: Iterable[tuple[int, Memory]]
) -> None:
    """Note whom new memories cite, given with their internal numbers."""
    rows = [
        (bank, cited, row)
        for row, memory in cited_by
        for cited in dict.fromkeys(memory.derived_from)
    ]
    if rows:
        connection.executemany(statements.INSERT_CITATION, rows)


def replace_citations(connection: Connection, bank: int, row: int, memory: Memory) -> None:
    """Note whom a memory cites now."""
    connection.execute(statements.DROP_CITATIONS, (bank, row))
    put_citations(connection, bank, [(row, memory)])


def _hold_values(hold: Hold) -> tuple[Value, ...]:
    return (
        hold.name,
        hold.target.scope.value,
        names_text(hold.target.values),
        hold.holder,
        hold.reason,
        hold.placed_at,
        names_text(hold.attached),
    )


def _read_hold(row: Row) -> Hold:
    name, scope, targets, holder, reason, placed_at, attached = row
    return Hold(
        name=name,
        target=HoldTarget(scope=HoldScope(scope), values=names(targets)),
        holder=holder,
        reason=reason,
        placed_at=placed_at,
        attached=names(attached),
    )
