"""What the page about PostgreSQL says of Citus and read replicas, as far as one machine shows it.

Citus asks that every primary key and unique constraint of a distributed table holds the column by
which it is distributed, and that a reference between two such tables goes along it. A table that is
copied to every node is free of both.
"""

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import ForeignKeyConstraint, PrimaryKeyConstraint, Table, UniqueConstraint

from lapse import Lapse
from lapse.bank import Bank
from lapse.errors import StoreError
from lapse.stores.postgres import shape
from tests.postgres_server import with_owner
from tests.unit.stores.postgres.restarting import OwnServer, own

__all__ = ["own"]

PAGE = Path(__file__).parents[4] / "docs" / "how-to" / "use-postgresql.md"
COPIED = {"bank"}
"""What every node has a copy of."""


def keys(table: Table) -> Iterator[list[str]]:
    """Give the columns of each primary key and unique constraint or index."""
    for each in table.constraints:
        if isinstance(each, PrimaryKeyConstraint | UniqueConstraint) and len(each.columns):
            yield [column.name for column in each.columns]
    yield from ([column.name for column in each.columns] for each in table.indexes if each.unique)


def crosses(table: Table) -> bool:
    """Whether a reference of it to a distributed table does not go along the bank."""
    found = [each for each in table.constraints if isinstance(each, ForeignKeyConstraint)]
    return any(
        each.elements[0].target_fullname.split(".")[0] not in COPIED
        and not ("bank" in each.column_keys and "bank" in each.elements[0].target_fullname)
        for each in found
    )


def to_widen() -> set[str]:
    """Tables that Citus would refuse to distribute by bank as they are."""
    return {
        each.name
        for each in shape.tables()
        if each.name not in COPIED
        and ("bank" not in each.c or crosses(each) or any("bank" not in key for key in keys(each)))
    }


def test_every_row_says_whose_it_is_and_all_but_the_copied_can_be_laid_apart_by_bank() -> None:
    found = shape.tables()
    assert [each.name for each in found if "tenant" not in each.c] == []
    assert len(found) - len(to_widen()) - len(COPIED) >= 17


def test_the_page_names_exactly_the_tables_whose_keys_citus_would_have_widened() -> None:
    (line,) = [each for each in PAGE.read_text().split("\n\n") if each.startswith("For Citus")]
    told = line.partition("widened first:")[2].partition(".")[0]
    assert set(told.replace("`", "").replace(",", " ").replace("and", " ").split()) == to_widen()


def test_a_standby_answers_and_refuses_every_write_by_naming_the_primary(
    own: OwnServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    with closing(Lapse.open(own.url, background=False)) as mind:
        mind.bank("one").remember("the harbour has a crane", id="m1")
    standby = own.copied()
    try:
        with closing(Lapse.open(standby.url, background=False)) as mind:
            bank = mind.bank("one")
            assert [each.memory.id for each in bank.recall("crane").hits] == ["m1"]
            assert bank.get("m1").memory.text == "the harbour has a crane"
            assert bank.verify_journal().sound
            for write in writes_of(bank):
                with pytest.raises(StoreError, match="connect to the primary"):
                    write()
    finally:
        standby.control("-m", "immediate", "stop")
    assert with_owner(own.url, ["SELECT count(*) FROM own.memory"]) == [(1,)]


def writes_of(bank: Bank) -> list[Callable[[], object]]:
    """Verbs that write."""
    return [
        lambda: bank.remember("something new"),
        lambda: bank.used(["m1"]),
        lambda: bank.update("m1", text="changed"),
        lambda: bank.suppress(ids=["m1"], by="me", reason="asked for"),
        lambda: bank.erase(ids=["m1"], by="me", reason="asked for"),
    ]
