"""From a database to a schema of the right shape.

Decides what to do with what is found there: nothing yet is made, an older shape is migrated, a
newer one and somebody else's tables are refused. Everything that is made is made in one
transaction, and processes that open a new place at once take turns. Refuses to mend anything.
"""

from typing import Final

from psycopg import errors, sql

from lapse.errors import CorruptStoreError, SchemaError, StoreError
from lapse.stores.postgres import shape
from lapse.stores.postgres.connections import Connections
from lapse.stores.postgres.link import Session
from lapse.stores.postgres.location import Location
from lapse.stores.sql.schema import REVISION

LOCK: Final = "SELECT pg_advisory_xact_lock(hashtextextended(%s, 1279348787))"
"""Whoever makes a schema, or brings it forward, waits here for whoever does already."""

_TABLES: Final = (
    "SELECT relname FROM pg_class WHERE relkind IN ('r', 'p', 'v')"
    " AND relnamespace = to_regnamespace(%s)"
)
_SCHEMA: Final = "SELECT 1 FROM pg_namespace WHERE nspname = %s"
_VERSION: Final = "SELECT version_num FROM {}.alembic_version"
_ROLE: Final = "SELECT pg_has_role(current_user, oid, 'MEMBER') FROM pg_roles WHERE rolname = %s"


def prepare(connections: Connections) -> None:
    """Bring the schema to the present shape.

    Raises:
        SchemaError: It holds another program's tables, or a newer Lapse made it.
        StoreError: It cannot be made, or the role cannot be taken on.
    """
    place = connections.location
    with connections.alone() as session:
        version = _version(session, place)
        if version is None:
            _make(session, place)
        elif version != REVISION:
            # Alembic takes a tenth of a second to load, and hardly any store needs it.
            from lapse.stores.postgres.migrating import migrate  # noqa: PLC0415

            migrate(connections, version)


def _version(session: Session, place: Location) -> str | None:
    tables = {name for (name,) in session.execute(_TABLES, (place.schema,))}
    if not tables:
        return None
    if not {"alembic_version", "memory", "retention"} <= tables:
        raise SchemaError(
            f"the schema {place.schema!r} at {place.shown} holds another program's tables: "
            "choose another with ?schema=",
            fields={"place": place.shown, "schema": place.schema},
        )
    _check_role(session, place)
    row = session.execute(sql.SQL(_VERSION).format(sql.Identifier(place.schema))).fetchone()
    if row is None:
        raise CorruptStoreError(
            f"{place.shown} does not say which version made it: restore a backup",
            fields={"place": place.shown},
        )
    return str(row[0])


def _make(session: Session, place: Location) -> None:
    with session.transaction():
        session.execute(LOCK, (place.schema,))
        # Another process may have made it while this one waited for its turn.
        if _version(session, place) is not None:
            return
        _make_role(session, place.role)
        schema = place.schema
        if session.execute(_SCHEMA, (schema,)).fetchone() is None:
            session.execute(f"CREATE SCHEMA {schema}".encode())
        for statement in (
            f"SET LOCAL search_path = {schema}",
            *shape.statements(place.partitions),
            "CREATE TABLE alembic_version (version_num varchar(32) PRIMARY KEY)",
            f"INSERT INTO alembic_version VALUES ('{REVISION}')",  # noqa: S608 - a constant of ours
            *shape.grants(schema, place.role),
            f"GRANT SELECT ON alembic_version TO {place.role}",
        ):
            session.execute(statement.encode())


def _make_role(session: Session, role: str) -> None:
    if session.execute(_ROLE, (role,)).fetchone() is not None:
        return
    try:
        with session.transaction():
            session.execute(f"CREATE ROLE {role} NOLOGIN NOBYPASSRLS".encode())
            session.execute(f"GRANT {role} TO CURRENT_USER".encode())
    except (errors.DuplicateObject, errors.UniqueViolation):
        return  # another store of the same server made it just now
    except errors.InsufficientPrivilege:
        raise _no_role(role) from None


def _check_role(session: Session, place: Location) -> None:
    found = session.execute(_ROLE, (place.role,)).fetchone()
    if found is None or not found[0]:
        raise _no_role(place.role)


def _no_role(role: str) -> StoreError:
    return StoreError(
        f"the role {role!r} is needed: have it made by CREATE ROLE {role} NOLOGIN and "
        f"GRANT {role} TO this user, or name another with ?role=",
        fields={"role": role},
    )
