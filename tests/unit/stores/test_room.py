"""A limit of file size is told as a lack of room by stores of files, and loses nothing."""

import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from lapse import Lapse
from lapse.bank import Bank
from lapse.errors import StoreFullError
from lapse.stores.room import room_beside

LARGE = "word " * 2000
PLACES = ("store.db", "store")
"""A file is SQLite's, a folder that of readable files."""


@contextmanager
def no_file_beyond(size: int) -> Iterator[None]:
    """No file of this process grows beyond so many bytes."""
    before, most = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, most))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (before, most))


def longest(folder: Path) -> int:
    """Bytes of the longest file."""
    return max(each.stat().st_size for each in folder.rglob("*") if each.is_file())


def fill(bank: Bank, kept: list[str]) -> None:
    """Tell long memories, and note which were taken."""
    for at in range(1_000):
        bank.remember(f"{LARGE} {at}", id=f"b{at}")
        kept.append(f"b{at}")


@pytest.mark.parametrize("place", PLACES)
def test_a_store_that_may_not_grow_is_full_keeps_what_it_took_and_goes_on_when_it_may(
    tmp_path: Path, place: str
) -> None:
    root = tmp_path / place
    where = str(root) if root.suffix else f"file://{root}"
    kept = ["a"]
    with Lapse.open(where, background=False) as lapse:
        bank = lapse.bank("notes")
        bank.remember("Ann drinks tea", id="a")
        with no_file_beyond(longest(tmp_path) + 5_000):
            with pytest.raises(StoreFullError, match="no room left"):
                fill(bank, kept)
            assert [each.id for each in bank.recall("Ann tea", k=1).hits] == ["a"]
        bank.remember(LARGE, id="c")
    with Lapse.open(where, background=False) as lapse:
        bank = lapse.bank("notes")
        there = lapse.parts.store.contents(bank.ref, [*kept, "c"])
        assert [each.id for each in there] == [*kept, "c"]
        assert list(bank.doctor()) == []


def test_room_is_sought_where_the_longest_file_ends(tmp_path: Path) -> None:
    short, long = tmp_path / "short", tmp_path / "long"
    short.write_bytes(b"a")
    long.write_bytes(bytes(20_000))
    with no_file_beyond(20_100):
        assert room_beside([short])
        assert not room_beside([short, long])
    assert room_beside([short, long])
    assert sorted(each.name for each in tmp_path.iterdir()) == ["long", "short"]


def test_where_no_file_is_none_is_full(tmp_path: Path) -> None:
    assert room_beside([tmp_path / "none"])
