"""An empty PostgreSQL store for each test; the tables are made once."""

from collections.abc import Iterator
from contextlib import closing

import pytest

from lapse.model.memory import BankRef
from lapse.testing.fakes import ALICE
from tests.postgres_server import PARTITIONS, empty

pytest.importorskip("psycopg", reason="needs the extra postgres")

from lapse.stores.postgres.store import PostgresStore

SCHEMA = "unit"
BOB = BankRef(tenant="other", name=ALICE.name)


@pytest.fixture
def url(postgres_url: str) -> str:
    address = f"{postgres_url}&schema={SCHEMA}&partitions={PARTITIONS}"
    empty(address, SCHEMA)
    return address


@pytest.fixture
def store(url: str) -> Iterator[PostgresStore]:
    with closing(PostgresStore.open(url)) as opened:
        yield opened
