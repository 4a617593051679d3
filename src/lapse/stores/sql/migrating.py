"""Bringing an older file to the present shape, by Alembic.

Decides which steps are run: those between the file's version and `schema.REVISION`, in one
transaction that the caller holds. Refuses a version it does not know.
"""

from pathlib import Path
from typing import Final

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import Engine

from lapse.errors import SchemaError

MIGRATIONS: Final = Path(__file__).parent / "migrations"


def configuration(folder: Path = MIGRATIONS) -> Config:
    """Give Alembic's configuration for a folder of migrations."""
    config = Config()
    config.set_main_option("script_location", str(folder).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    return config


def migrate(engine: Engine, path: Path, version: str, folder: Path = MIGRATIONS) -> None:
    """Run the steps that lead on from `version`.

    Args:
        engine: Gives a connection that is inside the caller's write transaction.
        path: The file, for the error.
        version: The file's version.
        folder: Where the migrations are.

    Raises:
        SchemaError: No step here has that version: a newer Lapse wrote the file.
    """
    config = configuration(folder)
    known = [each.revision for each in ScriptDirectory.from_config(config).walk_revisions()]
    if version not in known:
        raise SchemaError(
            f"{path} was written by a newer Lapse (schema {version}, this one knows {known[0]}): "
            "upgrade Lapse, or open a backup that this version made",
            fields={"path": str(path), "schema": version, "known": known[0]},
        )
    with engine.connect() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
