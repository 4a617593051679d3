"""How often a recall has to wait for the server: as libpq itself counts what went to and fro."""

import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from lapse.bank import Bank
from lapse.faces.app import Lapse
from lapse.stores.postgres.store import PostgresStore
from lapse.testing.fakes import FakeClock
from tests.unit.stores.postgres.large import drop_indexes, filled, made_large

SMALL = 60
MOST_AFTER_A_WRITE = 24


def waits(store: PostgresStore, path: Path, act: Callable[[], object]) -> int:
    """How often the server was waited for."""
    with path.open("wb") as file:
        with store._connections.alone() as session:
            traced = session.pgconn
            traced.trace(file.fileno())
        try:
            act()
        finally:
            # Not by way of the pool, which asks whether the connection answers.
            traced.untrace()
    return len(re.findall(r"ReadyForQuery", path.read_text(encoding="utf-8")))


def told(bank: Bank, count: int) -> None:
    bank.remember_many({"text": f"Anna drank the tea number {at} in Oslo"} for at in range(count))


@pytest.mark.skipif(sys.platform != "linux", reason="libpq traces to a file on Linux alone")
def test_a_warm_recall_waits_for_the_server_twice(url: str, tmp_path: Path) -> None:
    clock = FakeClock("2026-06-01T09:00Z")
    with Lapse.open(url, clock=clock, background=False) as mind:
        store, bank = mind.parts.store, mind.bank("main")
        assert isinstance(store, PostgresStore)
        told(bank, SMALL)
        mind.drain()
        bank.recall("tea")
        trace = tmp_path / "trace"
        assert waits(store, trace, lambda: bank.recall("tea")) == 2
        # What another process wrote is read besides.
        told(bank, 1)
        assert waits(store, trace, lambda: bank.recall("tea")) > 2


@pytest.mark.skipif(sys.platform != "linux", reason="libpq traces to a file on Linux alone")
def test_a_warm_recall_of_a_large_bank_waits_for_the_server_three_times(
    url: str, tmp_path: Path
) -> None:
    clock = FakeClock("2026-06-01T09:00Z")
    try:
        with Lapse.open(url, clock=clock, background=False) as mind:
            store, bank = mind.parts.store, filled(mind)
            assert isinstance(store, PostgresStore)
            made_large(mind, bank)
            assert bank.recall("tea").approximate
            trace = tmp_path / "trace"
            assert waits(store, trace, lambda: bank.recall("Who drank tea in Rome?")) == 3
            # What was written since goes into the index first, and the bank is looked at anew.
            told(bank, 1)
            assert 3 < waits(store, trace, lambda: bank.recall("tea")) <= MOST_AFTER_A_WRITE
            assert waits(store, trace, lambda: bank.recall("tea")) == 3
    finally:
        drop_indexes(url)
