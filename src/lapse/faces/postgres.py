"""Opening a PostgreSQL store by its URL.

Decides what is told where the extra is missing, and where the keys of such a store lie: there is no
file to put them beside. Refuses to connect by itself.
"""

import hashlib
from pathlib import Path

from lapse.errors import StoreError
from lapse.ports import Store

_PREFIXES = ("postgresql+psycopg://", "postgresql://")


def is_postgres(target: str) -> bool:
    """Whether a target names a PostgreSQL store."""
    return target.startswith(_PREFIXES)


def postgres_store(target: str) -> Store:
    """Open a PostgreSQL store.

    Raises:
        ValidationError: An option of the URL that nobody knows, or that makes no sense.
        StoreError: The extra is not installed, or the store cannot be opened.
    """
    try:
        from lapse.stores.postgres.store import PostgresStore  # noqa: PLC0415 - an extra
    except ModuleNotFoundError as error:
        if error.name != "psycopg":
            raise
        raise StoreError(
            "PostgreSQL needs a driver: pip install 'lapse[postgres]'", fields={"extra": "postgres"}
        ) from None
    return PostgresStore.open(target)


def shown(target: str) -> str:
    """Host and database of a PostgreSQL store: never a password."""
    from lapse.stores.postgres.location import parse_location  # noqa: PLC0415 - an extra

    return f"postgresql://{parse_location(target).shown}"


def key_file(target: str, home: Path) -> Path:
    """Where the keys of a store lie on this machine, in a folder for its owner alone.

    Every machine that writes needs the same keys: copy the file, or set `LAPSE_TOMBSTONE_KEY`.
    """
    from lapse.stores.postgres.location import parse_location  # noqa: PLC0415 - an extra

    place = parse_location(target)
    told = "\0".join((place.shown, place.connection.get("port", ""), place.schema))
    digest = hashlib.sha256(told.encode()).hexdigest()[:16]
    folder = home / ".lapse"
    folder.mkdir(mode=0o700, exist_ok=True)
    return folder / f"{place.schema}-{digest}.keys"
