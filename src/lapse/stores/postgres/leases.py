"""Leases in PostgreSQL: rows with an end, which nobody waits for.

Decides that whoever finds a lease being taken by somebody else at this moment does not get it.
"""

from typing import Final

from lapse.model.instants import Instant
from lapse.stores.sql.driver import Connection

_THERE: Final = "SELECT 1 FROM lease WHERE bank = ? AND name = ?"
_FREE: Final = f"{_THERE} FOR UPDATE SKIP LOCKED"
_TAKE: Final = (
    "INSERT INTO lease (bank, name, holder, until) VALUES (?1, ?2, ?3, ?5)"
    " ON CONFLICT (bank, name) DO UPDATE SET holder = excluded.holder, until = excluded.until"
    " WHERE lease.holder = excluded.holder OR lease.until <= ?4"
    # A time further off than twice the span asked for is that of a clock that was set back.
    " OR lease.until - ?4::bigint > 2 * (excluded.until - ?4::bigint) RETURNING bank"
)


def take(
    connection: Connection, bank: int, name: str, holder: str, now: Instant, until: Instant
) -> bool:
    """Take a lease, unless somebody else's holds. See `lapse.ports.Leasing`."""
    key = (bank, name)
    if connection.execute(_FREE, key).fetchone() is None and (
        connection.execute(_THERE, key).fetchone() is not None
    ):
        return False
    return connection.execute(_TAKE, (*key, holder, now, until)).fetchone() is not None
