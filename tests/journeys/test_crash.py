"""A process that is killed at any moment leaves every acknowledged write whole and none by half."""

import os
import random
import signal
import sqlite3
from collections.abc import Callable
from contextlib import closing
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerContext
from pathlib import Path

import pytest

from lapse.errors import LapseError
from lapse.stores.memory import MemoryStore
from lapse.stores.sql.sqlite import SqliteStore
from lapse.testing.store_contract_snapshots import snapshot
from tests.journeys.dying_writer import (
    write_carelessly_until_statement,
    write_on,
    write_until_statement,
)
from tests.journeys.numbered_verbs import REF, numbered

WRITES = 200
STATEMENTS = (20, 1200)
"""Where a writer dies: after opening the file, within its first dozen writes."""

pytestmark = pytest.mark.skipif(os.name != "posix", reason="kills with SIGKILL")


class Story:
    """What must be in the file: the same writes in the reference."""

    def __init__(self) -> None:
        self.store = MemoryStore()

    def tell(self, last: int) -> None:
        for number in range(self.store.revision(REF) + 1, last + 1):
            self.store.commit(numbered(number))


@pytest.fixture(scope="module")
def processes() -> ForkServerContext:
    """Processes that start from one that has everything loaded and no file open."""
    context = get_context("forkserver")
    context.set_forkserver_preload(["tests.journeys.dying_writer"])
    return context


def run(
    processes: ForkServerContext,
    target: Callable[..., None],
    arguments: tuple[object, ...],
    kill_after: int | None,
    chance: random.Random,
) -> int:
    """Run a writer, kill it somewhere after so many acknowledged writes, and give the last one."""
    receiver, sender = processes.Pipe(duplex=False)
    writer = processes.Process(target=target, args=(*arguments[:2], sender, *arguments[2:]))
    writer.start()
    sender.close()
    acknowledged = 0
    for count in range(1, WRITES + 1):
        if kill_after is not None and count > kill_after:
            break
        told = _receive(receiver)
        if told is None:
            break
        acknowledged = told
    if kill_after is not None:
        for _ in range(chance.randrange(20_000)):  # up to about a write's time, without a clock
            pass
        writer.kill()
    while (told := _receive(receiver)) is not None:
        acknowledged = told
    writer.join()
    if writer.exitcode not in (0, -signal.SIGKILL):
        raise AssertionError(f"the writer ended by itself with {writer.exitcode}")
    writer.close()
    return acknowledged


def check(path: Path, story: Story, acknowledged: int) -> int:
    """Compare the file with the story, and give how many writes are in it."""
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    with closing(SqliteStore.open(path)) as store:
        found = store.revision(REF)
        # One write may have been committed and not yet acknowledged.
        assert acknowledged <= found <= acknowledged + 1
        story.tell(found)
        assert snapshot(store, REF) == snapshot(story.store, REF)
        assert list(store.faults(REF)) == []
    return found


def test_a_kill_at_any_moment_loses_nothing_that_was_acknowledged(
    tmp_path: Path, processes: ForkServerContext
) -> None:
    path, story, chance = tmp_path / "killed.db", Story(), random.Random(20_260_301)
    written = kills = 0
    while written < WRITES:
        after = chance.randrange(1, 20)
        done = run(processes, write_on, (path, WRITES), after, chance)
        written = check(path, story, max(done, written))
        kills += 1
    assert kills >= 10


def test_a_kill_between_any_two_statements_leaves_no_write_by_half(
    tmp_path: Path, processes: ForkServerContext
) -> None:
    path, story, chance = tmp_path / "killed.db", Story(), random.Random(7)
    written = 0
    for _ in range(30):
        deadly = chance.randrange(*STATEMENTS)
        done = run(processes, write_until_statement, (path, 10_000, deadly), None, chance)
        written = check(path, story, max(done, written))
    assert written > 40


def test_without_transactions_a_kill_would_show(
    tmp_path: Path, processes: ForkServerContext
) -> None:
    chance, noticed = random.Random(7), 0
    for deadly in range(100, 800, 60):
        path, story = tmp_path / f"careless-{deadly}.db", Story()
        arguments = (path, 10_000, deadly)
        done = run(processes, write_carelessly_until_statement, arguments, None, chance)
        try:
            check(path, story, done)
        except (AssertionError, KeyError, LapseError):
            noticed += 1
    assert noticed >= 2


def _receive(receiver: Connection) -> int | None:
    try:
        return int(receiver.recv())
    except EOFError:
        return None
