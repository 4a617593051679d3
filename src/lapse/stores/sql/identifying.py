"""What memories name, in its table.

Decides that a memory's identifiers are replaced as a whole, and that a look-up is by canonical form
alone. Refuses to find identifiers in a text, and to say which types name the same thing.
"""

from collections.abc import Iterable
from typing import Final

from sqlalchemy import and_, bindparam, delete, insert, select

from lapse.model.identifier import Identifier
from lapse.stores.sql.driver import Connection
from lapse.stores.sql.schema import identifier, memory
from lapse.stores.sql.statements import sql

_COLUMNS: Final = ("bank", "canonical", "row", "type")
_INSERT: Final = sql(insert(identifier).values({each: bindparam(each) for each in _COLUMNS}))
_DROP: Final = sql(
    delete(identifier).where(
        identifier.c.bank == bindparam("bank"), identifier.c.row == bindparam("row")
    )
)
_NAMING = and_(memory.c.row == identifier.c.row, memory.c.bank == identifier.c.bank)
HOLDERS: Final = sql(
    select(memory.c.row, memory.c.id)
    .select_from(identifier.join(memory, _NAMING))
    .where(identifier.c.bank == bindparam(None), identifier.c.canonical == bindparam(None))
)


def put_identifiers(
    connection: Connection,
    bank: int,
    named: Iterable[tuple[int, tuple[Identifier, ...]]],
) -> None:
    """Keep what new memories name, given with their internal numbers."""
    connection.executemany(
        _INSERT,
        [
            (bank, each.canonical, row, each.type.value)
            for row, identifiers in named
            for each in identifiers
        ],
    )


def replace_identifiers(
    connection: Connection, bank: int, row: int, identifiers: tuple[Identifier, ...]
) -> None:
    """Keep what a memory names now, and nothing it named before."""
    connection.execute(_DROP, (bank, row))
    put_identifiers(connection, bank, [(row, identifiers)])


def remove_identifiers(connection: Connection, bank: int, row: int) -> None:
    """Forget what a memory named, since it goes for good."""
    connection.execute(_DROP, (bank, row))


def get_holders(connection: Connection, bank: int | None, canonicals: Iterable[str]) -> list[str]:
    """Read which memories name any of these, by internal number, each once."""
    found = {
        row: memory_id
        for each in canonicals
        for row, memory_id in connection.execute(HOLDERS, (bank, each))
    }
    return [found[row] for row in sorted(found)]
