"""From a location to an open file, and what is said when that cannot be."""

import os
import sqlite3
import stat
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine

from lapse.errors import CorruptStoreError, SchemaError, StoreBusyError, StoreError
from lapse.model.changeset import Changes
from lapse.stores.sql import schema
from lapse.stores.sql.migrating import configuration
from lapse.stores.sql.opening import parse_location
from lapse.stores.sql.sqlite import SqliteStore
from lapse.testing.fakes import ALICE, memory, record, writes


def fill(path: Path, count: int = 1) -> None:
    with closing(SqliteStore.open(path)) as store:
        created = tuple(record(memory(f"m{at}", "word " * 200)) for at in range(count))
        store.commit(writes(Changes(created=created)))


def run(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path)) as connection:
        for each in statements:
            connection.execute(each)
        connection.commit()


def shape(path: Path) -> set[tuple[str, ...]]:
    """Every table and index as SQLite understands it, whatever the spelling of its DDL."""
    found = set()
    with closing(sqlite3.connect(path)) as connection:
        names = connection.execute(
            "SELECT type, name FROM sqlite_master WHERE name NOT LIKE 'sqlite_stat%'"
        ).fetchall()
        for kind, name in names:
            pragmas = ("table_info", "foreign_key_list") if kind == "table" else ("index_xinfo",)
            for pragma in pragmas:
                for row in connection.execute(f"PRAGMA {pragma}('{name}')"):
                    found.add((kind, name, pragma, *map(str, row)))
        for (sql,) in connection.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL"):
            for trait in ("AUTOINCREMENT", "WITHOUT ROWID", "WHERE"):
                found.add((" ".join(sql.split()[:3]).replace('"', ""), trait, str(trait in sql)))
    return found


def test_a_location_is_a_path_with_or_without_a_prefix(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    fill(path)
    for location in (path, str(path), f"sqlite:///{path}"):
        with closing(SqliteStore.open(location)) as store:
            assert store.count(ALICE) == 1
    assert parse_location("sqlite:///relative.db") == Path("relative.db")


@pytest.mark.parametrize(
    "location", ["", "sqlite:///", ":memory:", "postgresql://host/db", "sqlite://x", "a\x00b"]
)
def test_a_location_that_names_no_file_is_refused(location: str) -> None:
    with pytest.raises(StoreError, match="names no file"):
        SqliteStore.open(location)


@pytest.mark.skipif(os.name != "posix", reason="modes are those of POSIX")
def test_a_new_file_and_its_companions_are_for_their_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    before = os.umask(0)
    try:
        with closing(SqliteStore.open(path)) as store:
            store.commit(writes(Changes(created=(record(memory("a")),))))
            store.backup(str(tmp_path / "copy.db"))
            modes = {each.name: stat.S_IMODE(each.stat().st_mode) for each in tmp_path.iterdir()}
    finally:
        os.umask(before)
    assert {"store.db", "store.db-wal", "store.db-shm", "copy.db"} <= set(modes)
    assert set(modes.values()) == {0o600}


def test_a_missing_folder_is_named_and_not_made(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="does not exist: make it first"):
        SqliteStore.open(tmp_path / "missing" / "store.db")
    assert not (tmp_path / "missing").exists()


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="is a folder"):
        SqliteStore.open(tmp_path)


def test_a_file_that_the_system_refuses_is_told_with_its_reason(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot be opened for writing: File name too long"):
        SqliteStore.open(tmp_path / ("x" * 300))


def test_something_else_than_a_database_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    text = b"these are my notes, not a database " * 100
    path.write_bytes(text)
    with pytest.raises(CorruptStoreError, match="not a SQLite file"):
        SqliteStore.open(path)
    assert path.read_bytes() == text


def test_another_programs_database_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    run(path, "CREATE TABLE memory (id TEXT)", "CREATE TABLE alembic_version (version_num TEXT)")
    before = path.read_bytes()
    with pytest.raises(SchemaError, match="another program's"):
        SqliteStore.open(path)
    assert path.read_bytes() == before


def test_half_a_file_is_told_to_be_damaged(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    fill(path, 50)
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(CorruptStoreError, match="damaged"):
        SqliteStore.open(path)


def test_a_damaged_page_is_told_when_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    fill(path, 50)
    whole = bytearray(path.read_bytes())
    whole[8192:-4096] = b"\xff" * (len(whole) - 4096 - 8192)
    path.write_bytes(whole)
    with pytest.raises(CorruptStoreError, match="damaged"):  # noqa: SIM117 - two kinds of context
        with closing(SqliteStore.open(path)) as store:
            store.changes(ALICE, 0)


def test_an_empty_file_becomes_a_store(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    path.touch()
    fill(path)
    with closing(SqliteStore.open(path)) as store:
        assert store.count(ALICE) == 1


def test_a_file_of_a_newer_lapse_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    fill(path)
    run(path, "UPDATE alembic_version SET version_num = '9999'")
    before = path.read_bytes()
    with pytest.raises(SchemaError, match="upgrade Lapse") as told:
        SqliteStore.open(path)
    assert told.value.fields["schema"] == "9999"
    assert path.read_bytes() == before


def test_a_file_without_a_version_is_told_to_be_damaged(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    fill(path)
    run(path, "DELETE FROM alembic_version")
    with pytest.raises(CorruptStoreError, match="which version wrote it"):
        SqliteStore.open(path)


def test_the_migrations_lead_to_the_shape_a_new_file_is_given(tmp_path: Path) -> None:
    made, migrated = tmp_path / "made.db", tmp_path / "migrated.db"
    SqliteStore.open(made).close()
    engine = create_engine(f"sqlite:///{migrated}")
    with engine.begin() as connection:
        config = configuration()
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
        context = MigrationContext.configure(connection)
        assert compare_metadata(context, schema.metadata) == []
        assert ScriptDirectory.from_config(config).get_current_head() == schema.REVISION
    engine.dispose()
    assert shape(migrated) == shape(made)


@pytest.fixture
def newer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Let Lapse be of a version whose next migrations have these bodies."""
    folder, ours = tmp_path / "migrations", Path(schema.__file__).parent / "migrations"
    (folder / "versions").mkdir(parents=True)
    for name in ("env.py", "script.py.mako", "versions/r0001_first_shape.py"):
        (folder / name).write_text((ours / name).read_text())
    monkeypatch.setattr("lapse.stores.sql.migrating.MIGRATIONS", folder)

    def add(*bodies: str) -> None:
        for at, body in enumerate(bodies, start=2):
            (folder / "versions" / f"r000{at}_next.py").write_text(
                "import sqlalchemy as sa\nfrom alembic import op\n"
                f"revision, down_revision = '000{at}', '000{at - 1}'\n"
                f"def upgrade():\n    {body}\n"
            )
        monkeypatch.setattr("lapse.stores.sql.opening.REVISION", f"000{len(bodies) + 1}")

    return add


MOOD = "op.add_column('bank', sa.Column('mood', sa.Text, server_default='calm'))"
DEGREE = "op.execute('UPDATE bank SET mood = 99')"


def test_an_older_file_is_migrated_with_all_it_holds(
    tmp_path: Path, newer: Callable[[str, str], None]
) -> None:
    path = tmp_path / "store.db"
    fill(path)
    newer(MOOD, DEGREE)
    with closing(SqliteStore.open(path)) as store:
        assert store.count(ALICE) == 1
        assert list(store.faults(ALICE)) == []
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT name, mood FROM bank").fetchall() == [("alice", "99")]
        assert connection.execute("SELECT version_num FROM alembic_version").fetchall() == [
            ("0003",)
        ]


def test_a_migration_that_fails_leaves_the_file_as_it_was(
    tmp_path: Path, newer: Callable[[str, str], None]
) -> None:
    path = tmp_path / "store.db"
    fill(path)
    before = shape(path)
    newer(MOOD, "raise RuntimeError('out of patience')")
    with pytest.raises(RuntimeError, match="out of patience"):
        SqliteStore.open(path)
    assert shape(path) == before
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT version_num FROM alembic_version").fetchall() == [
            ("0001",)
        ]


def test_a_new_file_that_another_process_holds_says_so(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(StoreBusyError, match="try again"):
            SqliteStore.open(path, busy_timeout_s=0.01)
        other.execute("ROLLBACK")
    fill(path)
    with closing(SqliteStore.open(path)) as store:
        assert store.count(ALICE) == 1
