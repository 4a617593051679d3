"""Bringing an older PostgreSQL schema to the present shape, by Alembic.

Decides which steps are run: those between the schema's version and `REVISION`, all in one
transaction. Refuses a version it does not know.
"""

from pathlib import Path
from typing import Final

import psycopg
from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import NullPool

from lapse.errors import SchemaError
from lapse.stores.postgres.connections import Connections
from lapse.stores.postgres.failures import translated
from lapse.stores.postgres.link import Session
from lapse.stores.postgres.opening import LOCK

MIGRATIONS: Final = Path(__file__).parent / "migrations"


def configuration() -> Config:
    """Give Alembic's configuration for the migrations of PostgreSQL."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    return config


def migrate(connections: Connections, version: str) -> None:
    """Run the steps that lead on from `version`, all of them or none.

    Processes that open an older schema at once take turns; who comes later finds nothing to do.

    Raises:
        SchemaError: No step here has that version: a newer Lapse made the schema.
        StoreError: A step failed; the schema is as it was.
    """
    place, config = connections.location, configuration()
    known = [each.revision for each in ScriptDirectory.from_config(config).walk_revisions()]
    if version not in known:
        raise SchemaError(
            f"{place.shown} was made by a newer Lapse (schema {version}, this one knows "
            f"{known[0]}): upgrade Lapse, or restore a backup that this version made",
            fields={"place": place.shown, "schema": version, "known": known[0]},
        )

    def connect() -> Session:
        session = connections.connect()
        session.autocommit = False  # SQLAlchemy begins and ends what it is handed by the driver
        return session

    engine = create_engine("postgresql+psycopg://", creator=connect, poolclass=NullPool)
    try:
        with engine.begin() as connection:
            connection.exec_driver_sql(f"SET LOCAL search_path = {place.schema}")
            connection.exec_driver_sql(LOCK, (place.schema,))
            config.attributes["connection"] = connection
            command.upgrade(config, "head")
    except DBAPIError as error:
        if not isinstance(error.orig, psycopg.Error):
            raise
        raise translated(error.orig, place.shown) from None
