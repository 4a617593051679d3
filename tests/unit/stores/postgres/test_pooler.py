"""Behind a pooler that hands connections on after each transaction, nothing stays or leaks."""

import os
import shutil
import socket
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from pathlib import Path

import pytest

from lapse.faces.app import Lapse
from lapse.model.memory import BankRef
from lapse.stores.postgres.location import parse_location
from lapse.stores.postgres.store import PostgresStore
from lapse.testing.fakes import FakeClock
from lapse.testing.store_contract_snapshots import all_records
from lapse.testing.store_contract_writes import remember
from tests.unit.stores.postgres.conftest import SCHEMA
from tests.unit.stores.postgres.large import (
    QUESTIONS,
    drop_indexes,
    filled,
    ids_of,
    made_large,
    shared,
)

POOLER = shutil.which("pgbouncer")
TENANTS = [BankRef(tenant=f"t{at}", name="bank") for at in range(6)]


@pytest.fixture
def pooled(url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    if POOLER is None:
        pytest.skip("needs pgbouncer (apt install pgbouncer)")
    place = parse_location(url)
    folder = Path(place.connection["host"]).parent / "pooler"
    folder.mkdir()
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    (folder / "users").write_text('"postgres" ""\n')
    (folder / "ini").write_text(
        "[databases]\n"
        f"postgres = host={place.connection['host']} dbname=postgres user=postgres\n"
        "[pgbouncer]\nlisten_addr = 127.0.0.1\nauth_type = any\npool_mode = transaction\n"
        f"listen_port = {port}\ndefault_pool_size = 2\nmax_client_conn = 100\n"
        f"unix_socket_dir =\nlogfile = {folder / 'log'}\n"
    )
    user = None
    if os.geteuid() == 0:  # it refuses to be root, and only the server's user reaches the socket
        user = Path(place.connection["host"]).stat().st_uid
        for each in (folder, *folder.iterdir()):
            os.chown(each, user, -1)
    process = subprocess.Popen([POOLER, "-q", str(folder / "ini")], user=user)
    try:
        for _ in range(200):
            with closing(socket.socket()) as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            with suppress(subprocess.TimeoutExpired):
                process.wait(0.02)  # it cannot say by itself that it is up
        yield f"postgresql+psycopg://postgres@127.0.0.1:{port}/postgres?schema={SCHEMA}&pool=4"
    finally:
        process.terminate()
        process.wait(20)
        shutil.rmtree(folder)


def test_many_threads_of_many_tenants_share_two_connections(
    store: PostgresStore, pooled: str
) -> None:
    places = PostgresStore.open(pooled), PostgresStore.open(pooled)
    with closing(places[0]), closing(places[1]):

        def work(at: int) -> None:
            ref, place = TENANTS[at % len(TENANTS)], places[at % 2]
            remember(place, f"m{at}", ref=ref)
            assert all(each.memory.tenant == ref.tenant for each in all_records(place, ref))

        with ThreadPoolExecutor(8) as pool:
            list(pool.map(work, range(60)))
    for at, ref in enumerate(TENANTS):
        named = {each.memory.id for each in all_records(store, ref)}
        assert named == {f"m{each}" for each in range(at, 60, len(TENANTS))}
        assert list(store.faults(ref)) == []


def test_a_large_bank_is_searched_by_threads_that_share_two_connections(
    store: PostgresStore, pooled: str, url: str
) -> None:
    clock = FakeClock("2026-06-01T09:00Z")
    try:
        with Lapse.open(pooled, clock=clock, background=False) as mind:
            bank = filled(mind)
            exact = [bank.recall(each) for each in QUESTIONS]
            made_large(mind, bank)
            with ThreadPoolExecutor(4) as pool:
                near = list(pool.map(bank.recall, QUESTIONS * 3))
        assert all(each.approximate for each in near)
        assert shared(ids_of(near), ids_of(exact) * 3) >= 0.97
        assert ids_of(near) == ids_of(near[: len(QUESTIONS)]) * 3
    finally:
        drop_indexes(url)
