"""Seeing to it that a file no longer holds what was removed from it.

What is deleted is overwritten with zeros as it is deleted (`secure_delete`), but copies remain in
the log of writes, and may remain in the slack of pages that were rearranged. So the log is emptied,
the bytes of every file are searched, and a file in which anything is found is written anew.

Decides when that is necessary. Refuses to know what the bytes mean.
"""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import suppress
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import Final

from lapse.model.scrubbing import Scrubbed
from lapse.stores.sql.connections import Connections

_SUFFIXES: Final = ("", "-wal", "-journal")


def scrub(connections: Connections, needles: Sequence[bytes]) -> Scrubbed:
    """See `lapse.ports.Store.scrub`."""
    wanted = tuple(dict.fromkeys(each for each in needles if each))
    emptied = _empty(connections)
    residue = _residue(connections.path, wanted)
    rebuilt = False
    if residue and emptied:
        rebuilt = _rebuilt(connections)
        emptied = _empty(connections)
        residue = _residue(connections.path, wanted)
    places = tuple(each.name for each in _files(connections.path))
    return Scrubbed(places=places, log_emptied=emptied, rebuilt=rebuilt, residue=residue)


def _empty(connections: Connections) -> bool:
    with connections.lent() as connection:
        (busy, *_), *_ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    return not busy


def _rebuilt(connections: Connections) -> bool:
    with connections.lent() as connection, suppress(sqlite3.OperationalError):
        connection.execute("VACUUM")
        return True
    return False


def _files(path: Path) -> Iterator[Path]:
    for suffix in _SUFFIXES:
        found = Path(f"{path}{suffix}")
        if found.exists():
            yield found


def _residue(path: Path, needles: Sequence[bytes]) -> int:
    """How many of the needles any of the files holds."""
    found: set[bytes] = set()
    for each in _files(path):
        found |= _found(each, set(needles) - found)
    return len(found)


def _found(path: Path, needles: set[bytes]) -> set[bytes]:
    if not needles or not path.stat().st_size:
        return set()
    with path.open("rb") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as kept:
        return {each for each in needles if kept.find(each) >= 0}
