"""Superseding, retracting, and both undone: on every store, field by field."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from lapse import Lapse
from lapse.bank import Bank
from lapse.embed.hashing import HashingEmbedder
from lapse.errors import ConflictError, NotFoundError, ValidationError
from lapse.model.finding import ChangeKind, Finding
from lapse.model.instants import DAY, Instant, parse_instant
from lapse.model.outcome import Action
from lapse.model.query import AsOf
from lapse.model.record import Record
from lapse.testing.fakes import START, FakeClock, SequentialIds


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock(START)


@pytest.fixture(params=["memory", "sqlite"])
def bank(request: pytest.FixtureRequest, tmp_path: Path, clock: FakeClock) -> Iterator[Bank]:
    target = "memory://" if request.param == "memory" else str(tmp_path / "lapse.db")
    with Lapse.open(
        target,
        clock=clock,
        new_id=SequentialIds(),
        embedder=HashingEmbedder(256),
        background=False,
    ) as app:
        yield app.bank("ann")


def _all(bank: Bank) -> dict[str, Record]:
    return {each.memory.id: each for each in bank.list().records}


def _texts(bank: Bank, query: str = "Ann lives drinks tea", as_of: AsOf | None = None) -> set[str]:
    return {each.text for each in bank.recall(query, k=20, as_of=as_of).hits}


def test_what_is_superseded_ends_where_the_new_begins_and_keeps_its_strength(
    bank: Bank, clock: FakeClock
) -> None:
    old = bank.remember("Ann lives in Berlin")
    before = bank.get(old.id)
    now = clock.advance(days=3)

    new = bank.supersede(old=old.id, new="Ann lives in Rome")

    after = bank.get(old.id)
    assert (new.action, new.superseded) == (Action.CREATED, (old.id,))
    assert after.state == before.state
    assert (after.memory.valid_to, after.memory.superseded_by) == (now, new.id)
    assert not after.memory.is_latest
    assert (new.memory.valid_from, new.memory.supersedes) == (now, old.id)
    assert _texts(bank) == {"Ann lives in Rome"}
    assert _texts(bank, as_of=AsOf(valid=Instant(now - 1))) == {"Ann lives in Berlin"}
    assert _texts(bank, as_of=AsOf(valid=now)) == {"Ann lives in Rome"}
    assert _texts(bank, as_of=AsOf(recorded=Instant(now - 1))) == {"Ann lives in Berlin"}
    assert list(bank.doctor()) == []


@pytest.mark.parametrize("named", ["old", "key", "query"])
def test_a_supersession_is_undone_exactly_and_its_history_stays(
    bank: Bank, clock: FakeClock, named: str
) -> None:
    key = "ann/home" if named == "key" else None
    old = bank.remember("Ann lives in Berlin", key=key)
    bank.remember("Ben likes jazz")
    before, hits = _all(bank), _texts(bank)
    changed = clock.advance(days=1)
    target = {"old": old.id, "key": "ann/home", "query": "where Ann lives"}[named]
    new = bank.supersede(new="Ann lives in Rome", **{named: target})  # type: ignore[arg-type]  # by name
    assert new.superseded == (old.id,)
    undone = clock.advance(days=1)

    bank.unsupersede(old.id)

    assert {name: each for name, each in _all(bank).items() if name != new.id} == before
    assert _texts(bank) == hits
    gone = bank.get(new.id).memory
    assert gone.recorded_to == undone
    between = AsOf(recorded=Instant(undone - 1))
    assert "Ann lives in Rome" in _texts(bank, as_of=between)
    assert "Ann lives in Berlin" not in _texts(bank, as_of=between)
    assert "Ann lives in Berlin" in _texts(bank, as_of=AsOf(recorded=Instant(changed - DAY // 2)))
    with pytest.raises(ConflictError):
        bank.unsupersede(old.id)


def test_a_compound_memory_loses_only_the_clause_that_changed(bank: Bank, clock: FakeClock) -> None:
    old = bank.remember("Ann lives in Berlin and works at Acme as an engineer", importance=0.8)
    before = _all(bank)
    clock.advance(days=2)

    new = bank.supersede(query="where Ann lives", new="Ann moved to Rome")

    (rest,) = (each for name, each in _all(bank).items() if name not in (old.id, new.id))
    assert rest.memory.text.rstrip(".") == "Ann works at Acme as an engineer"
    assert rest.memory.derived_from == (old.id,)
    assert rest.memory.created_at == before[old.id].memory.created_at
    assert rest.state.strength == before[old.id].state.strength
    assert rest.state.importance == 0.8
    assert bank.get(old.id).memory.superseded_by == new.id

    bank.unsupersede(old.id)
    assert bank.get(old.id) == before[old.id]
    assert bank.get(rest.memory.id).memory.recorded_to is not None


def test_what_is_older_than_what_it_names_takes_its_place_in_the_past(
    bank: Bank, clock: FakeClock
) -> None:
    now = bank.remember("Ann lives in Rome", valid_from=START)
    clock.advance(days=1)

    then = bank.supersede(old=now.id, new="Ann lives in Berlin", valid_from=START - 90 * DAY)

    assert then.superseded == ()
    assert then.memory.valid_to == START
    assert then.memory.superseded_by == now.id
    assert bank.get(now.id).memory.is_latest
    assert _texts(bank) == {"Ann lives in Rome"}
    assert _texts(bank, as_of=AsOf(valid=Instant(START - DAY))) == {"Ann lives in Berlin"}


def test_of_equal_instants_the_later_recorded_wins(bank: Bank, clock: FakeClock) -> None:
    first = bank.remember("Ann lives in Rome", valid_from=START)
    clock.advance(days=1)

    second = bank.supersede(old=first.id, new="Ann lives in Oslo", valid_from=START)

    assert second.superseded == (first.id,)
    assert _texts(bank) == {"Ann lives in Oslo"}


def test_nothing_takes_its_own_place_or_that_of_its_successor(bank: Bank, clock: FakeClock) -> None:
    old = bank.remember("Ann lives in Berlin")
    clock.advance(days=1)
    new = bank.supersede(old=old.id, new="Ann lives in Rome")
    clock.advance(days=1)
    before = _all(bank)

    for target, text in ((old.id, "Ann lives in Rome"), (new.id, "Ann lives in Rome")):
        with pytest.raises(ConflictError):
            bank.supersede(old=target, new=text)
    with pytest.raises(ConflictError):
        bank.supersede(old=old.id, new="Ann lives in Oslo")
    assert _all(bank) == before


def test_what_came_back_is_told_anew_and_closes_what_had_replaced_it(
    bank: Bank, clock: FakeClock
) -> None:
    texts = ["Ann lives in Berlin", "Ann lives in Rome", "Ann lives in Berlin"]
    last = bank.remember(texts[0]).id
    for text in texts[1:]:
        clock.advance(days=1)
        last = bank.supersede(old=last, new=text).id

    assert len(_all(bank)) == 3
    assert bank.get(last).memory.is_latest
    assert _texts(bank) == {"Ann lives in Berlin"}


def test_several_are_replaced_by_one_and_come_back_one_by_one(bank: Bank, clock: FakeClock) -> None:
    one, two = bank.remember("Ann has a cat"), bank.remember("Ann has a dog")
    before = _all(bank)
    clock.advance(days=1)
    new = bank.supersede(old=[one.id, two.id], new="Ann has no pets")
    assert set(new.superseded) == {one.id, two.id}

    bank.unsupersede(one.id)
    assert bank.get(one.id) == before[one.id]
    assert bank.get(new.id).memory.recorded_to is None
    bank.unsupersede(two.id)
    assert bank.get(two.id) == before[two.id]
    assert bank.get(new.id).memory.recorded_to is not None


def test_a_value_that_stands_beside_others_is_named_by_its_id(bank: Bank, clock: FakeClock) -> None:
    tea = bank.remember("tea", key="ann/likes", multi=True)
    jazz = bank.remember("jazz", key="ann/likes", multi=True)
    clock.advance(days=1)
    with pytest.raises(ConflictError):
        bank.supersede(key="ann/likes", new="coffee")

    coffee = bank.supersede(old=tea.id, new="coffee")

    assert coffee.superseded == (tea.id,)
    assert bank.get(jazz.id).memory.is_latest
    assert not bank.get(tea.id).memory.is_latest


def test_a_retraction_lets_what_it_had_replaced_hold_again(bank: Bank, clock: FakeClock) -> None:
    old = bank.remember("Ann lives in Berlin")
    clock.advance(days=1)
    new = bank.supersede(old=old.id, new="Ann lives in Rome")
    before = _all(bank)
    retracted = clock.advance(days=1)

    bank.retract(new.id, reason="a mistake")

    assert bank.get(new.id).memory.recorded_to == retracted
    assert bank.get(old.id).memory.is_latest
    assert _texts(bank) == {"Ann lives in Berlin"}
    clock.advance(days=1)
    bank.unretract(new.id)
    assert _all(bank) == before
    assert _texts(bank, as_of=AsOf(recorded=retracted)) == {"Ann lives in Berlin"}


def test_retracting_twice_changes_nothing_more(bank: Bank, clock: FakeClock) -> None:
    memory = bank.remember("Ann lives in Berlin")
    first = bank.retract([memory.id], reason="wrong")
    clock.advance(days=1)
    before = bank.get(memory.id)

    second = bank.retract(memory.id, reason="still wrong")

    assert [first[0].action, second[0].action] == [Action.UPDATED, Action.UNCHANGED]
    assert bank.get(memory.id) == before
    assert bank.unretract(memory.id)[0].action is Action.UPDATED
    assert bank.unretract(memory.id)[0].action is Action.UNCHANGED


def test_what_was_made_from_a_memory_alone_goes_and_comes_back_with_it(
    bank: Bank, clock: FakeClock
) -> None:
    home, job = bank.remember("Ann lives in Berlin"), bank.remember("Ann works at Acme")
    alone = bank.remember("Ann is a Berliner", derived_from=[home.id])
    both = bank.remember("Ann commutes in Berlin to Acme", derived_from=[home.id, job.id])
    before = _all(bank)
    clock.advance(days=1)

    new = bank.supersede(old=home.id, new="Ann lives in Rome")

    assert not bank.get(alone.id).memory.is_latest
    assert bank.get(both.id).memory.is_latest
    (doubt,) = bank.conflicts()
    assert (doubt.memory_id, doubt.other_ids) == (new.id, (both.id,))
    bank.unsupersede(home.id)
    assert {name: each for name, each in _all(bank).items() if name != new.id} == before

    bank.retract(home.id, reason="never")
    assert bank.get(alone.id).memory.recorded_to is not None
    assert bank.get(both.id).memory.recorded_to is None
    bank.unretract(home.id)
    assert {name: each for name, each in _all(bank).items() if name != new.id} == before


@pytest.mark.parametrize(
    ("query", "new"),
    [("where Ann lives", "Ann lives in Rome"), ("zebra quantum", "x"), ("zebra quantum", "I sing")],
)
def test_a_query_that_names_nothing_leaves_all_else_and_says_so(
    bank: Bank, clock: FakeClock, query: str, new: str
) -> None:
    bank.remember("The library closes at nine")
    bank.remember("I no longer like olives")
    before = _all(bank)
    clock.advance(days=1)

    told = bank.supersede(query=query, new=new)

    assert told.superseded == ()
    assert "nothing was found" in told.note
    assert {name: each for name, each in _all(bank).items() if name != told.id} == before
    with pytest.raises(NotFoundError):
        bank.retract(query="the colour of the moon's third door", reason="none")


@pytest.mark.parametrize(
    "named", [{}, {"old": "a", "key": "b"}, {"key": "k", "query": "q"}, {"query": "  "}, {"old": 5}]
)
def test_a_correction_names_what_it_is_of_in_one_way(bank: Bank, named: dict[str, str]) -> None:
    with pytest.raises(ValidationError):
        bank.supersede(new="Ann lives in Rome", **named)  # type: ignore[arg-type]  # wrong on purpose


def test_what_does_not_exist_cannot_be_corrected(bank: Bank) -> None:
    with pytest.raises(NotFoundError):
        bank.supersede(old="nobody", new="Ann lives in Rome")
    with pytest.raises(NotFoundError):
        bank.supersede(key="no/claim", new="Ann lives in Rome")
    for act in (bank.unsupersede, bank.unretract):
        with pytest.raises(NotFoundError):
            act("nobody")
    assert _all(bank) == {}


def test_what_says_since_when_it_holds_held_from_then_on(bank: Bank) -> None:
    old = bank.remember("Ann lives in Berlin").id
    new = bank.supersede(old=old, new="Ann has lived in Rome since 2022").id
    moved = parse_instant("2022-01-01", "since")
    assert bank.get(old).memory.valid_to == moved
    assert bank.get(new).memory.valid_from == moved
    before = bank.get(old).memory
    bank.unsupersede(old)
    assert bank.get(old).memory.valid_to is None
    bank.supersede(old=old, new="Ann lives in Oslo as of 2099")
    assert bank.get(old).memory.valid_to == bank.get(old).memory.recorded_from
    assert before.superseded_by == new


def test_a_start_before_the_old_one_began_gives_it_no_end_before_its_beginning(bank: Bank) -> None:
    old = bank.remember("Ann lives in Berlin", valid_from="2024-01-01").id
    bank.supersede(old=old, new="Ann has lived in Rome since 2022")
    told = bank.get(old).memory
    assert told.valid_from is not None
    assert told.valid_to is not None
    assert told.valid_from < told.valid_to


def test_a_correction_by_id_leaves_the_clauses_it_does_not_bear_on(bank: Bank) -> None:
    old = bank.remember("I have two dogs and I live near the park.").id
    bank.supersede(old=old, new="I moved near the lake.")
    assert "I have two dogs." in [each.text for each in bank.recall("two dogs").hits]


@pytest.mark.parametrize(
    ("confidence", "replaced", "listed"), [(0.45, 1, 0), (0.35, 0, 1), (0.25, 0, 0)]
)
def test_a_query_that_names_nothing_surely_lists_what_it_may_mean(
    confidence: float, replaced: int, listed: int
) -> None:
    change = Finding(ids=("old",), kind=ChangeKind.REPLACEMENT, confidence=confidence)
    with Lapse.open("memory://", background=False, finder=lambda *_: [change]) as app:
        bank = app.bank("ann")
        bank.remember("User earns a living as a pastry chef.", id="old")
        told = bank.supersede(query="user occupation", new="User teaches French.")
        assert len(told.superseded) == replaced
        assert [(each.memory_id, each.other_ids) for each in bank.conflicts()] == [
            (told.id, ("old",))
        ] * listed
