"""B155: an export opens read-only and then tries to write; importing twice doubles.

Design differs: a store is opened to be written, since an export is journalled and a receipt can
name it later. One that cannot be written says so when it is opened, and a copy of it is exported.
"""

import io
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from lapse import Lapse
from lapse.errors import LapseError, StoreError

NOBODY = 65_534


@contextmanager
def read_only(folder: Path) -> Iterator[None]:
    """A folder in which nobody may write, not even who may write everywhere."""
    above = [folder, *folder.parents][:-1]
    modes = {each: each.stat().st_mode for each in (*above, *folder.iterdir())}
    may_all = os.geteuid() == 0
    for each in above if may_all else [folder]:
        each.chmod(modes[each] | 0o555 if each != folder else 0o555)
    for each in folder.iterdir():
        each.chmod(0o444)
    try:
        if may_all:
            os.seteuid(NOBODY)
        yield
    finally:
        if may_all:
            os.seteuid(0)
        for each, mode in modes.items():
            if each.exists() and each.stat().st_mode != mode:
                each.chmod(mode)


def test_a_store_that_cannot_be_written_says_so_at_once(tmp_path: Path) -> None:
    path = tmp_path / "kept" / "lapse.db"
    path.parent.mkdir()
    with Lapse.open(path, background=False) as mind:
        mind.bank("alice").remember("Salt is kept dry", id="salt")
    held = path.read_bytes()
    with read_only(path.parent), pytest.raises(StoreError, match="cannot be opened for writing"):
        Lapse.open(path, background=False)
    assert path.read_bytes() == held
    assert [each.name for each in path.parent.iterdir()] == ["lapse.db"]
    copy = tmp_path / "copy.db"
    copy.write_bytes(held)
    with Lapse.open(copy, background=False) as mind:
        told = io.BytesIO()
        mind.bank("alice").export(told)
        assert b"Salt is kept dry" in told.getvalue()


def test_a_second_import_adds_nothing_and_a_cut_file_is_refused_whole() -> None:
    with Lapse.open("memory://", background=False) as mind:
        bank = mind.bank("alice")
        bank.remember_many({"text": f"Sack {at} holds salt", "id": f"s{at}"} for at in range(40))
        bundle = io.BytesIO()
        bank.export(bundle)
    whole = bundle.getvalue()
    with Lapse.open("memory://", background=False) as mind:
        bank = mind.bank("alice")
        with pytest.raises(LapseError):
            bank.import_(io.BytesIO(whole[: len(whole) // 2]))
        assert mind.banks() == []
        assert bank.import_(io.BytesIO(whole)).created == 40
        again = bank.import_(io.BytesIO(whole))
        assert (again.created, again.unchanged) == (0, 40)
        assert bank.stats().memories == 40
