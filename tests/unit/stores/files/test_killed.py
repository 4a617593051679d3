"""Whoever is killed while writing leaves all of a commit or nothing of it.

A commit is taken apart: the folder as it was before, the log of writes as it is after it, cut at
any byte, and any part of the other files already written.
"""

import shutil
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from lapse.errors import CorruptStoreError, StoreError
from lapse.model.changeset import Changes
from lapse.model.verbs import Verb
from lapse.stores.files.ahead import NAME
from lapse.stores.files.store import FileStore
from lapse.testing.fakes import ALICE, memory, record, use, writes
from lapse.testing.store_contract_snapshots import Snapshot, all_records, snapshot
from lapse.testing.store_contract_writes import remember, update

PARTS = 7


class Cut:
    """One commit of a folder: as it was before and as it is after, its writer still at work."""

    def __init__(self, place: Path) -> None:
        self.before, self.after = place / "before", place / "after"
        with closing(FileStore.open(place / "store")) as store:
            remember(store, "a", "b")
            self.old = snapshot(store, ALICE)
            shutil.copytree(place / "store", self.before)
            changes = Changes(
                created=(record(memory("c")),),
                revised=(update("a", "another text"),),
                enqueued=(use("b", "e1"),),
            )
            store.commit(writes(changes, verb=Verb.REMEMBER))
            self.new = snapshot(store, ALICE)
            shutil.copytree(place / "store", self.after)
        assert self.old != self.new

    def left(self, place: Path, log: bytes, files: list[Path]) -> Snapshot:
        """Open what is left when only these bytes of the log and these files were written."""
        shutil.copytree(self.before, place)
        (place / NAME).write_bytes(log)
        for each in files:
            target = place / each.relative_to(self.after)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(each, target)
        with closing(FileStore.open(place)) as store:
            assert list(store.faults(ALICE)) == []
            return snapshot(store, ALICE)


def test_a_log_cut_anywhere_leaves_all_or_nothing(tmp_path: Path) -> None:
    cut = Cut(tmp_path)
    whole, old = (cut.after / NAME).read_bytes(), (cut.before / NAME).stat().st_size
    for at in [*range(old, len(whole), (len(whole) - old) // 25), len(whole) - 1]:
        assert cut.left(tmp_path / f"at-{at}", whole[:at], []) == cut.old
    assert cut.left(tmp_path / "whole", whole, []) == cut.new


def test_files_written_in_part_are_made_up_for(tmp_path: Path) -> None:
    cut = Cut(tmp_path)
    whole = (cut.after / NAME).read_bytes()
    files = [each for each in sorted(cut.after.rglob("*.json*")) if each.name != NAME]
    for part in range(PARTS):
        written = [each for number, each in enumerate(files) if number % PARTS != part]
        assert cut.left(tmp_path / f"part-{part}", whole, written) == cut.new


def test_what_a_killed_writer_did_not_come_to_is_written_by_whoever_has_it_open(
    tmp_path: Path,
) -> None:
    cut = Cut(tmp_path)
    whole, old = (cut.after / NAME).read_bytes(), (cut.before / NAME).stat().st_size
    with closing(FileStore.open(cut.before)) as neighbour:
        with (cut.before / NAME).open("ab") as log:
            log.write(whole[old:])
        assert snapshot(neighbour, ALICE) == cut.new
    with closing(FileStore.open(cut.before)) as store:
        assert list(store.faults(ALICE)) == []
        assert snapshot(store, ALICE) == cut.new


def test_a_commit_changed_before_the_end_of_the_log_is_refused_and_nothing_is_cut_off(
    tmp_path: Path,
) -> None:
    root, copy = tmp_path / "store", tmp_path / "copy"
    with closing(FileStore.open(root)) as store:
        for each in "abc":
            remember(store, each)
        shutil.copytree(root, copy)
        as_it_was = snapshot(store, ALICE)
    written = (copy / NAME).read_bytes()
    first, second, *later = written.splitlines(keepends=True)
    (copy / NAME).write_bytes(b"".join([first, second.replace(b'"sum"', b'"Sum"'), *later]))
    files = {each: each.read_bytes() for each in copy.rglob("*.json*")}
    with pytest.raises(CorruptStoreError, match=r"commits\.jsonl was changed before its end"):
        FileStore.open(copy)
    assert {each: each.read_bytes() for each in copy.rglob("*.json*")} == files
    (copy / NAME).write_bytes(written)
    with closing(FileStore.open(copy)) as store:
        assert snapshot(store, ALICE) == as_it_was


def test_a_write_that_stands_in_the_log_took_place_though_the_log_cannot_be_begun_anew(
    tmp_path: Path,
) -> None:
    root = tmp_path / "store"
    in_the_way = root / f"{NAME}.new"
    with closing(FileStore.open(root)) as store:
        remember(store, "a", "b")
        in_the_way.mkdir()
        store.commit(writes(Changes(removed=("a",)), verb=Verb.REPAIR))
        assert [each.memory.id for each in all_records(store, ALICE)] == ["b"]
        remember(store, "c")
        with pytest.raises(StoreError, match="cannot be used"):
            store.scrub([b"text of a"])
        in_the_way.rmdir()
        remember(store, "d")
        assert len((root / NAME).read_bytes().splitlines()) == 1
        with closing(FileStore.open(root)) as another:
            assert snapshot(another, ALICE) == snapshot(store, ALICE)
        assert list(store.faults(ALICE)) == []


def test_another_store_goes_on_after_a_record_cut_off(tmp_path: Path) -> None:
    with closing(FileStore.open(tmp_path / "store")) as store:
        remember(store, "a")
        with (tmp_path / "store" / NAME).open("ab") as log:
            log.write(b'{"sequence": 2, "put"')
        remember(store, "b")
        with closing(FileStore.open(tmp_path / "store")) as other:
            assert snapshot(other, ALICE) == snapshot(store, ALICE)


WRITER = """
import sys
from lapse.stores.files.store import FileStore
from lapse.testing.store_contract_writes import remember

store = FileStore.open(sys.argv[1])
for at in range(10_000):
    remember(store, f"{sys.argv[2]}-{at}", f"{sys.argv[2]}+{at}")
    print(at, flush=True)
"""


@pytest.mark.parametrize("writers", [1, 3])
def test_what_was_acknowledged_survives_a_killed_process(tmp_path: Path, writers: int) -> None:
    root = tmp_path / "store"
    running = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, str(root), f"w{at}"], stdout=subprocess.PIPE, text=True
        )
        for at in range(writers)
    ]
    told: list[str] = []
    for number, each in enumerate(running):
        assert each.stdout is not None
        heard = (int(each.stdout.readline()) for _ in range(5 + number))
        told.extend(f"w{number}-{at}" for at in heard)
        each.kill()
    for each in running:
        assert each.stdout is not None
        each.wait()
        each.stdout.close()
    with closing(FileStore.open(root)) as store:
        kept = {each.memory.id for each in store.get(ALICE, told)}
        assert kept == set(told)
        assert store.count(ALICE) % 2 == 0
        assert list(store.faults(ALICE)) == []
