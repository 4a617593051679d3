"""Many banks in one store, made quickly: one is filled, and the store copies it.

Decides that a bank is filled through the front door, with whatever a memory has, and that its
copies are made by the database itself, table by table, under numbers of their own. What they hold
is for being asked alone: they have no journal. Refuses to measure.
"""

from collections.abc import Callable, Mapping
from typing import Final

from sqlalchemy import Table

from lapse.bank import Bank
from lapse.faces.app import Lapse
from lapse.model.memory import BankRef
from lapse.stores.sql import schema
from lapse.stores.sql.driver import Connection
from lapse.stores.sql.store import SqlStore

_COPIED: Final = (schema.space, schema.term, schema.memory, schema.retention, schema.vector)
_NUMBER: Final = "SELECT id FROM bank WHERE tenant = ? AND name = ?"


def copies(mind: Lapse, bank: Bank, count: int, told: Callable[[int], None]) -> list[str]:
    """Copy a bank until there are so many, and give their names.

    Args:
        mind, bank: The store, and what is copied in it.
        count: Banks that there will be.
        told: Is given the number of banks that are there, after each.

    Raises:
        TypeError: The store does not keep its banks in SQL.
    """
    store = mind.parts.store
    if not isinstance(store, SqlStore):
        raise TypeError
    made = [bank.ref.name]
    for number in range(1, count):
        ref = BankRef(tenant=bank.ref.tenant, name=f"{bank.ref.name}_{number}")
        with store._writing(ref) as link:  # noqa: SLF001 - the fastest way in is no verb
            _copy(link, bank.ref, ref)
            link.execute("COMMIT")
        made.append(ref.name)
        told(len(made))
    return made


def _copy(link: Connection, source: BankRef, target: BankRef) -> None:
    (old,) = link.execute(_NUMBER, (source.tenant, source.name)).fetchone()
    _insert(link, schema.bank, f"id = {old}", {"id": None, "name": f"'{target.name}'"})
    (new,) = link.execute(_NUMBER, (target.tenant, target.name)).fetchone()
    (most,) = link.execute("SELECT max(row) FROM memory").fetchone()
    for table in _COPIED:
        _insert(link, table, f"bank = {old}", {"bank": str(new), "row": f'"row" + {most}'})


def _insert(link: Connection, table: Table, where: str, other: Mapping[str, str | None]) -> None:
    """Put the rows of a table in once more, with other values in some columns; None for its own."""
    names = [each.name for each in table.columns if other.get(each.name, "") is not None]
    listed = ", ".join(f'"{each}"' for each in names)
    taken = ", ".join(other.get(each) or f'"{each}"' for each in names)
    link.execute(
        f"INSERT INTO {table.name} ({listed}) SELECT {taken} FROM {table.name} WHERE {where}"  # noqa: S608 - names and numbers of ours
    )
