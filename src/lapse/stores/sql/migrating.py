"""Bringing an older file to the present shape, by Alembic.

Decides which steps are run: those between the file's version and `schema.REVISION`, all in one
transaction. Refuses a version it does not know.
"""

import sqlite3
from pathlib import Path
from typing import Final

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import StaticPool

from lapse.errors import SchemaError
from lapse.stores.sql.connections import translated

MIGRATIONS: Final = Path(__file__).parent / "migrations"


def configuration() -> Config:
    """Give Alembic's configuration for our migrations."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    return config


def migrate(connection: sqlite3.Connection, path: Path, version: str) -> None:
    """Run the steps that lead on from `version`, all of them or none.

    Args:
        connection: Outside a transaction.
        path: The file, for the error.
        version: The file's version.

    Raises:
        SchemaError: No step here has that version: a newer Lapse wrote the file.
        StoreError: SQLite failed.
    """
    config = configuration()
    known = [each.revision for each in ScriptDirectory.from_config(config).walk_revisions()]
    if version not in known:
        raise SchemaError(
            f"{path} was written by a newer Lapse (schema {version}, this one knows {known[0]}): "
            "upgrade Lapse, or open a backup that this version made",
            fields={"path": str(path), "schema": version, "known": known[0]},
        )
    engine = create_engine("sqlite://", creator=lambda: connection, poolclass=StaticPool)
    try:
        with engine.begin() as borrowed:
            # SQLAlchemy leaves the beginning to the driver, and the driver to us. Alembic reads the
            # version inside, so that of two processes the second finds nothing left to do.
            borrowed.exec_driver_sql("BEGIN IMMEDIATE")
            config.attributes["connection"] = borrowed
            command.upgrade(config, "head")
    except DBAPIError as error:
        raise translated(error.orig or error, path) from error
