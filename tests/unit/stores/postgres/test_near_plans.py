"""How a large bank's search is planned: by its indexes, and never along a whole bank."""

import re
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace

import numpy as np
import pytest

from lapse.errors import StoreError
from lapse.model.memory import BankRef
from lapse.model.near import Wanted
from lapse.stores.postgres.location import NearOptions
from lapse.stores.postgres.near_asking import Tools
from lapse.stores.postgres.near_feeding import STANDING, Standing, standing
from lapse.stores.postgres.near_finding import TERMS, search, settings
from lapse.stores.postgres.near_shape import found_name, part_name
from lapse.stores.postgres.store import PostgresStore
from tests.postgres_server import with_owner
from tests.unit.stores.postgres.large import COUNT, drop_indexes, filled, made_large, opened

BANK = BankRef(tenant="default", name="large")
TOOLS = Tools(options=NearOptions(), vectors="public")


@pytest.fixture
def url(url: str) -> Iterator[str]:
    yield url
    drop_indexes(url)


@pytest.fixture
def large(url: str) -> Iterator[PostgresStore]:
    """A store with two large banks."""
    with opened(url) as mind:
        made_large(mind, filled(mind))
        made_large(mind, filled(mind, "beside"))
    with closing(PostgresStore.open(url)) as store:
        yield store


def index_of(store: PostgresStore) -> Standing:
    with store._connections.reading(BANK.tenant) as link:
        found = standing(link, BANK)
    assert found is not None
    return found


def steps_of(store: PostgresStore, statement: str, values: tuple[object, ...]) -> list[str]:
    """The plan of a statement, as it is asked: in the bound role, with what a search sets."""
    asked = [settings(wanted(index_of(store)), TOOLS), (f"EXPLAIN {statement}", values)]
    _, steps = store._connections.asked(BANK.tenant, asked)
    return [str(step) for (step,) in steps]


def wanted(found: Standing) -> Wanted:
    size = found.own_dimension or 0
    return Wanted(
        terms=("tea", "rome"),
        vector=np.full(size, size**-0.5, np.float32),
        space=found.space,
        k1=1.2,
        b=0.75,
        count=20,
        ids=("m1",),
    )


def test_one_statement_searches_the_part_of_its_bank_alone_and_by_its_indexes(
    large: PostgresStore,
) -> None:
    found = index_of(large)
    steps = steps_of(large, *search(wanted(found), {1: 5, 2: 9}, found, TOOLS))
    part = part_name(found.bank)
    assert {each for step in steps for each in re.findall(r"near_b\d+", step)} == {part}
    assert any(re.search(rf"Bitmap Index Scan on {part}_\w*terms", each) for each in steps), steps
    assert any(re.search(rf"Index Scan using {part}_\w*vector", each) for each in steps), steps
    # What was found is looked up by its numbers, one part of each table.
    for table in ("memory", "vector", "retention"):
        scans = [each for each in steps if re.search(rf" on {table}_p\d+", each)]
        assert scans, steps
        assert all("Index" in each for each in scans), steps
        assert len(set(re.findall(rf"{table}_p(\d+)\b", "".join(scans)))) == 1, steps
    # To look at every vector is kept for where the graph gives up.
    whole = [at for at, each in enumerate(steps) if "Seq Scan" in each]
    assert all("One-Time Filter" in steps[at - 1] for at in whole), steps


@pytest.mark.parametrize("statements", [[], ["ANALYZE"]], ids=["as it is", "counted"])
def test_what_was_found_is_looked_up_whatever_the_server_thinks_there_is(
    large: PostgresStore, url: str, statements: list[str]
) -> None:
    with_owner(url, statements)
    found = index_of(large)
    looked = "\n".join(steps_of(large, *search(wanted(found), {1: 5, 2: 9}, found, TOOLS)))
    by_number = r"\(\"row\" >= \w+\.\"row\"\)"
    assert len(re.findall(rf"Index Cond: .*{by_number}", looked)) == 2, looked
    assert not re.search(rf"Filter: .*{by_number}", looked), looked
    assert "Merge Join" not in looked, looked
    assert "Hash Join" not in looked, looked


@pytest.mark.parametrize(
    ("statement", "values"),
    [(STANDING, (BANK.tenant, BANK.name)), (TERMS, (1, ["tea", "rome"]))],
    ids=["STANDING", "TERMS"],
)
def test_what_is_read_beforehand_is_looked_up(
    large: PostgresStore, statement: str, values: tuple[object, ...]
) -> None:
    steps = steps_of(large, statement, values)
    assert any("Index" in each for each in steps), steps
    assert not [each for each in steps if "Seq Scan" in each and "near_bank" not in each], steps


def test_a_policy_would_keep_lexemes_from_being_answered_by_their_index(
    large: PostgresStore,
) -> None:
    found = index_of(large)
    condition = "WHERE terms @@ '1'::tsquery"
    through = {
        name: "".join(steps_of(large, f"SELECT row FROM {name} {condition}", ()))
        for name in ("near", found_name(found.bank))
    }
    assert "_terms_idx" in through[found_name(found.bank)]
    assert "_terms_idx" not in through["near"]


def test_a_search_leaves_no_setting_behind(large: PostgresStore) -> None:
    found = index_of(large)
    asked = wanted(found)
    near = large.near(BANK, asked)
    assert near is not None
    assert near.memory_count == COUNT
    with large._connections.alone() as session:
        kept = session.execute(
            "SELECT current_setting('enable_seqscan'), current_setting('hnsw.ef_search', true)"
        ).fetchone()
    assert kept is not None
    assert kept[0] == "on"
    assert kept[1] in ("40", "", None)


def test_an_index_that_was_made_anew_since_it_was_looked_at_is_looked_at_again(
    large: PostgresStore,
) -> None:
    asked, near = wanted(index_of(large)), large._near
    read = near._read(BANK, asked)
    assert read is not None
    assert near._asked(BANK, asked, read, TOOLS) is not None
    size = (read.standing.own_dimension or 0) + 1
    longer = replace(asked, vector=np.full(size, size**-0.5, np.float32))
    for stale, question in (
        (replace(read.standing, own_space=99), asked),
        # PostgreSQL refuses to compare these with what lies there.
        (replace(read.standing, own_dimension=size), longer),
    ):
        assert near._asked(BANK, question, replace(read, standing=stale), TOOLS) is None


def test_a_search_that_fails_for_another_reason_is_told(large: PostgresStore) -> None:
    asked, near = wanted(index_of(large)), large._near
    read = near._read(BANK, asked)
    assert read is not None
    with pytest.raises(StoreError):
        near._asked(BANK, asked, read, replace(TOOLS, vectors="nowhere"))
