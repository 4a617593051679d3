"""What sweeps read and keep: what is due, reports, canaries, leases.

Decides how they lie in their tables. What is due is read along an index, so that its cost follows
what is due; a test looks at the query plan. Refuses to say what is done about it.
"""

from collections.abc import Iterable
from typing import Final

from sqlalchemy import Column, and_, bindparam, delete, func, select, tuple_
from sqlalchemy.dialects.sqlite import insert as upsert

from lapse.model.canary import Canary
from lapse.model.codec import dumps, loads
from lapse.model.due import Due, DueAfter, DueBy
from lapse.model.instants import Instant
from lapse.model.retention import Lifecycle
from lapse.model.sweep import SweepReport
from lapse.stores.sql.banks import BankRow
from lapse.stores.sql.driver import Connection
from lapse.stores.sql.schema import canary, memory, retention, sweep
from lapse.stores.sql.schema_governing import lease
from lapse.stores.sql.statements import limited, sql

_OF_MEMORY = and_(memory.c.row == retention.c.row, memory.c.bank == retention.c.bank)


def _due(date: Column[object]) -> str:
    after = tuple_(bindparam("at"), bindparam("row"))
    return limited(
        select(memory.c.id, date, retention.c.row)
        .select_from(retention.join(memory, _OF_MEMORY))
        .where(
            retention.c.bank == bindparam("bank"),
            retention.c.lifecycle == bindparam("lifecycle"),
            date <= bindparam("until"),
            tuple_(date, retention.c.row) > after,
        )
        .order_by(date, retention.c.row)
    )


DUE: Final = {
    DueBy.EXPIRY: _due(retention.c.expires_at),
    DueBy.FADING: _due(retention.c.fades_at),
    DueBy.ARCHIVED: _due(retention.c.archived_at),
}
"""By the date that has come: bank, lifecycle, until, cursor's date, cursor's row, limit."""

_REPORTS: Final = limited(
    select(sweep.c.report).where(sweep.c.bank == bindparam("bank")).order_by(sweep.c.number.desc())
)
_PUT_REPORT: Final = (
    "INSERT INTO sweep (bank, number, report)"
    " SELECT ?1, coalesce(max(number), 0) + 1, ?2 FROM sweep WHERE bank = ?1"
)
_CANARIES: Final = sql(
    select(canary.c.canary).where(canary.c.bank == bindparam("bank")).order_by(canary.c.number)
)
_new_canary = upsert(canary).values({each: bindparam(each) for each in ("bank", "id", "canary")})
_PUT_CANARY: Final = sql(
    _new_canary.on_conflict_do_update(
        index_elements=["bank", "id"], set_={"canary": _new_canary.excluded.canary}
    )
)
_DROP_CANARY: Final = sql(
    delete(canary).where(canary.c.bank == bindparam("bank"), canary.c.id == bindparam("id"))
)
_LEASE: Final = sql(
    select(lease.c.holder, lease.c.until).where(
        lease.c.bank == bindparam("bank"), lease.c.name == bindparam("name")
    )
)
_new_lease = upsert(lease).values(
    {each: bindparam(each) for each in ("bank", "name", "holder", "until")}
)
_PUT_LEASE: Final = sql(
    _new_lease.on_conflict_do_update(
        index_elements=["bank", "name"],
        set_={each: _new_lease.excluded[each] for each in ("holder", "until")},
    )
)
_DROP_LEASE: Final = sql(
    delete(lease).where(
        lease.c.bank == bindparam("bank"),
        lease.c.name == bindparam("name"),
        lease.c.holder == bindparam("holder"),
    )
)
COUNT_ACTIVE: Final = sql(
    select(func.count())
    .select_from(retention)
    .where(retention.c.bank == bindparam("bank"), retention.c.lifecycle == bindparam("lifecycle"))
)
"""Counts one by one, for when the count that is kept along may be wrong."""


def get_due(
    connection: Connection,
    bank: BankRow,
    by: DueBy,
    until: Instant,
    after: DueAfter,
    limit: int,
) -> list[Due]:
    """Read what is due, in order."""
    standing = Lifecycle.ARCHIVED if by is DueBy.ARCHIVED else Lifecycle.ACTIVE
    values = (bank.id, standing.value, until, after.at, after.row, limit)
    found = connection.execute(DUE[by], values).fetchall()
    return [Due(memory_id=memory_id, at=at, row=row) for memory_id, at, row in found]


def get_sweeps(connection: Connection, bank: BankRow, limit: int) -> list[SweepReport]:
    """Read the latest reports, oldest first."""
    found = connection.execute(_REPORTS, (bank.id, limit)).fetchall()
    return [loads(SweepReport, report) for (report,) in reversed(found)]


def get_canaries(connection: Connection, bank: BankRow) -> list[Canary]:
    """Read every canary, in the order they were first added."""
    found = connection.execute(_CANARIES, (bank.id,)).fetchall()
    return [loads(Canary, text) for (text,) in found]


def put_sweeps(connection: Connection, bank: int, reports: Iterable[SweepReport]) -> None:
    """Write reports after those that are there."""
    for report in reports:
        connection.execute(_PUT_REPORT, (bank, dumps(report)))


def put_canaries(
    connection: Connection, bank: int, kept: Iterable[Canary], gone: Iterable[str]
) -> None:
    """Drop canaries, then write others, each in place of one with the same question."""
    connection.executemany(_DROP_CANARY, [(bank, each) for each in gone])
    connection.executemany(_PUT_CANARY, [(bank, each.id, dumps(each)) for each in kept])


def take_lease(
    connection: Connection, bank: int, name: str, holder: str, now: Instant, until: Instant
) -> bool:
    """Take a lease, unless somebody else's holds. See `lapse.ports.Leasing`."""
    found = connection.execute(_LEASE, (bank, name)).fetchone()
    if found is not None and found[0] != holder and 0 < found[1] - now <= 2 * (until - now):
        return False
    connection.execute(_PUT_LEASE, (bank, name, holder, until))
    return True


def leave_lease(connection: Connection, bank: int, name: str, holder: str) -> None:
    """Give a lease back."""
    connection.execute(_DROP_LEASE, (bank, name, holder))
