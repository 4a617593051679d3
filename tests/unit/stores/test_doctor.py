"""Each contradiction that can be in a file is told in a sentence of its own."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from lapse.model.changeset import Changes
from lapse.model.memory import BankRef
from lapse.model.view import Reads
from lapse.stores.memory import MemoryStore
from lapse.stores.sql.sqlite import SqliteStore
from lapse.testing.fakes import ALICE, memory, record, space, vector, writes
from lapse.testing.store_contract_events import enqueue
from lapse.testing.store_contract_writes import remember, view_of

EAST = [1.0, 0.0, 0.0, 0.0]

DAMAGES = {
    "no retention state": "DELETE FROM retention WHERE row = 1",
    "which does not exist": "UPDATE retention SET row = 99 WHERE row = 1",
    "events of use belong to": "UPDATE event SET row = 99",
    "has not reached": "UPDATE memory SET revision = 99 WHERE row = 1",
    "which the bank does not use": "UPDATE vector SET space = 7",
    "bytes, not 16": "UPDATE vector SET data = x'0000'",
    "the dictionary counts": "UPDATE term SET df = df + 1 WHERE term = 'text'",
    "the bank counts 9": "UPDATE bank SET memories = 9",
    "journal entry 2 does not follow": "UPDATE journal SET by = 'nobody' WHERE seq = 2",
    "journal entry 3 does not follow": "DELETE FROM journal WHERE seq = 2",
}


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    with closing(SqliteStore.open(tmp_path / "store.db")) as store:
        bank = replace(view_of(store, Reads()).bank, space=space(1))
        new = record(memory("a"), vector=vector(1, EAST))
        store.commit(writes(Changes(bank=bank, created=(new,))))
        remember(store, "b")
        remember(store, "c")
        enqueue(store, ("b", "e1"))
        yield store


@pytest.mark.parametrize("words", DAMAGES)
def test_a_contradiction_is_told(store: SqliteStore, words: str) -> None:
    assert list(store.faults(ALICE)) == []
    with closing(sqlite3.connect(store._connections.path)) as connection:
        connection.execute(DAMAGES[words])
        connection.commit()
    told = list(store.faults(ALICE))
    assert [each for each in told if words in each], told
    assert list(store.faults(BankRef(name="somebody else"))) == []


def test_the_reference_tells_a_broken_chain_too() -> None:
    with closing(MemoryStore()) as store:
        for each in ("a", "b"):
            remember(store, each)
        data = store._banks[ALICE]
        data.journal[1] = replace(data.journal[1], by="nobody")
        data.terms.clear()
        told = list(store.faults(ALICE))
    assert told == [
        "journal entry 2 does not follow the one before it",
        "the dictionary of terms counts other memories",
    ]
