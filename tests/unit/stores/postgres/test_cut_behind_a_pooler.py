"""Connections that are cut behind a pooler: a write is made once, or not at all."""

import re
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

from lapse.errors import StoreError
from lapse.model.changeset import Changes
from lapse.stores.postgres.store import PostgresStore
from lapse.testing.fakes import memory, record, writes
from lapse.testing.store_contract_snapshots import all_records
from tests.postgres_server import with_owner
from tests.unit.stores.postgres.test_pooler import TENANTS, pooled

__all__ = ["pooled"]


def test_writes_whose_connections_are_cut_behind_the_pooler_are_made_once_or_not_at_all(
    store: PostgresStore, pooled: str, url: str
) -> None:
    busy = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE state <> 'idle'"
    cut = f"{busy} AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
    told: list[StoreError] = []
    made: list[str] = []
    left = [100]

    def work(at: int) -> None:
        ref = TENANTS[at % 2]
        for number in range(6):
            names = [f"m{at}-{number}-{each}" for each in range(300 if number % 3 == 0 else 3)]
            new = Changes(created=tuple(record(memory(each, ref=ref)) for each in names))
            try:
                place.commit(writes(new, ref=ref))
            except StoreError as error:
                told.append(error)
            else:
                made.extend(names)

    with closing(PostgresStore.open(pooled)) as place, ThreadPoolExecutor(4) as pool:
        working = [pool.submit(work, each) for each in range(4)]
        while not all(each.done() for each in working) and left[0]:
            left[0] -= 1
            with_owner(url, [cut, "SELECT pg_sleep(0.1)"])
        for each in working:
            each.result(60)
    assert made
    unclear = [str(e) for e in told if not re.search("try again|not known|be reached", str(e))]
    assert unclear == []
    there = [each.memory.id for ref in TENANTS[:2] for each in all_records(store, ref)]
    assert len(there) == len(set(there))
    assert set(made) <= set(there)
    parts = Counter(each.rpartition("-")[0] for each in there)
    assert all(
        count == (300 if int(name.rpartition("-")[2]) % 3 == 0 else 3)
        for name, count in parts.items()
    )
