"""The tables of large banks' own indexes: made when the first bank needs one.

Decides their columns: one table in parts, a part for each large bank with indexes of its own, so
that a search of one bank never wades through another's rows, and a view of each through which its
tenant alone searches it; and a table that says how far each is. A row goes with its memory. Refuses
to fill them.
"""

from contextlib import suppress
from typing import Final

from psycopg import errors

from lapse.stores.postgres.link import Session
from lapse.stores.postgres.location import Location
from lapse.stores.postgres.shape import OWN_ROWS, TENANT_DEFAULT

_EXTENSION: Final = (
    "SELECT nspname FROM pg_extension JOIN pg_namespace ON pg_namespace.oid = extnamespace"
    " WHERE extname = 'vector'"
)
# The last: another process made it just now.
_CANNOT: Final = (
    errors.FeatureNotSupported,
    errors.InsufficientPrivilege,
    errors.UndefinedFile,
    errors.UniqueViolation,
)
_THERE: Final = "SELECT to_regclass(%s) IS NOT NULL"
_LOCK: Final = "SELECT pg_advisory_xact_lock(hashtextextended(%s, 1852142962))"
_TENANT: Final = f'tenant text COLLATE "C" NOT NULL DEFAULT {TENANT_DEFAULT}'


def vectors_schema(session: Session) -> str | None:
    """The schema that pgvector's types lie in; None where it is not there and cannot be made."""
    found = session.execute(_EXTENSION).fetchone()
    if found is None:
        with suppress(*_CANNOT):
            session.execute(b"CREATE EXTENSION IF NOT EXISTS vector SCHEMA public")
        found = session.execute(_EXTENSION).fetchone()
    return None if found is None else str(found[0])


def is_made(session: Session, place: Location) -> bool:
    """Whether the tables are there."""
    found = session.execute(_THERE, (f"{place.schema}.near_bank",)).fetchone()
    return found is not None and bool(found[0])


def make(session: Session, place: Location, vectors: str) -> None:
    """Make the tables where they are missing."""
    with session.transaction():
        session.execute(_LOCK, (place.schema,))
        if is_made(session, place):
            return
        for each in (f"SET LOCAL search_path = {place.schema}", *_tables(place, vectors)):
            session.execute(each.encode())


def _tables(place: Location, vectors: str) -> tuple[str, ...]:
    secured = (
        each
        for name in ("near", "near_bank")
        for each in (
            f"ALTER TABLE {name} ENABLE ROW LEVEL SECURITY",
            f"ALTER TABLE {name} FORCE ROW LEVEL SECURITY",
            f"CREATE POLICY own ON {name} USING ({OWN_ROWS}) WITH CHECK ({OWN_ROWS})",
            f"GRANT SELECT, INSERT, UPDATE, DELETE ON {name} TO {place.role}",
        )
    )
    return (
        f"CREATE TABLE near (bank bigint NOT NULL, row bigint NOT NULL, {_TENANT},"
        f" size integer NOT NULL, terms tsvector NOT NULL, vector {vectors}.halfvec,"
        " PRIMARY KEY (bank, row),"
        " FOREIGN KEY (bank, row) REFERENCES memory (bank, row) ON DELETE CASCADE)"
        " PARTITION BY LIST (bank)",
        "CREATE TABLE near_bank (bank bigint PRIMARY KEY REFERENCES bank (id) ON DELETE CASCADE,"
        f" {_TENANT}, revision bigint NOT NULL, space bigint, dimension bigint,"
        " memories bigint NOT NULL, lengths bigint NOT NULL)",
        *secured,
    )


def part_name(bank: int) -> str:
    """The name of a bank's part."""
    return f"near_b{bank}"


def found_name(bank: int) -> str:
    """The name under which a tenant reads a bank's part."""
    return f"{part_name(bank)}_own"


def new_part(bank: int) -> tuple[str, ...]:
    """Give the statements that make an empty part which nobody sees yet."""
    name = f"{part_name(bank)}_new"
    return (
        f"DROP TABLE IF EXISTS {name}",
        f"CREATE TABLE {name} (LIKE near INCLUDING DEFAULTS, CHECK (bank = {bank}))",
    )


def indexes(bank: int, dimension: int | None, place: Location, vectors: str) -> tuple[str, ...]:
    """Give the statements that make the indexes of a part that is full."""
    name = f"{part_name(bank)}_new"
    found = [
        f"ALTER TABLE {name} ADD PRIMARY KEY (bank, row)",
        f"CREATE INDEX ON {name} USING gin (terms)",
    ]
    if dimension:
        options = f"m = {place.near.m}, ef_construction = {place.near.ef_construction}"
        found.append(
            f"CREATE INDEX ON {name} USING hnsw"
            f" ((vector::{vectors}.halfvec({dimension})) {vectors}.halfvec_ip_ops)"
            f" WITH ({options})"
        )
    return tuple(found)


def placing(bank: int, role: str) -> tuple[str, ...]:
    """Give the statements that put a full part in the place of the one before it."""
    name, own = part_name(bank), found_name(bank)
    return (
        # Not in an older part's place before nobody reads that.
        f"DROP VIEW IF EXISTS {own}",
        f"DROP TABLE IF EXISTS {name}",
        f"ALTER TABLE {name}_new RENAME TO {name}",
        f"ALTER TABLE near ATTACH PARTITION {name} FOR VALUES IN ({bank})",
        f"ANALYZE {name}",
        # Behind a policy, no index answers what the server does not know to keep secrets, as to
        # match lexemes: every row would be looked at. A view holds tenants apart as well.
        f"CREATE VIEW {own} AS SELECT row, size, terms, vector FROM {name} WHERE {OWN_ROWS}",  # noqa: S608 - names of our tables
        f"GRANT SELECT ON {own} TO {role}",
    )
