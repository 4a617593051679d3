"""How the tables of the model lie in PostgreSQL: made from the same description as SQLite's.

Decides what is added to it: whom each row belongs to (`tenant`, filled in from the transaction),
parts by bank, security by row, room on the pages of states that change often, and how often a term
is held as a log. Every key and index of a parted table begins with the bank, so that a question
about one bank is answered by one part. Texts are compared byte by byte, as SQLite does. Refuses to
run anything.
"""

from collections.abc import Iterator
from typing import Any, Final  # types of columns are of any type

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKeyConstraint,
    Index,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    SmallInteger,
    Table,
    Text,
    UniqueConstraint,
    text,
)
from sqlalchemy.schema import CreateIndex, CreateTable, SchemaItem
from sqlalchemy.types import TypeEngine

from lapse.stores.postgres.dialect import DIALECT, PARTED
from lapse.stores.sql.schema import metadata

TENANT_SETTING: Final = "lapse.tenant"
"""Whose rows a transaction may touch."""

UPKEEP_SETTING: Final = "lapse.upkeep"
"""Set to 1 by the one transaction that lists the banks of all tenants."""

TENANT_DEFAULT: Final = f"current_setting('{TENANT_SETTING}')"
"""Whom a new row belongs to."""

OWN_ROWS: Final = f"tenant = nullif(current_setting('{TENANT_SETTING}', true), '')"
"""Holds for the rows that a transaction may touch."""

STATE_FILL_PERCENT: Final = 70
"""How full pages of states are made, so that a changed state finds room beside the old one."""

_TELLING: Final = {
    "memory": ("text", "value"),
    "memory_version": ("text", "value"),
    "proposal": ("rest", "evidence", "reason"),
    "canary": ("canary",),
    "journal": ("reason",),
    "retention": ("transition", "exempt_reason"),
    "hold": ("reason",),
    "plan": ("progress",),
    "tombstone": ("lifted_for",),
    "answer": ("answer",),
}
_ANY_BANK: Final = f"{OWN_ROWS} OR current_setting('{UPKEEP_SETTING}', true) = '1'"
_LOG: Final = Table(
    "term_delta",
    MetaData(),
    Column("bank", BigInteger, nullable=False),
    Column("term", BigInteger, nullable=False),
    Column("more", BigInteger, nullable=False),
)
Index("term_delta_term", _LOG.c.bank, _LOG.c.term)


def tables() -> tuple[Table, ...]:
    """Give every table as it is in PostgreSQL, those that others refer to first."""
    made = MetaData()
    return tuple(_remade(each, made) for each in (*metadata.sorted_tables, _LOG))


def statements(partitions: int) -> Iterator[str]:
    """Give the statements that make all tables in an empty schema, in order."""
    for table in tables():
        for column in _numbered(table):
            yield f"CREATE SEQUENCE {table.name}_{column.name}"
        yield str(CreateTable(table).compile(dialect=DIALECT))
        for name in _TELLING.get(table.name, ()):
            # Never compressed: so that what was removed can be looked for, byte by byte.
            yield f"ALTER TABLE {table.name} ALTER COLUMN {name} SET STORAGE EXTERNAL"
        if table.name in PARTED:
            yield from parts(table.name, partitions)
        elif table.name == "lease":
            yield f"ALTER TABLE {table.name} SET (fillfactor = {STATE_FILL_PERCENT})"
        for index in sorted(table.indexes, key=lambda each: str(each.name)):
            yield str(CreateIndex(index).compile(dialect=DIALECT))
        yield from _security(table.name)


def parts(name: str, partitions: int) -> Iterator[str]:
    """Give the statements that make the parts of a table."""
    filled = f" WITH (fillfactor = {STATE_FILL_PERCENT})" if name == "retention" else ""
    for part in range(partitions):
        yield (
            f"CREATE TABLE {name}_p{part} PARTITION OF {name}"
            f" FOR VALUES WITH (MODULUS {partitions}, REMAINDER {part}){filled}"
        )


def grants(schema: str, role: str) -> tuple[str, ...]:
    """Give the statements that let the role work with the tables, and with nothing else."""
    # Parts are reached through their tables alone: there, security by row holds.
    named = ", ".join(f"{schema}.{each.name}" for each in tables())
    return (
        f"GRANT USAGE ON SCHEMA {schema} TO {role}",
        f"GRANT SELECT, INSERT, UPDATE, DELETE ON {named} TO {role}",
        f"GRANT USAGE, SELECT, UPDATE ON ALL SEQUENCES IN SCHEMA {schema} TO {role}",
    )


def _security(name: str) -> Iterator[str]:
    yield f"ALTER TABLE {name} ENABLE ROW LEVEL SECURITY"
    yield f"ALTER TABLE {name} FORCE ROW LEVEL SECURITY"
    if name == "bank":
        yield f"CREATE POLICY listed ON {name} FOR SELECT USING ({_ANY_BANK})"
    yield f"CREATE POLICY own ON {name} USING ({OWN_ROWS}) WITH CHECK ({OWN_ROWS})"


def _remade(table: Table, made: MetaData) -> Table:
    parted = table.name in PARTED
    items: list[SchemaItem] = [_column(each, _is_numbered(table, each)) for each in table.columns]
    if "tenant" not in table.c:
        items.append(
            Column(
                "tenant", Text(collation="C"), nullable=False, server_default=text(TENANT_DEFAULT)
            )
        )
    key = [each.name for each in table.primary_key.columns]
    if key:
        items.append(PrimaryKeyConstraint(*_by_bank(key, parted)))
    items += _references(table)
    for constraint in table.constraints:
        if isinstance(constraint, UniqueConstraint):
            columns = [each.name for each in constraint.columns]
            items.append(UniqueConstraint(*_by_bank(columns, parted), name=constraint.name))
    by = "HASH (bank)" if parted else None
    found = Table(table.name, made, *items, postgresql_partition_by=by)
    for index in table.indexes:
        _add_index(found, index, parted)
    return found


def _column(column: Column[object], numbered: bool) -> Column[object]:  # noqa: FBT001 - a fact about a table
    default = text(f"nextval('{column.table.name}_{column.name}')") if numbered else None
    return Column(
        column.name,
        _type(column.type),
        nullable=column.nullable and not column.primary_key,
        server_default=default,
        autoincrement=False,
    )


def _type(kind: TypeEngine[Any]) -> TypeEngine[Any]:
    match kind:
        case Boolean():
            return SmallInteger()  # 0 or 1, as everywhere
        case Text():
            return Text(collation="C")
        case LargeBinary():
            return LargeBinary()
        case _:
            return kind


def _numbered(table: Table) -> list[Column[object]]:
    return [each for each in table.columns if each.server_default is not None and _sequence(each)]


def _sequence(column: Column[object]) -> bool:
    default = getattr(column.server_default, "arg", "")
    return str(default).startswith("nextval")


def _is_numbered(table: Table, column: Column[object]) -> bool:
    return column is table.autoincrement_column and not column.foreign_keys


def _by_bank(columns: list[str], parted: bool) -> list[str]:  # noqa: FBT001 - a fact about a table
    return columns if not parted or columns[0] == "bank" else ["bank", *_without_bank(columns)]


def _without_bank(columns: list[str]) -> list[str]:
    return [each for each in columns if each != "bank"]


def _references(table: Table) -> Iterator[ForeignKeyConstraint]:
    for key in table.foreign_keys:
        target = key.column
        if target.table.name not in PARTED:
            yield ForeignKeyConstraint([key.parent.name], [f"{target.table.name}.{target.name}"])
        elif "bank" in table.c:
            yield ForeignKeyConstraint(["bank", key.parent.name], ["memory.bank", "memory.row"])


def _add_index(table: Table, index: Index, parted: bool) -> None:  # noqa: FBT001 - a fact about a table
    names = [each.name for each in index.columns]
    where = index.dialect_options["sqlite"]["where"]
    if where is not None:
        options = {"literal_binds": True, "include_table": False}
        where = text(str(where.compile(dialect=DIALECT, compile_kwargs=options)))
    columns = [table.c[each] for each in _by_bank(names, parted)]
    Index(index.name, *columns, postgresql_where=where)
