"""Own case of K25: a file of a newer Lapse or of another program is left exactly as it is."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from lapse import Lapse
from lapse.errors import CorruptStoreError, LapseError, SchemaError
from tests.reports.helping import everything
from tests.reports.helping_b import by_sql


def stored(path: Path) -> None:
    with Lapse.open(path, embedder=None, background=False) as mind:
        mind.bank("alice").remember("The harbour is quiet", id="m1")


def test_a_file_of_a_newer_version_is_refused_and_opens_again_with_that_version(
    tmp_path: Path,
) -> None:
    path = tmp_path / "notes.db"
    stored(path)
    with closing(sqlite3.connect(path)) as connection:
        (known,) = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    by_sql(path, "UPDATE alembic_version SET version_num = '9999'")
    before = path.read_bytes()

    with pytest.raises(SchemaError, match="newer"):
        Lapse.open(path, embedder=None)

    assert path.read_bytes() == before
    by_sql(path, "UPDATE alembic_version SET version_num = ?", known)
    with Lapse.open(path, embedder=None, background=False) as again:
        assert [each.memory.id for each in everything(again.bank("alice"))] == ["m1"]


def test_the_database_of_another_program_is_refused_and_kept(tmp_path: Path) -> None:
    path = tmp_path / "browser.db"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE memory (id TEXT, visits INTEGER)")
        connection.execute("INSERT INTO memory VALUES ('example.org', 3)")
    before = path.read_bytes()
    with pytest.raises(SchemaError):
        Lapse.open(path, embedder=None)
    assert path.read_bytes() == before


@pytest.mark.parametrize("content", [b"Dear diary,\n" * 100, b"PK\x03\x04", b"\x00" * 5000])
def test_a_file_that_is_no_database_is_refused_and_kept(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "diary.txt"
    path.write_bytes(content)
    with pytest.raises(LapseError) as caught:
        Lapse.open(path, embedder=None)
    assert isinstance(caught.value, CorruptStoreError | SchemaError)
    assert path.read_bytes() == content


def test_an_empty_file_becomes_a_store(tmp_path: Path) -> None:
    path = tmp_path / "empty.db"
    path.touch()
    stored(path)
    assert path.read_bytes().startswith(b"SQLite format 3")
