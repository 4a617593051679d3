"""What was erased is in no file of the database, once the store has seen to it."""

from contextlib import closing
from pathlib import Path

import pytest

from lapse.model.changeset import Changes
from lapse.model.verbs import Verb
from lapse.stores.postgres.store import PostgresStore
from lapse.testing.fakes import ALICE, memory, record, writes
from lapse.testing.store_contract_snapshots import all_records
from lapse.testing.store_contract_writes import remember, update
from tests.postgres_server import with_owner
from tests.unit.stores.postgres.conftest import SCHEMA

SHORT = "the safe opens with forty-seven eleven"
LONG = "the letter from the lawyer about the house " * 200


def held(folder: Path, needle: bytes) -> list[str]:
    """Names of the files of the database that hold some bytes; the log of writes is left out."""
    return [
        str(each.relative_to(folder))
        for each in folder.rglob("*")
        if each.is_file() and "pg_wal" not in each.parts and needle in each.read_bytes()
    ]


@pytest.fixture
def folder(url: str) -> Path:
    ((place,),) = with_owner(url, ["SELECT current_setting('data_directory')"])
    if not Path(place).is_dir():
        pytest.skip("the server's files are on another machine")
    return Path(place)


def test_a_removed_text_is_in_no_file_afterwards(
    store: PostgresStore, url: str, folder: Path
) -> None:
    told = (record(memory("short", SHORT)), record(memory("long", LONG)))
    store.commit(writes(Changes(created=told)))
    remember(store, *(f"other{at}" for at in range(50)))
    store.commit(writes(Changes(revised=(update("short", "changed"),)), verb=Verb.UPDATE))
    with_owner(url, ["CHECKPOINT"])
    assert held(folder, SHORT.encode())
    store.commit(writes(Changes(removed=("short", "long")), verb=Verb.REPAIR))
    scrubbed = store.scrub([SHORT.encode(), LONG[:1000].encode()])
    assert (scrubbed.residue, scrubbed.log_emptied) == (0, False)
    assert any("memory" in each for each in scrubbed.places)
    with_owner(url, ["CHECKPOINT"])
    assert held(folder, SHORT.encode()) == []
    assert held(folder, LONG[:1000].encode()) == []
    assert len(all_records(store, ALICE)) == 50
    assert list(store.faults(ALICE)) == []


def test_no_dead_row_is_left_in_any_table(store: PostgresStore, url: str) -> None:
    remember(store, *(f"m{at}" for at in range(20)))
    store.commit(writes(Changes(removed=tuple(f"m{at}" for at in range(20))), verb=Verb.REPAIR))
    store.scrub([])
    dead = with_owner(
        url,
        [
            "SELECT relname, n_dead_tup FROM pg_stat_all_tables"
            f" WHERE schemaname = '{SCHEMA}' AND n_dead_tup > 0"
        ],
    )
    assert dead == []


def test_what_is_still_told_somewhere_is_said_to_be_there(store: PostgresStore) -> None:
    store.commit(writes(Changes(created=(record(memory("m1", SHORT)),))))
    assert store.scrub([SHORT.encode()]).residue == 1


def test_a_user_who_may_not_read_files_has_everything_written_anew_and_claims_no_search(
    store: PostgresStore, url: str, folder: Path
) -> None:
    store.commit(writes(Changes(created=(record(memory("m1", SHORT)),))))
    with_owner(url, ["CHECKPOINT", "CREATE ROLE keeper LOGIN", "GRANT lapse_app TO keeper"])
    try:
        place = f"{url}&schema=keepers&partitions=1".replace(f"schema={SCHEMA}&", "")
        with_owner(url, ["CREATE SCHEMA keepers AUTHORIZATION keeper"])
        with closing(PostgresStore.open(place.replace("postgres@", "keeper@"))) as kept:
            kept.commit(writes(Changes(created=(record(memory("m1", "another " + SHORT)),))))
            kept.commit(writes(Changes(removed=("m1",)), verb=Verb.REPAIR))
            scrubbed = kept.scrub([b"another " + SHORT.encode()])
        assert (scrubbed.places, scrubbed.rebuilt) == ((), True)
        with_owner(url, ["CHECKPOINT"])
        assert held(folder, b"another " + SHORT.encode()) == []
    finally:
        with_owner(url, ["DROP SCHEMA keepers CASCADE", "DROP ROLE keeper"])
