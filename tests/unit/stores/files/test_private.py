"""A folder of memories is for its owner, like a SQLite file."""

import os
import stat
from contextlib import closing
from pathlib import Path

import pytest

from lapse.model.changeset import Changes
from lapse.stores.files.store import FileStore
from lapse.testing.fakes import memory, record, writes

pytestmark = pytest.mark.skipif(os.name != "posix", reason="modes are those of POSIX")


def _modes(root: Path) -> tuple[set[int], set[int]]:
    """Modes of the folders below a folder, and of the files."""
    below = list(root.rglob("*"))
    return (
        {stat.S_IMODE(each.stat().st_mode) for each in below if each.is_dir()},
        {stat.S_IMODE(each.stat().st_mode) for each in below if each.is_file()},
    )


def _written(root: Path) -> None:
    before = os.umask(0)
    try:
        with closing(FileStore.open(root)) as store:
            store.commit(writes(Changes(created=(record(memory("a")),))))
            store.backup(str(root.with_name("copy")))
    finally:
        os.umask(before)


def test_a_new_folder_and_all_in_it_are_for_their_owner_alone(tmp_path: Path) -> None:
    _written(tmp_path / "mine")
    assert _modes(tmp_path) == ({0o700}, {0o600})


def test_a_folder_that_was_there_keeps_its_mode_and_what_is_made_in_it_is_private(
    tmp_path: Path,
) -> None:
    root = tmp_path / "mine"
    root.mkdir()
    root.chmod(0o755)
    _written(root)
    assert stat.S_IMODE(root.stat().st_mode) == 0o755
    assert _modes(root) == ({0o700}, {0o600})
