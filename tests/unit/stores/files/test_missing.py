"""What may not be listed, or was taken away by hand: told by name, and little lost."""

import os
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from lapse.stores.files import names
from lapse.stores.files.ahead import MISSED, NAME
from lapse.stores.files.store import FileStore
from lapse.testing.fakes import ALICE
from lapse.testing.store_contract_snapshots import all_records
from lapse.testing.store_contract_writes import remember

OTHER = replace(ALICE, tenant="somebody-else")
BESIDE = replace(ALICE, name="beside")

AS_NOBODY = """
import os, sys
from contextlib import closing
from dataclasses import replace
from lapse.errors import StoreError
from lapse.stores.files.store import FileStore
from lapse.testing.fakes import ALICE
from lapse.testing.store_contract_writes import remember

if os.geteuid() == 0:
    os.setuid(65534)
root, barred = sys.argv[1:]
with closing(FileStore.open(root)) as store:
    for ref in (ALICE, replace(ALICE, name="beside"), replace(ALICE, tenant="somebody-else")):
        try:
            remember(store, "new", ref=ref)
            print(store.count(ref), any(barred in each for each in store.faults(ref)))
        except StoreError as error:
            print(barred in str(error), any(barred in each for each in store.faults(ref)))
    print(store.size_bytes() > 0)
    try:
        store.scrub([b"gone"])
    except StoreError as error:
        print(barred in str(error))
"""

SHARD = Path(names.sharded(names.bank_folder(ALICE), names.MEMORIES, "a")).parent


@pytest.mark.parametrize(
    ("barred", "told"),
    [
        (str(SHARD), ["True True", "2 False", "2 False"]),
        (names.bank_folder(ALICE), ["True True", "2 False", "2 False"]),
        (names.tenant_folder(ALICE.tenant), ["True True", "True True", "2 False"]),
    ],
)
@pytest.mark.parametrize("mode", [0o000, 0o300])
def test_a_folder_that_may_not_be_listed_costs_what_is_in_it_and_nothing_else(
    barred: str, told: list[str], mode: int
) -> None:
    with TemporaryDirectory(dir="/dev/shm" if Path("/dev/shm").is_dir() else None) as place:
        root = Path(place) / "store"
        with closing(FileStore.open(root)) as store:
            for ref in (ALICE, BESIDE, OTHER):
                remember(store, "a", ref=ref)
        if os.geteuid() == 0:
            for each in (Path(place), *Path(place).rglob("*")):
                os.chown(each, 65534, 65534)
        (root / barred).chmod(mode)
        asked = [sys.executable, "-c", AS_NOBODY, str(root), barred]
        found = subprocess.run(asked, capture_output=True, text=True, check=False)
        (root / barred).chmod(0o700)
        assert found.stdout.splitlines() == [*told, "True", "True"], found.stderr
        with closing(FileStore.open(root)) as store:
            counts = [store.count(ref) for ref in (ALICE, BESIDE, OTHER)]
            assert counts == [2 if each.startswith("2") else 1 for each in told]
            assert [list(store.faults(ref)) for ref in (ALICE, BESIDE, OTHER)] == [[], [], []]


def test_a_log_that_was_taken_away_is_told_until_somebody_has_seen_to_it(tmp_path: Path) -> None:
    with closing(FileStore.open(tmp_path)) as store:
        remember(store, "a", "b")
    (tmp_path / NAME).unlink()
    with closing(FileStore.open(tmp_path)) as store:
        assert store.count(ALICE) == 2
        assert any(NAME in each for each in store.faults(ALICE))
    with closing(FileStore.open(tmp_path)) as store:
        assert any(NAME in each for each in store.faults(ALICE))
        (tmp_path / MISSED).unlink()
        assert list(store.faults(ALICE)) == []


def test_a_new_store_misses_no_log(tmp_path: Path) -> None:
    with closing(FileStore.open(tmp_path)) as store:
        remember(store, "a")
        assert list(store.faults(ALICE)) == []
    assert not (tmp_path / MISSED).exists()


def test_a_log_that_is_taken_away_under_two_that_have_it_open_costs_neither_what_was_written(
    tmp_path: Path,
) -> None:
    with closing(FileStore.open(tmp_path)) as one, closing(FileStore.open(tmp_path)) as two:
        remember(one, "a")
        remember(two, "b")
        remember(two, "c")
        (tmp_path / NAME).unlink()
        remember(one, "d")
        remember(two, "e")
        for store in (one, two):
            assert [each.memory.id for each in all_records(store, ALICE)] == list("abcde")
            assert store.revision(ALICE) == 5
        assert any(NAME in each for each in one.faults(ALICE))
    (tmp_path / MISSED).unlink()
    with closing(FileStore.open(tmp_path)) as store:
        assert [each.memory.id for each in all_records(store, ALICE)] == list("abcde")
        assert list(store.faults(ALICE)) == []


def test_nothing_is_numbered_again_where_the_log_went_with_the_newest_record_of_a_bank(
    tmp_path: Path,
) -> None:
    killed = (
        "import os, sys\nfrom lapse.stores.files.store import FileStore\n"
        "from lapse.testing.store_contract_writes import remember\n"
        "store = FileStore.open(sys.argv[1])\n"
        "for each in 'abc':\n    remember(store, each)\n"
        "os._exit(0)\n"
    )
    subprocess.run([sys.executable, "-c", killed, str(tmp_path)], check=True)
    (tmp_path / NAME).unlink()
    with closing(FileStore.open(tmp_path)) as store:
        assert store.revision(ALICE) == 3
        remember(store, "d")
        found = all_records(store, ALICE)
        assert [each.memory.id for each in found] == list("abcd")
        assert len({each.row for each in found}) == 4
        assert store.revision(ALICE) == 4
