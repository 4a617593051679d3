"""A bank as of an earlier time: content, truth and attention as they were."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from lapse import Lapse
from lapse.bank import Bank
from lapse.embed.hashing import HashingEmbedder
from lapse.errors import NotFoundError, ValidationError
from lapse.model.instants import DAY, Instant
from lapse.model.query import AsOf
from lapse.model.retention import Lifecycle
from lapse.testing.fakes import START, FakeClock


def _day(count: float) -> Instant:
    return Instant(START + round(count * DAY))


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock(START)


@pytest.fixture(params=["memory", "sqlite"])
def bank(request: pytest.FixtureRequest, tmp_path: Path, clock: FakeClock) -> Iterator[Bank]:
    target = "memory://" if request.param == "memory" else str(tmp_path / "lapse.db")
    embedder = HashingEmbedder(256)
    with Lapse.open(target, clock=clock, embedder=embedder, background=False) as app:
        yield app.bank("ann")


def test_content_is_as_it_was_before_it_was_rewritten(bank: Bank, clock: FakeClock) -> None:
    bank.remember("Ann lives in Berln", id="a")
    clock.set(_day(2))
    bank.update("a", text="Ann lives in Berlin")

    assert bank.as_of(recorded=_day(1)).get("a").memory.text == "Ann lives in Berln"
    assert bank.as_of(recorded=_day(2)).get("a").memory.text == "Ann lives in Berlin"
    with pytest.raises(NotFoundError):
        bank.as_of(recorded=_day(-1)).get("a")


@pytest.mark.parametrize("key", [None, "ann/home"])
def test_truth_is_as_it_was_believed(bank: Bank, clock: FakeClock, key: str | None) -> None:
    first = bank.remember("Ann lives in Berlin", id="a", key=key).memory
    clock.set(_day(2))
    bank.supersede(old="a", new="Ann lives in Rome", id="b")
    clock.set(_day(4))
    bank.unsupersede("a")
    clock.set(_day(6))
    bank.retract("a", reason="never")

    then = {day: bank.as_of(recorded=_day(day)).get("a") for day in (1, 3, 5, 7)}
    assert then[1].memory == then[5].memory == first
    assert (then[3].memory.superseded_by, then[3].memory.valid_to) == ("b", _day(2))
    assert [each.holds for each in then.values()] == [True, False, True, False]
    assert [each.qualifier[:9] for each in then.values()] == [
        "current",
        "until 202",
        "current",
        "retracted",
    ]
    assert bank.as_of(recorded=_day(3)).get("b").holds
    assert not bank.as_of(recorded=_day(5)).get("b").holds


def test_attention_is_as_it_stood(bank: Bank, clock: FakeClock) -> None:
    bank.remember("Ann lives in Berlin", id="a")
    clock.set(_day(2))
    bank.suppress(["a"], by="ann", reason="private")
    clock.set(_day(4))
    bank.restore(["a"], by="ann", reason="not private")
    clock.set(_day(6))

    stood = [bank.as_of(recorded=_day(day)).get("a").lifecycle for day in (1, 3, 5)]
    assert stood == [Lifecycle.ACTIVE, Lifecycle.SUPPRESSED, Lifecycle.ACTIVE]
    told = [bank.as_of(recorded=_day(day)).recall("where Ann lives").hits for day in (1, 3, 5)]
    assert [len(each) for each in told] == [1, 0, 1]


def test_what_is_suppressed_now_was_in_mind_before(bank: Bank, clock: FakeClock) -> None:
    bank.remember("Ann lives in Berlin", id="a")
    clock.set(_day(2))
    bank.suppress(["a"], by="ann", reason="private")
    clock.set(_day(4))

    assert bank.recall("where Ann lives").hits == ()
    assert [each.id for each in bank.as_of(recorded=_day(1)).recall("where Ann lives").hits] == [
        "a"
    ]


def test_a_list_holds_what_was_there_and_held(bank: Bank, clock: FakeClock) -> None:
    bank.remember("Ann lives in Berlin", id="a", valid_to=_day(3))
    clock.set(_day(2))
    bank.remember("Ann has a dog", id="b", valid_from=_day(1))

    def ids(**times: Instant) -> list[str]:
        return [each.memory.id for each in bank.as_of(**times).list()]

    assert ids(recorded=_day(1)) == ["a"]
    assert ids(valid=_day(2)) == ["a", "b"]
    assert ids(valid=_day(0)) == ["a"]
    assert ids(valid=_day(3)) == ["b"]
    assert ids(valid=_day(4), recorded=_day(1)) == []


def test_a_view_is_of_times_that_can_be_read(bank: Bank) -> None:
    with pytest.raises(ValidationError):
        bank.as_of(valid="soon")


def test_what_was_rewritten_since_is_found_by_the_text_it_had(bank: Bank, clock: FakeClock) -> None:
    bank.remember("Ann lives in Berlin", id="a", tags=["home"])
    clock.set(_day(2))
    bank.update("a", text="Ann lives in Lisbon", tags=["moved"])
    clock.set(_day(4))
    bank.update("a", text="Ann lives in Oslo")
    clock.set(_day(6))

    def told(day: float, question: str) -> list[str]:
        return [each.text for each in bank.as_of(recorded=_day(day)).recall(question).hits]

    assert told(1, "Berlin") == ["Ann lives in Berlin"]
    assert told(3, "Lisbon") == ["Ann lives in Lisbon"]
    assert told(5, "Oslo") == ["Ann lives in Oslo"]
    assert "Ann lives in Lisbon" not in told(1, "Lisbon")
    assert [each.text for each in bank.recall("Oslo").hits] == ["Ann lives in Oslo"]
    before = AsOf(recorded=_day(1))
    assert [each.id for each in bank.recall("Ann", tags=["home"], as_of=before).hits] == ["a"]
    assert bank.recall("Ann", tags=["moved"], as_of=before).hits == ()


def test_a_text_told_in_words_nobody_uses_now_is_found_as_it_stood(
    bank: Bank, clock: FakeClock
) -> None:
    bank.remember("Ann breeds axolotls", id="a")
    clock.set(_day(2))
    bank.update("a", text="Ann keeps fish")
    clock.set(_day(3))
    bank.suppress(["a"], by="ann", reason="private")
    clock.set(_day(4))

    (hit,) = bank.as_of(recorded=_day(1)).recall("axolotls").hits
    assert hit.text == "Ann breeds axolotls"
    assert hit.explanation.coverage > 0.9


def test_a_memory_that_was_not_told_then_is_not_found_by_any_text(
    bank: Bank, clock: FakeClock
) -> None:
    clock.set(_day(2))
    bank.remember("Ann breeds axolotls", id="a")
    clock.set(_day(3))
    bank.update("a", text="Ann keeps fish")

    assert bank.as_of(recorded=_day(1)).recall("axolotls fish").hits == ()
