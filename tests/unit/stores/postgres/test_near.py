"""A large bank's own index: what it finds, whose, and that nothing removed stays in it."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import closing

import pytest

from lapse.bank import Bank
from lapse.errors import StoreError
from lapse.faces.app import Lapse
from lapse.model.query import Flag, Recall
from lapse.stores.postgres.near_feeding import standing
from lapse.stores.postgres.store import PostgresStore
from lapse.testing.fakes import FakeClock
from tests.postgres_server import with_owner
from tests.unit.stores.postgres.conftest import SCHEMA
from tests.unit.stores.postgres.large import (
    COUNT,
    LIMIT,
    QUESTIONS,
    drop_indexes,
    filled,
    held,
    ids_of,
    made_large,
    opened,
    rows_of,
    shared,
    told,
)


@pytest.fixture
def url(url: str) -> Iterator[str]:
    yield url
    drop_indexes(url)


def shape_of(found: Recall) -> list[tuple[str, float, float, float | None, float | None]]:
    return [
        (
            each.memory.id,
            each.score,
            each.explanation.relevance,
            each.explanation.lexical,
            each.explanation.cosine,
        )
        for each in found.hits
    ]


def test_a_large_bank_answers_as_an_exact_search_does_and_says_that_it_was_not(url: str) -> None:
    with opened(url) as mind:
        bank = filled(mind)
        exact = [bank.recall(each) for each in QUESTIONS]
        made_large(mind, bank)
        near = [bank.recall(each) for each in QUESTIONS]
    assert shared(ids_of(near), ids_of(exact)) >= 0.97
    for one, other in zip(near, exact, strict=True):
        numbers = {each[0]: each[2:] for each in shape_of(other)}
        assert all(each[2:] == numbers.get(each[0], each[2:]) for each in shape_of(one))
    assert not any(each.approximate for each in exact)
    for each in near:
        assert each.approximate
        assert all(Flag.APPROXIMATE in hit.explanation.flags for hit in each.hits)


def test_filters_hold_in_a_large_bank_and_leave_as_much_as_in_an_exact_search(url: str) -> None:
    with opened(url) as mind:
        bank = filled(mind)
        bank.remember("Anna drank the tea nobody saw", id="seldom", metadata={"seldom": 1})
        mind.drain()
        exact = asked_within(bank)
        made_large(mind, bank)
        near = asked_within(bank)
    for found, wanted in zip(near, exact, strict=True):
        assert len(found) == len(wanted)
    assert shared(near, exact) >= 0.97


RARE = ("rare1", "rare2", "rare3")
"""Of hundreds that say nearly the same, the only ones that some filter leaves."""

FILTERS: Mapping[str, Callable[[Bank], Recall]] = {
    "subject": lambda bank: bank.recall("Anna drank tea", k=3, subject="Eve"),
    "metadata": lambda bank: bank.recall("Anna drank tea", k=3, metadata={"shelf": 7.0}),
    "tag": lambda bank: bank.recall("Anna drank tea", k=3, tags=["rare"]),
    "age": lambda bank: bank.recall("Anna drank tea", k=3, max_age_hours=100),
}


def crowded(mind: Lapse) -> Bank:
    """A bank in which the nearest to a question are all of another subject, and older."""
    bank = mind.bank("large")
    bank.set_policy({"recall.pool_minimum": 3, "recall.pool_factor": 1}, by="ann")
    bank.remember_many(
        {"text": f"Anna drank tea {at}", "created_at": "2026-01-01T09:00Z", "subject": "Anna"}
        for at in range(COUNT)
    )
    bank.remember_many(
        {
            "id": each,
            "text": f"Anna and Eve had drunk tea with Bert, part {at}",
            "subject": "Eve",
            "metadata": {"shelf": 7, "part": at},
            "tags": ["rare"],
        }
        for at, each in enumerate(RARE)
    )
    mind.drain()
    return bank


@pytest.mark.parametrize("relevance", ["text", "vector"])
def test_a_filter_that_leaves_few_of_many_leaves_all_of_those(url: str, relevance: str) -> None:
    with opened(url) as mind:
        bank = crowded(mind)
        bank.set_policy({"recall.relevance": relevance}, by="ann")
        exact = {name: ids_of([each(bank)]) for name, each in FILTERS.items()}
        made_large(mind, bank)
        near = {name: each(bank) for name, each in FILTERS.items()}
    assert all(each.approximate for each in near.values())
    assert {name: ids_of([each]) for name, each in near.items()} == exact
    assert [{*each[0]} for each in exact.values()] == [{*RARE}] * len(FILTERS)


ENDED: Mapping[str, Mapping[str, object]] = {
    "over": {"valid_from": "2025-01-01T00:00Z", "valid_to": "2025-02-01T00:00Z"},
    "coming": {"valid_from": "2027-01-01T00:00Z"},
    "expired": {"expires_at": "2026-06-02T09:00Z"},
    "archived": {},
    "suppressed": {},
    "retracted": {},
}


def test_however_many_have_ended_what_still_holds_is_found(url: str) -> None:
    clock = FakeClock("2026-06-01T09:00Z")
    with Lapse.open(url, clock=clock, background=False) as mind:
        bank = mind.bank("large")
        bank.set_policy(
            {"recall.pool_minimum": 3, "recall.pool_factor": 1, "recall.relevance": "text"},
            by="ann",
        )
        bank.remember_many(
            {"id": f"{how}{at}", "text": f"Anna drank tea {how} {at}", **rest}
            for how, rest in ENDED.items()
            for at in range(COUNT // 4)
        )
        bank.remember("Anna and Eve had drunk tea with Bert in the rain", id="holds")
        mind.drain()
        bank.archive([f"archived{at}" for at in range(COUNT // 4)], by="ann", reason="away")
        bank.suppress([f"suppressed{at}" for at in range(COUNT // 4)], by="ann", reason="away")
        bank.retract([f"retracted{at}" for at in range(COUNT // 4)], by="ann", reason="untrue")
        clock.advance(days=1)
        made_large(mind, bank)
        found = bank.recall("Anna drank tea", k=3)
    assert found.approximate
    assert [each.memory.id for each in found.hits] == ["holds"]


OLD_VALUES = 40
KEYS = ("anna/drink", "anna/breakfast", "anna/order")


@pytest.mark.parametrize("relevance", ["text", "vector"])
def test_however_many_old_values_a_few_keys_have_what_still_holds_is_found(
    url: str, relevance: str
) -> None:
    with opened(url) as mind:
        bank = mind.bank("large")
        bank.set_policy(
            {"recall.pool_minimum": 1, "recall.pool_factor": 1, "recall.relevance": relevance},
            by="ann",
        )
        bank.remember_many(
            {
                "id": f"{key}{at}",
                "text": "Anna drank tea" if at else "Bert wore a hat on that day",
                "key": key,
                "value": str(at),
                "valid_from": f"2026-05-{1 + at // 2:02d}T{12 * (at % 2):02d}:00Z" if at else None,
            }
            for key in KEYS
            for at in (*range(1, OLD_VALUES), 0)
        )
        bank.remember("Anna and Eve had drunk tea with Bert in the rain", id="holds")
        mind.drain()
        exact = [each.memory.id for each in bank.recall("Anna drank tea", k=1).hits]
        made_large(mind, bank)
        found = bank.recall("Anna drank tea", k=1)
    assert found.approximate
    assert [each.memory.id for each in found.hits] == exact == ["holds"]


def asked_within(bank: Bank) -> list[list[str]]:
    return [
        [each.memory.id for each in found.hits]
        for question in QUESTIONS
        for found in (
            bank.recall(question, session="s3"),
            bank.recall(question, tags=["even", "noted"]),
            bank.recall(question, kinds=["semantic"], tags=["odd"]),
            bank.recall(question, metadata={"seldom": 1}),
        )
    ]


def test_no_process_holds_a_large_bank_in_ram(url: str) -> None:
    with opened(url) as mind:
        bank = filled(mind)
        assert bank.recall("tea").hits
        assert held(bank) == COUNT
        made_large(mind, bank)
        bank.recall("tea")
        bank.why("tea", "m1")
        bank.remember("Eve boiled an egg", id="egg")
        bank.used(["egg"])
        mind.drain()
        bank.stats()
        assert held(bank) == 0
    with opened(url) as mind:
        assert mind.bank("large").recall("boiled egg").hits[0].memory.id == "egg"
        assert held(mind.bank("large")) == 0


def test_until_it_has_an_index_a_large_bank_is_searched_exactly(url: str) -> None:
    with opened(url) as mind:
        bank = filled(mind)
        bank.set_policy(LIMIT, by="ann")
        assert not bank.recall("tea").approximate
        mind.drain()
        assert bank.recall("tea").approximate


def test_what_another_process_decides_about_its_size_counts_from_the_next_question_on(
    url: str,
) -> None:
    with opened(url) as mind, opened(url) as other, opened(url) as beside:
        bank = filled(mind)
        made_large(mind, bank)
        asking, waiting = other.bank("large"), beside.bank("large")
        assert asking.recall("tea").approximate
        assert waiting.recall("tea").approximate
        bank.set_policy({"memory.ram_bank_limit": COUNT}, by="ann")
        assert not asking.recall("tea").approximate
        bank.set_policy({"memory.ram_bank_limit": COUNT - 1}, by="ann")
        assert waiting.recall("tea").approximate
        bank.erase(ids=["m1"], by="ann", reason="asked to")
        assert not waiting.recall("tea").approximate


def test_what_is_written_rewritten_put_away_and_brought_back_is_seen_at_once(url: str) -> None:
    with opened(url) as mind, opened(url) as other:
        bank, beside = filled(mind), other.bank("large")
        made_large(mind, bank)
        beside.remember("A zeppelin over Turin", id="new")
        assert bank.recall("zeppelin").hits[0].memory.id == "new"
        beside.update("new", text="A balloon over Turin")
        assert bank.recall("balloon").hits[0].memory.id == "new"
        zeppelins = [each.explanation.lexical for each in bank.recall("zeppelin").hits]
        assert not any(zeppelins)
        beside.archive(["new"], by="ann", reason="out of sight")
        assert "new" not in [each.memory.id for each in bank.recall("balloon").hits]
        beside.restore(["new"], by="ann", reason="wanted again")
        assert bank.recall("balloon").hits[0].memory.id == "new"


def test_an_older_claim_stays_out_though_the_newer_one_is_not_found(url: str) -> None:
    with opened(url) as mind:
        bank = filled(mind)
        made_large(mind, bank)
        bank.remember("Anna drinks rooibos", key="anna/drink", value="rooibos", id="old")
        bank.remember("It is water now", key="anna/drink", value="water", id="now")
        found = bank.recall("rooibos", k=3)
        assert "old" not in [each.memory.id for each in found.hits]
        assert str(bank.why("rooibos", "old").reason) == "superseded"


def test_what_is_erased_leaves_the_index_in_the_same_write(url: str) -> None:
    with opened(url) as mind:
        bank = filled(mind)
        made_large(mind, bank)
        before = rows_of(url, "near")
        bank.erase(ids=["m3"], by="ann", reason="asked to")
        assert rows_of(url, "near") == before - 1
        assert "m3" not in [each.memory.id for each in bank.recall(str(told(3)["text"])).hits]


VIEWS = f"SELECT viewname FROM pg_views WHERE schemaname = '{SCHEMA}' ORDER BY viewname"


def test_a_bank_of_another_tenant_is_never_found(url: str) -> None:
    with opened(url) as mind:
        mine, theirs = filled(mind), mind.bank("large", tenant="other")
        theirs.remember_many({**told(at), "id": f"o{at}"} for at in range(COUNT))
        mind.drain()
        made_large(mind, mine)
        made_large(mind, theirs)
        for question in QUESTIONS:
            assert {each.memory.id[0] for each in mine.recall(question).hits} == {"m"}
            assert {each.memory.id[0] for each in theirs.recall(question).hits} == {"o"}
    with closing(PostgresStore.open(url)) as store:
        parts = [f"{SCHEMA}.{name}" for (name,) in with_owner(url, [VIEWS])]
        assert len(parts) == 2
        for each in parts:
            past = each.removesuffix("_own")
            with pytest.raises(StoreError), store._connections.reading("other") as link:
                link.execute(f"SELECT count(*) FROM {past}")
        for tenant, of_parts in (("nobody", [0, 0]), ("other", [0, COUNT])):
            with store._connections.reading(tenant) as link:
                counts = [
                    link.execute(f"SELECT count(*) FROM {each}").fetchone()[0]
                    for each in ("near", "near_bank", *parts)
                ]
            assert counts == [sum(of_parts), len([*filter(None, of_parts)]), *of_parts]


def test_uses_leave_the_index_as_it_is(url: str) -> None:
    with opened(url) as mind:
        bank = filled(mind)
        made_large(mind, bank)
        places = f"SELECT row, ctid::text FROM {SCHEMA}.near ORDER BY row"
        before = with_owner(url, [places])
        bank.used(["m1", "m2"])
        mind.drain()
        bank.recall("tea")
        assert with_owner(url, [places]) == before


def test_after_a_move_to_other_vectors_the_index_is_made_anew(url: str) -> None:
    with opened(url) as mind:
        bank = filled(mind)
        made_large(mind, bank)
        bank.remember_many({**told(at), "id": f"n{at}"} for at in range(COUNT, 2 * COUNT))
        mind.drain()
        with (
            closing(PostgresStore.open(url)) as store,
            store._connections.reading("default") as link,
        ):
            found = standing(link, bank.ref)
        assert found is not None
        assert (found.seen, found.own_space) == (found.revision, found.space)
        assert found.memories == 2 * COUNT
        assert bank.recall("Who drank tea in Rome?").approximate
