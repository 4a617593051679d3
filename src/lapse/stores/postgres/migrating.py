"""Bringing an older PostgreSQL schema to the present shape, by Alembic.

Decides which steps are run: those between the schema's version and `REVISION`, all in one
transaction. Refuses a version it does not know.
"""

from pathlib import Path
from typing import Final

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine
from sqlalchemy.pool import StaticPool

from lapse.errors import SchemaError
from lapse.stores.postgres.link import Session
from lapse.stores.postgres.location import Location

MIGRATIONS: Final = Path(__file__).parent / "migrations"


def configuration() -> Config:
    """Give Alembic's configuration for the migrations of PostgreSQL."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    return config


def migrate(session: Session, place: Location, version: str) -> None:
    """Run the steps that lead on from `version`, all of them or none.

    Raises:
        SchemaError: No step here has that version: a newer Lapse made the schema.
    """
    config = configuration()
    known = [each.revision for each in ScriptDirectory.from_config(config).walk_revisions()]
    if version not in known:
        raise SchemaError(
            f"{place.shown} was made by a newer Lapse (schema {version}, this one knows "
            f"{known[0]}): upgrade Lapse, or restore a backup that this version made",
            fields={"place": place.shown, "schema": version, "known": known[0]},
        )
    engine = create_engine("postgresql+psycopg://", creator=lambda: session, poolclass=StaticPool)
    with session.transaction():
        session.execute(f"SET LOCAL search_path = {place.schema}".encode())
        with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as borrowed:
            config.attributes["connection"] = borrowed
            command.upgrade(config, "head")
