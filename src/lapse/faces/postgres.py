"""Opening a PostgreSQL store by its URL.

Decides what is told where the extra is missing, and where the keys of such a store lie: there is no
file to put them beside. Refuses to connect by itself.
"""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from lapse.errors import StoreError
from lapse.ports import Store

if TYPE_CHECKING:
    from lapse.stores.postgres.location import Location  # an extra

_USUAL_PORT: Final = "5432"
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
    with _driver():
        from lapse.stores.postgres.store import PostgresStore  # noqa: PLC0415 - an extra
    return PostgresStore.open(target)


def shown(target: str) -> str:
    """Host and database of a PostgreSQL store: never a password.

    Raises:
        ValidationError: See `postgres_store`.
        StoreError: The extra is not installed.
    """
    return f"postgresql://{_location(target).shown}"


def place_of(target: str) -> tuple[str, ...]:
    """Where a PostgreSQL store lies, whoever asks for it and with whatever options.

    Raises:
        ValidationError: See `postgres_store`.
        StoreError: The extra is not installed.
    """
    place = _location(target)
    return (place.shown, place.connection.get("port", _USUAL_PORT), place.schema)


def key_file(target: str, home: Path) -> Path:
    """Where the keys of a store lie on this machine, in a folder for its owner alone.

    Every machine that writes needs the same keys: copy the file, or set `LAPSE_TOMBSTONE_KEY`.

    Raises:
        ValidationError: See `postgres_store`.
        StoreError: The extra is not installed.
    """
    place = _location(target)
    told = "\0".join((place.shown, place.connection.get("port", ""), place.schema))
    digest = hashlib.sha256(told.encode()).hexdigest()[:16]
    folder = home / ".lapse"
    folder.mkdir(mode=0o700, exist_ok=True)
    return folder / f"{place.schema}-{digest}.keys"


@contextmanager
def _driver() -> Iterator[None]:
    """Load what needs the driver; where that is missing, say what to install."""
    try:
        yield
    except ModuleNotFoundError as error:
        if error.name != "psycopg":
            raise
        raise StoreError(
            "PostgreSQL needs a driver: pip install 'lapse[postgres]'", fields={"extra": "postgres"}
        ) from None


def _location(target: str) -> "Location":
    with _driver():
        from lapse.stores.postgres.location import parse_location  # noqa: PLC0415 - an extra
    return parse_location(target)
