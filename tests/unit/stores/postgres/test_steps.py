"""Forward from an older shape: every step in one transaction, or none of them.

Nothing was released, so the step is made up here, in a copy of the migrations that are shipped.
"""

import shutil
from contextlib import closing
from pathlib import Path

import pytest

from lapse.errors import StoreError
from lapse.stores.postgres import migrating, opening
from lapse.stores.postgres.store import PostgresStore
from lapse.testing.fakes import ALICE
from lapse.testing.store_contract_writes import remember
from tests.postgres_server import with_owner
from tests.unit.stores.postgres.conftest import SCHEMA

STEP = '''"""Count what was looked at."""
from alembic import op

revision, down_revision = "0002", "0001"


def upgrade() -> None:
    op.execute("ALTER TABLE memory ADD COLUMN looked_at bigint NOT NULL DEFAULT 7")
    {then}
'''
COLUMN = (
    "SELECT count(*) FROM information_schema.columns"
    f" WHERE table_schema = '{SCHEMA}' AND table_name = 'memory' AND column_name = 'looked_at'"
)


def to_another_shape(then: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    copied = folder / "migrations"
    shutil.copytree(migrating.MIGRATIONS, copied)
    (copied / "versions" / "p0002_step.py").write_text(STEP.format(then=then), encoding="utf-8")
    monkeypatch.setattr(migrating, "MIGRATIONS", copied)
    monkeypatch.setattr(opening, "REVISION", "0002")


def back(url: str) -> None:
    with_owner(
        url,
        [
            f"ALTER TABLE {SCHEMA}.memory DROP COLUMN IF EXISTS looked_at",
            f"UPDATE {SCHEMA}.alembic_version SET version_num = '0001'",
        ],
    )


def test_an_older_schema_is_brought_forward_with_all_it_holds(
    store: PostgresStore, url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    remember(store, "m1", "m2")
    before = store.get(ALICE, ["m1", "m2"])
    to_another_shape("pass", tmp_path, monkeypatch)
    try:
        with closing(PostgresStore.open(url)) as opened:
            assert opened.get(ALICE, ["m1", "m2"]) == before
            # The new column is on every part, and security by row goes on.
            with opened._connections.reading(ALICE.tenant) as link:
                assert link.execute("SELECT sum(looked_at) FROM memory").fetchone() == (14,)
            with opened._connections.reading("intruder") as link:
                assert link.execute("SELECT count(looked_at) FROM memory").fetchone() == (0,)
        version = f"SELECT version_num FROM {SCHEMA}.alembic_version"
        assert with_owner(url, [version]) == [("0002",)]
    finally:
        back(url)


def test_a_step_that_fails_leaves_the_schema_as_it_was(
    store: PostgresStore, url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    remember(store, "m1")
    to_another_shape('op.execute("SELECT 1 / 0")', tmp_path, monkeypatch)
    try:
        with pytest.raises(StoreError):
            PostgresStore.open(url)
        assert with_owner(url, [COLUMN]) == [(0,)]
        assert with_owner(url, [f"SELECT version_num FROM {SCHEMA}.alembic_version"]) == [("0001",)]
    finally:
        back(url)
    assert store.count(ALICE) == 1
