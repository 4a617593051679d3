"""B115: opening for a read writes, so that readers wait for whoever holds the file."""

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

from lapse import Lapse
from lapse.testing.fakes import FakeClock
from tests.reports.helping import T0, hit_ids

CLIENTS = 4


def look(path: Path) -> list[str]:
    """Open, recall, list and get; a writer that had to be waited for would let this fail."""
    with Lapse.open(
        f"sqlite:///{path}", embedder=None, clock=FakeClock(T0), background=False
    ) as mind:
        bank = mind.bank("alice")
        found = hit_ids(bank.recall("ship"))
        assert bank.list().records
        assert bank.get("m1").memory.id == "m1"
        return found


def test_readers_open_and_read_while_somebody_holds_the_file_for_writing(tmp_path: Path) -> None:
    path = tmp_path / "agent.db"
    with Lapse.open(path, embedder=None, clock=FakeClock(T0), background=False) as mind:
        mind.bank("alice").remember_many(
            {"text": f"Ship number{at} docked", "id": f"m{at}"} for at in range(3)
        )
    with closing(sqlite3.connect(path, isolation_level=None)) as writer:
        writer.execute("BEGIN IMMEDIATE")
        writer.execute("UPDATE bank SET late_events = late_events + 1")
        # Whoever wrote would wait for 30 seconds, and then say that the file is busy.
        with ThreadPoolExecutor(max_workers=CLIENTS) as pool:
            answers = list(pool.map(lambda _: look(path), range(CLIENTS)))
        writer.execute("ROLLBACK")
    assert answers == [answers[0]] * CLIENTS
    assert sorted(answers[0]) == ["m0", "m1", "m2"]
