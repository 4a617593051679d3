"""A tenant's transaction neither reads nor changes what is another's, by any statement."""

import psycopg
import pytest

from lapse.errors import StoreError
from lapse.model.changeset import Changes
from lapse.stores.postgres import shape
from lapse.stores.postgres.store import PostgresStore
from lapse.testing.fakes import ALICE, memory, record, writes
from lapse.testing.store_contract_writes import remember
from tests.postgres_server import with_owner
from tests.unit.stores.postgres.asking import READS, values_for
from tests.unit.stores.postgres.conftest import BOB, SCHEMA


@pytest.fixture(autouse=True)
def _two_tenants(store: PostgresStore) -> None:
    remember(store, "m1", "m2")
    store.commit(writes(Changes(created=(record(memory("theirs", ref=BOB)),)), ref=BOB))


def seen(store: PostgresStore, tenant: str, statement: str) -> list[tuple[object, ...]]:
    with store._connections.reading(tenant) as link:
        return link.execute(statement).fetchall()


@pytest.mark.parametrize("name", [each.name for each in shape.tables()])
def test_every_table_holds_rows_of_one_tenant_apart(store: PostgresStore, name: str) -> None:
    mine = seen(store, ALICE.tenant, f"SELECT DISTINCT tenant FROM {name}")
    assert set(mine) <= {(ALICE.tenant,)}
    assert seen(store, "", f"SELECT tenant FROM {name}") == []
    assert seen(store, "nobody", f"SELECT tenant FROM {name}") == []


def test_what_is_there_is_seen_by_its_own_tenant(store: PostgresStore) -> None:
    assert seen(store, ALICE.tenant, "SELECT id FROM memory ORDER BY id") == [("m1",), ("m2",)]
    assert seen(store, BOB.tenant, "SELECT id FROM memory") == [("theirs",)]


@pytest.mark.parametrize("name", READS)
def test_no_read_of_the_store_gives_another_tenants_rows(store: PostgresStore, name: str) -> None:
    with store._connections.reading(ALICE.tenant) as link:
        numbers = link.execute("SELECT bank, row FROM memory ORDER BY row").fetchone()
        mine = link.execute(READS[name], values_for(name, ALICE, numbers)).fetchall()
    with store._connections.reading("intruder") as link:
        assert link.execute(READS[name], values_for(name, ALICE, numbers)).fetchall() == []
    assert mine or name in ("VERSIONS", "EVENTS", "HOLDS", "RECENT_EVENTS")


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE memory SET text = 'theirs now'",
        "DELETE FROM retention",
        "UPDATE bank SET name = 'x'",
    ],
)
def test_no_write_reaches_another_tenants_rows(store: PostgresStore, statement: str) -> None:
    with store._connections.working("intruder") as link:
        assert link.execute(statement).rowcount == 0
    assert store.get(ALICE, ["m1"])[0].memory.text == memory("m1").text


def test_a_row_cannot_be_put_under_another_tenants_name(store: PostgresStore) -> None:
    with pytest.raises(StoreError), store._connections.working("intruder") as link:
        link.execute(
            "INSERT INTO removal (bank, revision, row, tenant) VALUES (1, 1, 1, 'default')"
        )


def test_the_role_owns_nothing_and_is_bound_wherever_it_looks(
    store: PostgresStore, url: str
) -> None:
    unbound = with_owner(
        url,
        [
            "SELECT relname FROM pg_class WHERE relkind IN ('r', 'p') AND NOT relispartition"
            f" AND relnamespace = '{SCHEMA}'::regnamespace AND relname <> 'alembic_version'"
            " AND NOT (relrowsecurity AND relforcerowsecurity)"
        ],
    )
    assert unbound == []
    owned = with_owner(url, ["SELECT relname FROM pg_class WHERE relowner = 'lapse_app'::regrole"])
    assert owned == []
    attributes = with_owner(
        url, ["SELECT rolsuper, rolbypassrls FROM pg_roles WHERE rolname = 'lapse_app'"]
    )
    assert attributes == [(False, False)]


def test_a_part_cannot_be_read_past_its_table(store: PostgresStore) -> None:
    with pytest.raises(StoreError, match="does not let"):
        seen(store, ALICE.tenant, "SELECT id FROM memory_p0")


def test_nothing_of_a_transaction_stays_with_its_connection(store: PostgresStore) -> None:
    store.get(ALICE, ["m1"])
    with store._connections.alone() as session:
        found = session.execute(
            "SELECT current_setting('lapse.tenant', true), current_user::text,"
            " current_setting('search_path')"
        ).fetchone()
        assert isinstance(session, psycopg.Connection)
    assert found is not None
    assert found[0] in ("", None)
    assert found[1] == "postgres"
    assert SCHEMA not in found[2]
