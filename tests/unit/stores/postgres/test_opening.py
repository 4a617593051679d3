"""From a URL to a schema of the right shape."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest

from lapse.errors import SchemaError, StoreError, ValidationError
from lapse.stores.postgres.dialect import PARTED
from lapse.stores.postgres.location import parse_location
from lapse.stores.postgres.store import PostgresStore
from lapse.testing.fakes import ALICE
from lapse.testing.store_contract_writes import remember
from tests.postgres_server import with_owner
from tests.unit.stores.postgres.conftest import SCHEMA

ANYWHERE = "postgresql+psycopg://ann:pw@db.example:5433/memories"


def test_a_url_says_where_and_how() -> None:
    found = parse_location(f"{ANYWHERE}?schema=mine&pool=3&direct=1&sslmode=require&partitions=4")
    assert found.connection == {
        "user": "ann",
        "password": "pw",
        "host": "db.example",
        "port": "5433",
        "dbname": "memories",
        "sslmode": "require",
    }
    assert (found.schema, found.pool, found.direct, found.partitions) == ("mine", 3, True, 4)
    assert (found.role, parse_location(ANYWHERE).partitions) == ("lapse_app", 16)


def test_every_wrong_option_is_named_at_once() -> None:
    with pytest.raises(ValidationError) as caught:
        parse_location(f"{ANYWHERE}?schem=x&schema=A-B&pool=0&partitions=x&lock_timeout_s=-1")
    named = {each.field for each in caught.value.faults}
    assert named == {
        "target.schem",
        "target.schema",
        "target.pool",
        "target.partitions",
        "target.lock_timeout_s",
    }


def test_what_somebody_else_made_is_left_alone(postgres_url: str) -> None:
    with_owner(postgres_url, ["CREATE SCHEMA others", "CREATE TABLE others.memory (x int)"])
    try:
        with pytest.raises(SchemaError, match="another program"):
            PostgresStore.open(f"{postgres_url}&schema=others")
    finally:
        with_owner(postgres_url, ["DROP SCHEMA others CASCADE"])


def test_a_newer_shape_is_refused(store: PostgresStore, url: str) -> None:
    version = f"UPDATE {SCHEMA}.alembic_version SET version_num = "
    with_owner(url, [f"{version}'9999'"])
    try:
        with pytest.raises(SchemaError, match="newer Lapse"):
            PostgresStore.open(url)
    finally:
        with_owner(url, [f"{version}'0001'"])


def test_a_role_that_cannot_be_taken_on_is_named(postgres_url: str, url: str) -> None:
    PostgresStore.open(url).close()
    with_owner(url, ["CREATE ROLE visitor LOGIN"])
    try:
        with pytest.raises(StoreError, match="'lapse_app' is needed"):
            PostgresStore.open(url.replace("postgres@", "visitor@"))
    finally:
        with_owner(url, ["DROP ROLE visitor"])


def test_a_user_who_owns_nothing_can_work_with_the_store(url: str) -> None:
    PostgresStore.open(url).close()
    with_owner(url, ["CREATE ROLE worker LOGIN", "GRANT lapse_app TO worker"])
    try:
        with closing(PostgresStore.open(url.replace("postgres@", "worker@"))) as store:
            remember(store, "m1")
            assert store.count(ALICE) == 1
    finally:
        with_owner(url, ["DROP ROLE worker"])


def test_four_who_open_a_new_place_at_once_make_it_once(postgres_url: str) -> None:
    place = f"{postgres_url}&schema=atonce&partitions=2"

    def use(at: int) -> None:
        with closing(PostgresStore.open(place)) as store:
            remember(store, f"m{at}")

    try:
        with ThreadPoolExecutor(4) as pool:
            list(pool.map(use, range(4)))
        with closing(PostgresStore.open(place)) as store:
            assert store.count(ALICE) == 4
            parts = with_owner(
                place,
                [
                    "SELECT count(*) FROM pg_class WHERE relkind = 'r' AND relispartition"
                    " AND relnamespace = 'atonce'::regnamespace"
                ],
            )
            assert parts == [(2 * len(PARTED),)]
    finally:
        with_owner(postgres_url, ["DROP SCHEMA atonce CASCADE"])


def test_two_schemas_of_one_database_know_nothing_of_each_other(
    store: PostgresStore, postgres_url: str
) -> None:
    remember(store, "m1")
    place = f"{postgres_url}&schema=beside&partitions=1"
    try:
        with closing(PostgresStore.open(place)) as other:
            assert other.bank(ALICE) is None
            remember(other, "m1")
            assert other.count(ALICE) == store.count(ALICE) == 1
    finally:
        with_owner(postgres_url, ["DROP SCHEMA beside CASCADE"])
