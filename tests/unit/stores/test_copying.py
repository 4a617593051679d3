"""How copies are read from a file: no question of theirs reads a whole table."""

from contextlib import closing
from pathlib import Path

import pytest

from lapse.stores.sql import copying
from lapse.stores.sql.connections import Connections
from lapse.stores.sql.sqlite import SqliteStore


@pytest.mark.parametrize(
    ("statement", "index"),
    [
        (copying.COPIED, "journal_copying (bank=?)"),
        (copying.COPIES, "memory_shared (shared_from=?)"),
    ],
)
def test_copies_are_looked_up_along_an_index(tmp_path: Path, statement: str, index: str) -> None:
    path = tmp_path / "bank.db"
    with closing(SqliteStore.open(path)):
        connection = Connections(path, 1.0).connect()
        marks = statement.count("?")
        plan = connection.execute(f"EXPLAIN QUERY PLAN {statement}", ("x",) * marks).fetchall()
        connection.close()
    told = [step for *_, step in plan]
    assert any(index in each for each in told), told
    assert not any(each.startswith("SCAN") for each in told), told
