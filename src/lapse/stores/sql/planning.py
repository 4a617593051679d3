"""Plans in their table.

Decides that what a plan proposes is written once, and that only what has become of it is written
again. Refuses to read anything into a plan: its own name says whether it was altered.
"""

from collections.abc import Iterable

from lapse.model.plan import Plan, PlanHead
from lapse.model.plan_form import Written, read_head, read_plan, written
from lapse.stores.sql import statements
from lapse.stores.sql.driver import Connection


def get_plan(connection: Connection, bank: int | None, plan_id: str) -> Plan | None:
    """Read one plan, whole."""
    found = connection.execute(statements.PLAN, (bank, plan_id)).fetchone()
    if found is None:
        return None
    head, items, progress = found
    return read_plan(Written(head=head, items=items, progress=progress))


def get_plans(connection: Connection, bank: int | None, limit: int) -> list[PlanHead]:
    """Read the latest plans without their items, the newest first."""
    found = connection.execute(statements.PLANS, (bank, limit)).fetchall()
    return [read_head(head, progress) for head, progress in found]


def put_plans(connection: Connection, bank: int, plans: Iterable[Plan]) -> None:
    """Keep plans; of one that is kept already, only what has become of it."""
    for plan in plans:
        texts = written(plan)
        connection.execute(
            statements.PUT_PLAN,
            (bank, plan.id, plan.created_at, texts.head, texts.progress, texts.items),
        )
