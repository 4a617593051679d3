"""The contract of stores, on every store that is shipped and on a toy."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from lapse.errors import StoreError
from lapse.model.memory import BankRef
from lapse.ports import Store
from lapse.stores.memory import MemoryStore
from lapse.stores.sql.sqlite import SqliteStore
from lapse.testing.store_contract import (
    LastingStoreContract,
    LostStateContract,
    StoreContract,
)
from lapse.testing.store_contract_near import NearClauses
from lapse.testing.store_contract_notes import NoteClauses
from tests.contracts.toy_near import ToyNear
from tests.contracts.toy_store import ToyStore


class TestMemoryStore(StoreContract, NoteClauses, LostStateContract):
    """memory://: RAM."""

    @pytest.fixture
    def store(self) -> Iterator[Store]:
        with closing(MemoryStore()) as store:
            yield store

    def lose_state(self, store: Store, ref: BankRef, memory_id: str) -> None:
        assert isinstance(store, MemoryStore)
        rows = store._banks[ref].rows
        rows[memory_id] = replace(rows[memory_id], state=None)


class TestSqliteStore(StoreContract, NoteClauses, LastingStoreContract, LostStateContract):
    """sqlite:///: a file in a temporary folder, by the SQLite of the Python that runs."""

    @pytest.fixture(autouse=True)
    def _folder(self, tmp_path: Path) -> None:
        self.folder = tmp_path

    @pytest.fixture
    def store(self, tmp_path: Path) -> Iterator[Store]:
        with closing(SqliteStore.open(tmp_path / "store.db")) as store:
            yield store

    def another(self) -> Store:
        return self.opened(str(self.folder / "store.db"))

    def opened(self, path: str) -> Store:
        return SqliteStore.open(path)

    def free_path(self) -> str:
        return str(self.folder / "copy.db")

    def lose_state(self, store: Store, ref: BankRef, memory_id: str) -> None:
        assert isinstance(store, SqliteStore)
        with closing(sqlite3.connect(self.folder / "store.db")) as connection:
            connection.execute(
                "DELETE FROM retention WHERE row = (SELECT memory.row FROM memory JOIN bank"
                " ON memory.bank = bank.id WHERE tenant = ? AND name = ? AND memory.id = ?)",
                (ref.tenant, ref.name, memory_id),
            )
            connection.commit()


class TestToy(StoreContract):
    @pytest.fixture
    def store(self) -> Iterator[Store]:
        with closing(ToyStore()) as store:
            yield store


class TestNearToy(NearClauses):
    @pytest.fixture
    def store(self) -> Iterator[Store]:
        with closing(ToyNear()) as store:
            yield store


def test_a_store_in_ram_has_nothing_to_back_up(tmp_path: Path) -> None:
    with closing(MemoryStore()) as store, pytest.raises(StoreError, match="cannot be copied"):
        store.backup(str(tmp_path / "copy.db"))
    assert not (tmp_path / "copy.db").exists()
