"""Tombstones in their table.

Decides how a tombstone lies in a row, and that it names its bank by name, since it may outlive it.
Refuses to compare tombstones with anything. What applies to one bank and is new is read along two
indexes: this is asked for in every write.
"""

from collections.abc import Iterable
from typing import Final

from sqlalchemy import (
    BigInteger,
    Column,
    Index,
    Integer,
    LargeBinary,
    Table,
    Text,
    UniqueConstraint,
    literal_column,
)

from lapse.model.instants import Instant
from lapse.model.memory import BankRef
from lapse.model.tombstone import KeptTombstone, Lift, Tombstone, TombstoneScope
from lapse.stores.sql.driver import Connection
from lapse.stores.sql.rows import Row
from lapse.stores.sql.schema import metadata
from lapse.stores.sql.statements import EVERYTHING

tombstone = Table(
    "tombstone",
    metadata,
    # In the order of storing and lifting.
    Column("number", BigInteger().with_variant(Integer, "sqlite"), primary_key=True),
    Column("tenant", Text, nullable=False),
    Column("bank", Text, nullable=False),
    Column("scope", Text, nullable=False),
    Column("id", Text, nullable=False),
    Column("key_id", Text, nullable=False),
    Column("salt", LargeBinary, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("by", Text, nullable=False),
    Column("lifted_at", BigInteger),
    Column("lifted_by", Text),
    Column("lifted_for", Text),
    Column("exact", LargeBinary, nullable=False),
    Column("sums", LargeBinary, nullable=False),
    Column("slips", LargeBinary, nullable=False),
    UniqueConstraint("tenant", "id", name="tombstone_id"),
    sqlite_autoincrement=True,
)
Index(
    "tombstone_bank",
    tombstone.c.tenant,
    tombstone.c.bank,
    tombstone.c.number,
    # So that those in force are counted without reading any.
    tombstone.c.lifted_at,
)
Index(
    "tombstone_wide",
    tombstone.c.tenant,
    tombstone.c.number,
    sqlite_where=tombstone.c.scope == literal_column("'tenant'"),
)

_COLUMNS: Final = (
    "number, tenant, bank, scope, id, key_id, salt, at, by,"
    " lifted_at, lifted_by, lifted_for, exact, sums, slips"
)
AFTER: Final = (
    f"SELECT {_COLUMNS} FROM tombstone WHERE tenant = ?1 AND bank = ?2 AND number > ?3"  # noqa: S608 - fixed columns
    f" UNION ALL SELECT {_COLUMNS} FROM tombstone"
    " WHERE tenant = ?1 AND scope = 'tenant' AND number > ?3 AND bank <> ?2"
    " ORDER BY number LIMIT ?4"
)
IN_FORCE: Final = (
    "SELECT count(*) FROM tombstone WHERE tenant = ? AND bank = ? AND lifted_at IS NULL"
)
_LIFTED: Final = (
    f"SELECT {_COLUMNS} FROM tombstone"  # noqa: S608 - fixed columns
    " WHERE tenant = ?1 AND bank = ?2 AND lifted_for IS NOT NULL ORDER BY number"
)
_REWORD: Final = "UPDATE tombstone SET lifted_for = ? WHERE tenant = ? AND id = ?"
_DROP: Final = "DELETE FROM tombstone WHERE tenant = ? AND id = ?"
_PUT: Final = (
    "INSERT INTO tombstone (tenant, bank, scope, id, key_id, salt, at, by, lifted_at, lifted_by,"
    " lifted_for, exact, sums, slips) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)


def get_tombstones(
    connection: Connection, ref: BankRef, after: int | None, limit: int = EVERYTHING
) -> tuple[KeptTombstone, ...]:
    """Read those that apply to a bank and have a higher number; none for None."""
    if after is None:
        return ()
    found = connection.execute(AFTER, (ref.tenant, ref.name, after, limit)).fetchall()
    return tuple(_read(each) for each in found)


def count_tombstones(connection: Connection, ref: BankRef) -> int:
    """Count those in force of memories that were in a bank."""
    found = connection.execute(IN_FORCE, (ref.tenant, ref.name)).fetchone()
    return 0 if found is None else int(found[0])


def worded_tombstones(connection: Connection, ref: BankRef) -> list[Tombstone]:
    """Read those of memories that were in a bank that were lifted, with the words for it."""
    found = connection.execute(_LIFTED, (ref.tenant, ref.name)).fetchall()
    return [_read(each).tombstone for each in found]


def reword_tombstone(connection: Connection, told: Tombstone) -> None:
    """Write why a tombstone was lifted, under the number that it has."""
    if told.lift is not None:
        connection.execute(_REWORD, (told.lift.reason, told.tenant, told.id))


def put_tombstones(connection: Connection, tombstones: Iterable[Tombstone]) -> None:
    """Keep each under a new number, in place of one of the same tenant and id."""
    for each in tombstones:
        lift = each.lift
        lifted = (None, None, None) if lift is None else (lift.at, lift.by, lift.reason)
        connection.execute(_DROP, (each.tenant, each.id))
        connection.execute(
            _PUT,
            (
                each.tenant,
                each.bank,
                each.scope.value,
                each.id,
                each.key_id,
                each.salt,
                each.at,
                each.by,
                *lifted,
                each.exact,
                each.sums,
                each.slips,
            ),
        )


def _read(row: Row) -> KeptTombstone:
    number, tenant, bank, scope, name, key_id, salt, at, by, *lifted, exact, sums, slips = row
    lifted_at, lifted_by, lifted_for = lifted
    lift = None
    if lifted_at is not None:
        lift = Lift(at=Instant(lifted_at), by=lifted_by, reason=lifted_for)
    kept = Tombstone(
        id=name,
        tenant=tenant,
        bank=bank,
        scope=TombstoneScope(scope),
        key_id=key_id,
        salt=salt,
        exact=exact,
        sums=sums,
        slips=slips,
        at=Instant(at),
        by=by,
        lift=lift,
    )
    return KeptTombstone(number=number, tombstone=kept)
