"""Files that a person changed, lost or put there are told by name, and cost nothing else."""

import json
import os
import resource
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from lapse.errors import CorruptStoreError, SchemaError, StoreError
from lapse.model.changeset import Changes
from lapse.model.memory import BankRef
from lapse.model.note import Note, Shelf
from lapse.model.verbs import Verb
from lapse.stores.files import names
from lapse.stores.files.store import FileStore
from lapse.testing.fakes import ALICE, writes
from lapse.testing.store_contract_graves import bury, stone
from lapse.testing.store_contract_snapshots import all_records
from lapse.testing.store_contract_writes import entry, remember

FOLDER = names.bank_folder(ALICE)
BOB = BankRef(name="bob")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    with closing(FileStore.open(tmp_path / "store")) as store:
        remember(store, "a", "b")
        remember(store, "c", ref=BOB)
    return tmp_path / "store"


def memory_file(root: Path, name: str) -> Path:
    return root / names.sharded(FOLDER, names.MEMORIES, name)


def edited(path: Path) -> None:
    text = path.read_text()
    path.write_text(text.replace('"text": "', '"text": "no ', 1))
    assert path.read_text() != text


def test_a_person_can_read_a_memory(root: Path) -> None:
    found = json.loads(memory_file(root, "a").read_text())
    assert found["memory"]["id"] == "a"
    assert found["memory"]["recorded_from"].endswith("Z")


def test_a_file_edited_by_hand_is_told_by_name_and_left_out(root: Path) -> None:
    edited(memory_file(root, "a"))
    with closing(FileStore.open(root)) as store:
        assert [each.memory.id for each in all_records(store, ALICE)] == ["b"]
        assert [each.memory.id for each in all_records(store, BOB)] == ["c"]
        (told,) = [each for each in store.faults(ALICE) if "was changed" in each]
        assert names.sharded(FOLDER, names.MEMORIES, "a") in told
        assert list(store.faults(BOB)) == []


def test_nothing_is_written_over_a_file_that_cannot_be_read(root: Path) -> None:
    edited(memory_file(root, "a"))
    before = memory_file(root, "a").read_text()
    with closing(FileStore.open(root)) as store:
        with pytest.raises(CorruptStoreError, match="mend it or take it away"):
            remember(store, "a")
        assert store.revision(ALICE) == 1
        remember(store, "d")
        assert list(store.get(ALICE, ["d"]))
    assert memory_file(root, "a").read_text() == before


def test_what_was_edited_while_it_is_open_is_found_too(root: Path) -> None:
    with closing(FileStore.open(root)) as store:
        edited(memory_file(root, "a"))
        memory_file(root, "b").unlink()
        told = list(store.faults(ALICE))
        assert [each for each in told if "was changed" in each]
        assert [each for each in told if "is not there" in each]


def test_a_copied_file_is_no_second_memory(root: Path) -> None:
    copy = memory_file(root, "a").with_name("other.json")
    copy.write_text(memory_file(root, "a").read_text())
    with closing(FileStore.open(root)) as store:
        assert len(all_records(store, ALICE)) == 2
        assert [each for each in store.faults(ALICE) if "belongs at" in each]


def test_a_file_of_a_person_is_told_and_left_alone(root: Path) -> None:
    (root / FOLDER / "readme.txt").write_text("mine")
    with closing(FileStore.open(root)) as store:
        assert [each for each in store.faults(ALICE) if "readme.txt" in each]
    assert (root / FOLDER / "readme.txt").read_text() == "mine"


def test_a_bank_whose_record_is_damaged_costs_no_other_bank(root: Path) -> None:
    (root / FOLDER / names.BANK).write_text("{}")
    with closing(FileStore.open(root)) as store:
        with pytest.raises(CorruptStoreError, match=r"bank\.json"):
            store.count(ALICE)
        assert store.count(BOB) == 1
        assert [each for each in store.faults(ALICE) if "bank.json" in each]


def test_a_damaged_line_of_the_journal_is_told_and_the_journal_goes_on(root: Path) -> None:
    path = root / FOLDER / "journal.jsonl"
    path.write_text(path.read_text().replace('"remember"', '"pin"'))
    with closing(FileStore.open(root)) as store:
        assert [each for each in store.faults(ALICE) if "journal.jsonl, line 1" in each]
        remember(store, "d")
        assert store.count(ALICE) == 3


def test_a_damaged_tombstone_is_told_as_out_of_force(root: Path) -> None:
    with closing(FileStore.open(root)) as store:
        bury(store, stone("t"))
    path = root / names.tenant_folder(ALICE.tenant) / names.TOMBSTONES
    path.write_text(path.read_text().replace('"number": 1', '"number": 2'))
    with closing(FileStore.open(root)) as store:
        assert [each for each in store.faults(ALICE) if "out of force" in each]


def test_a_link_is_not_followed(root: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside.json"
    memory_file(root, "a").rename(outside)
    memory_file(root, "a").symlink_to(outside)
    with closing(FileStore.open(root)) as store:
        assert [each.memory.id for each in all_records(store, ALICE)] == ["b"]


def folder_there(path: Path, _: Path) -> None:
    path.mkdir()


@pytest.mark.parametrize("name", ["journal.jsonl", "bank.json"])
@pytest.mark.parametrize("put", [Path.symlink_to, folder_there])
def test_nothing_is_written_to_where_a_link_in_the_place_of_a_log_points(
    root: Path, tmp_path: Path, name: str, put: Callable[[Path, Path], None]
) -> None:
    outside = tmp_path / "outside"
    log = root / FOLDER / name
    outside.write_bytes(log.read_bytes())
    before = outside.read_bytes()
    log.unlink()
    put(log, outside)
    with closing(FileStore.open(root)) as store:
        with pytest.raises(CorruptStoreError, match="is a link or a folder"):
            remember(store, "d")
        remember(store, "d", ref=BOB)
        assert any(f"{name} is a link or a folder" in each for each in store.faults(ALICE))
    assert outside.read_bytes() == before


AS_NOBODY = """
import os, sys
from contextlib import closing
from lapse.errors import StoreError
from lapse.stores.files.store import FileStore
from lapse.testing.fakes import ALICE
from lapse.testing.store_contract_snapshots import all_records

if os.geteuid() == 0:
    os.setuid(65534)
root, memory, log = sys.argv[1:]
with closing(FileStore.open(root)) as store:
    print([each.memory.id for each in all_records(store, ALICE)])
    print(any(memory in each for each in store.faults(ALICE)))
os.chmod(log, 0)
try:
    FileStore.open(root)
except StoreError as error:
    print(log in str(error))
"""


def test_a_file_that_may_not_be_read_is_told_and_a_log_of_that_kind_refuses_to_open() -> None:
    with TemporaryDirectory(dir="/dev/shm" if Path("/dev/shm").is_dir() else None) as place:
        root = Path(place) / "store"
        with closing(FileStore.open(root)) as store:
            remember(store, "a", "b")
        memory, log = memory_file(root, "a"), root / FOLDER / "journal.jsonl"
        memory.chmod(0)
        if os.geteuid() == 0:
            for each in (Path(place), *Path(place).rglob("*")):
                os.chown(each, 65534, 65534)
        asked = [sys.executable, "-c", AS_NOBODY, str(root), memory.name, str(log)]
        told = subprocess.run(asked, capture_output=True, text=True, check=False)
    assert told.stdout.splitlines() == ["['b']", "True", "True"], told.stderr


def test_a_note_that_could_not_be_written_is_not_kept(root: Path) -> None:
    note = Note(shelf=Shelf.KEY, name="n", place="p", body=b"x" * 100_000)
    with closing(FileStore.open(root)) as store:
        soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, hard))
        try:
            with pytest.raises(StoreError):
                store.notes.put(note)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        assert store.notes.get(note.shelf, note.name) is None
        assert store.notes.put(note)


def test_a_folder_with_other_things_is_not_made_a_store(tmp_path: Path) -> None:
    (tmp_path / "photo.jpg").write_bytes(b"\xff")
    with pytest.raises(StoreError, match="is not empty"):
        FileStore.open(tmp_path)
    assert [each.name for each in tmp_path.iterdir()] == ["photo.jpg"]


def test_a_file_in_place_of_a_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="cannot be used"):
        FileStore.open(tmp_path / "file")


def test_a_folder_of_a_newer_form_is_refused(root: Path) -> None:
    (root / "lapse.json").write_text('{"form": "lapse-files", "version": 2}')
    with pytest.raises(SchemaError, match="form 2"):
        FileStore.open(root)


def test_what_is_removed_is_in_no_file_any_longer(root: Path) -> None:
    with closing(FileStore.open(root)) as store:
        remember(store, "a-very-secret-word")
        files = [each for each in root.rglob("*") if each.is_file()]
        assert any(b"a-very-secret-word" in each.read_bytes() for each in files)
        gone = Changes(removed=("a-very-secret-word",), journal=entry(Verb.REPAIR))
        store.commit(writes(gone, verb=Verb.REPAIR))
        for each in root.rglob("*"):
            assert each.is_dir() or b"a-very-secret-word" not in each.read_bytes(), each
        assert store.scrub([b"a-very-secret-word"]).residue == 0
