"""Whatever the store says in a whole life of a bank is in vain when another tenant says it.

A life is told with every statement recorded. Each is said again, with the same values, in a
transaction of a tenant to whom nothing belongs; and, so that the test proves something, by the
tenant whose life it was.
"""

from collections.abc import Iterable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any  # a row of a driver holds columns of many types

import psycopg
import pytest

from lapse.stores.postgres import shape
from lapse.stores.postgres.connections import Connections, Transaction
from lapse.stores.postgres.dialect import in_postgres
from lapse.stores.postgres.link import Link
from lapse.stores.postgres.location import parse_location
from lapse.stores.sql.driver import Cursor
from lapse.testing.fakes import FakeClock
from tests.journeys.one_story import SETTINGS, tell_story
from tests.reports.helping import T0, Place
from tests.unit.engine.opening import WordEmbedder

OWNER, INTRUDER = "default", "intruder"
READS = ("SELECT", "WITH")
WRITES = ("UPDATE", "DELETE", "INSERT")
LEAST = 60
"""Different statements of a life, at least: fewer would mean that they are not recorded."""

Said = dict[str, Sequence[Any]]


@pytest.fixture
def said(url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Said:
    """Tell a life; give each different statement with the values it was said with last."""
    recorded: Said = {}
    execute, executemany = Link.execute, Link.executemany

    def one(self: Link, statement: str, parameters: Sequence[Any] = (), /) -> Cursor:
        recorded[statement] = tuple(parameters)
        return execute(self, statement, parameters)

    def many(self: Link, statement: str, parameters: Iterable[Sequence[Any]], /) -> Cursor:
        rows = list(parameters)
        if rows:
            recorded[statement] = tuple(rows[0])
        return executemany(self, statement, rows)

    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr(Link, "execute", one)
    monkeypatch.setattr(Link, "executemany", many)
    clock = FakeClock(T0)
    place = Place(target=url, clock=clock)
    with place.opened:
        tell_story(place.open(SETTINGS, embedder=WordEmbedder()), clock)
    monkeypatch.undo()
    asked = {each: values for each, values in recorded.items() if each.startswith(READS + WRITES)}
    assert len(asked) >= LEAST
    return asked


def replayed(
    link: Transaction, statement: str, values: Sequence[Any], keep: str = "ROLLBACK TO"
) -> list[tuple[Any, ...]]:
    """What a statement gives in this transaction: rows, or one for each row that it wrote."""
    session = link._session
    session.execute(b"SAVEPOINT before")
    try:
        cursor = link.execute(statement, values)
        if cursor.rowcount < 0:
            return []
        if in_postgres(statement)[0].lstrip().startswith(READS) or "RETURNING" in statement:
            return list(cursor.fetchall())
        return [()] * cursor.rowcount
    except psycopg.Error:
        keep = "ROLLBACK TO"
        return []  # refused: nothing was given
    finally:
        session.execute(f"{keep} SAVEPOINT before".encode())


def of_no_table(statement: str) -> bool:
    """Whether it asks for settings, numbers and locks alone, which are nobody's."""
    names = {each.name for each in shape.tables()}
    words = set(in_postgres(statement)[0].replace(".", " ").replace("(", " ").split())
    return not names & words


def told_nothing(rows: Iterable[Sequence[Any]]) -> bool:
    """Whether all that was given are counts of nothing."""
    return all(not value for row in rows for value in row)


def contents(link: Transaction) -> dict[str, list[tuple[Any, ...]]]:
    """A digest of all rows of the owner in each table, whoever's transaction it is."""
    link.execute("SELECT set_config('lapse.tenant', ?, true)", (OWNER,))
    return {
        each.name: link.execute(
            f"SELECT count(*), md5(string_agg(t::text, '|' ORDER BY t::text)) FROM {each.name} AS t"
        ).fetchall()
        for each in shape.tables()
    }


def saying(said: Said, *words: str) -> Said:
    """Those statements that begin so in PostgreSQL's words and are about a table."""
    return {
        each: values
        for each, values in said.items()
        if in_postgres(each)[0].startswith(words) and not of_no_table(each)
    }


def test_no_statement_of_a_life_gives_another_tenant_anything_or_changes_it(
    url: str, said: Said
) -> None:
    reads, changing = saying(said, *READS), saying(said, "UPDATE", "DELETE")
    with closing(Connections(parse_location(url))) as connections:
        with connections.working(INTRUDER) as link:
            given = {each: replayed(link, each, values) for each, values in reads.items()}
            touched = [each for each, values in changing.items() if replayed(link, each, values)]
        with connections.working(OWNER) as link:
            before = contents(link)
            own = {each: replayed(link, each, values) for each, values in reads.items()}
            changed = [each for each, values in changing.items() if replayed(link, each, values)]
        with connections.working(INTRUDER) as link:
            for each, values in saying(said, "INSERT").items():
                replayed(link, each, values, keep="RELEASE")
            after = contents(link)
    assert [each for each, rows in given.items() if not told_nothing(rows)] == []
    assert touched == []
    assert after == before
    # The same statements, said by whose bank it is, find and change a good deal.
    assert sum(not told_nothing(rows) for rows in own.values()) >= LEAST // 3
    assert len(changed) >= 5
    assert before["memory"] != [(0, None)]
