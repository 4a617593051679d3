"""The tables of what governs attention: holds and plans.

Decides how they lie in tables, in the one set of tables of `schema`. Refuses to say how they are
read or written (`holding` and `planning`).
"""

from sqlalchemy import BigInteger, Column, ForeignKey, Index, Table, Text

from lapse.stores.sql.schema import metadata

hold = Table(
    "hold",
    metadata,
    Column("bank", BigInteger, ForeignKey("bank.id"), primary_key=True),
    Column("name", Text, primary_key=True),
    Column("scope", Text, nullable=False),
    Column("targets", Text),
    Column("holder", Text, nullable=False),
    Column("reason", Text, nullable=False),
    Column("placed_at", BigInteger, nullable=False),
    Column("attached", Text),
    sqlite_with_rowid=False,
)

plan = Table(
    "plan",
    metadata,
    Column("bank", BigInteger, ForeignKey("bank.id"), primary_key=True),
    Column("id", Text, primary_key=True),
    Column("created_at", BigInteger, nullable=False),
    # Three texts: what never changes, its memories, and what has become of it.
    Column("head", Text, nullable=False),
    Column("progress", Text, nullable=False),
    Column("items", Text, nullable=False),
)
Index("plan_page", plan.c.bank, plan.c.created_at)

lease = Table(
    "lease",
    metadata,
    Column("bank", BigInteger, ForeignKey("bank.id"), primary_key=True),
    Column("name", Text, primary_key=True),
    Column("holder", Text, nullable=False),
    Column("until", BigInteger, nullable=False),
)
