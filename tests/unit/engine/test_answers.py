"""The cache of answers of one bank: kept, given again, and gone in time."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from lapse.bank import Bank
from lapse.errors import (
    ConflictError,
    NotFoundError,
    PolicyError,
    TombstonedError,
    ValidationError,
)
from lapse.model.answer import CacheCounts, Miss
from lapse.stores.memory import MemoryStore
from lapse.testing.fakes import ALICE
from tests.unit.engine.opening import Opened, WordEmbedder, opened, store_of

WHO = {"by": "anna", "reason": "asked for"}
QUESTION = "Where does Anna keep the spare key?"
ANSWER = "Under the third flower pot."


@pytest.fixture(params=["memory", "sqlite"])
def lapse(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Opened]:
    made = opened(store_of(request.param, tmp_path), embedder=WordEmbedder())
    with made.mind:
        yield made


@pytest.fixture
def bank(lapse: Opened) -> Bank:
    bank = lapse.alice
    bank.remember("Anna keeps the spare key under the third flower pot", id="key", key="key/place")
    bank.remember("The bus to town leaves at noon", id="bus")
    return bank


def _put(bank: Bank, *sources: str) -> None:
    assert bank.cache.put(QUESTION, ANSWER, sources=sources) is not None


def test_an_answer_comes_back_with_its_sources_its_age_and_how_near_the_question_is(
    lapse: Opened, bank: Bank
) -> None:
    _put(bank, "key")
    lapse.clock.advance(hours=2)
    found = bank.cache.get("where does Anna keep the spare key?")
    assert found.hit
    assert found.answer is not None
    assert (found.answer.answer, found.answer.sources) == (ANSWER, ("key",))
    assert (found.similarity, found.age_s, found.miss) == (1.0, 7200.0, None)


def test_a_question_in_another_order_of_small_words_gets_the_answer_by_its_vector(
    bank: Bank,
) -> None:
    bank.set_policy({"cache.min_similarity": 0.85})
    _put(bank, "key")
    found = bank.cache.get("So where does Anna keep the spare key?")
    assert found.hit
    assert found.similarity is not None
    assert 0.85 < found.similarity < 1.0


def test_without_vectors_questions_are_compared_by_their_words() -> None:
    bank = opened(MemoryStore()).alice
    bank.remember("The spare key is under the pot", id="key")
    _put(bank, "key")
    assert bank.cache.get(QUESTION.lower()).hit
    assert bank.cache.get("Where is the shop?").miss is Miss.UNLIKE


@pytest.mark.parametrize(
    ("question", "miss"),
    [
        ("Where does Boris keep the spare key?", Miss.DIFFERENT),
        ("Where does Anna not keep the spare key?", Miss.DIFFERENT),
        ("how many legs has a spider", Miss.UNLIKE),
    ],
)
def test_what_asks_for_something_else_gets_nothing_and_is_told_why(
    bank: Bank, question: str, miss: Miss
) -> None:
    bank.set_policy({"cache.min_similarity": 0.7})
    _put(bank, "key")
    found = bank.cache.get(question)
    assert (found.answer, found.miss) == (None, miss)


def test_an_empty_cache_says_that_it_is_empty(bank: Bank) -> None:
    assert bank.cache.get(QUESTION).miss is Miss.NONE


CHANGES: dict[str, Callable[[Bank], object]] = {
    "erase": lambda bank: bank.erase(["key"], **WHO),
    "suppress": lambda bank: bank.suppress(["key"], **WHO),
    "archive": lambda bank: bank.archive(["key"], **WHO),
    "supersede": lambda bank: bank.remember("In the shed", key="key/place", value="in the shed"),
    "retract": lambda bank: bank.retract("key", **WHO),
    "update": lambda bank: bank.update("key", text="Anna lost the spare key"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_an_answer_dies_with_its_source_and_the_twin_is_served(bank: Bank, change: str) -> None:
    _put(bank, "key", "bus")
    bank.cache.put("When does the bus leave?", "At noon.", sources=["bus"])
    CHANGES[change](bank)
    assert bank.cache.get(QUESTION).miss is Miss.UNLIKE
    assert bank.cache.get("When does the bus leave?").hit
    assert bank.cache.counts().answers == 1


def test_an_answer_does_not_come_back_with_its_source(bank: Bank) -> None:
    _put(bank, "key")
    bank.suppress(["key"], **WHO)
    bank.restore(["key"], **WHO)
    assert bank.cache.get(QUESTION).miss is Miss.NONE


def test_use_and_marks_leave_an_answer_alone(bank: Bank) -> None:
    _put(bank, "key")
    bank.used(["key"])
    bank.pin(["key"])
    bank.verify_outcome(["key"])
    bank.drain()
    assert bank.cache.get(QUESTION).hit


def test_an_answer_ends_when_its_hours_are_over_and_giving_it_prolongs_nothing(
    lapse: Opened, bank: Bank
) -> None:
    _put(bank, "key")
    lapse.clock.advance(hours=23)
    assert bank.cache.get(QUESTION).hit
    lapse.clock.advance(hours=1)
    assert bank.cache.get(QUESTION).miss is Miss.EXPIRED


def test_a_domain_has_a_window_of_its_own(lapse: Opened, bank: Bank) -> None:
    bank.set_policy({"cache.freshness_hours": {"weather": 1}})
    bank.cache.put("Does it rain?", "Yes.", domain="weather")
    _put(bank)
    lapse.clock.advance(hours=1)
    assert bank.cache.get("Does it rain?").miss is Miss.EXPIRED
    assert bank.cache.get(QUESTION).hit


def test_an_answer_does_not_outlive_the_end_that_a_source_tells(lapse: Opened, bank: Bank) -> None:
    end = lapse.clock.now() + 3_600_000_000
    bank.remember("The shop is open", id="shop", valid_to=end)
    bank.cache.put("Is the shop open?", "Yes.", sources=["shop"])
    lapse.clock.advance(hours=1)
    assert bank.cache.get("Is the shop open?").miss is Miss.EXPIRED


def test_no_hours_keep_no_answer(bank: Bank) -> None:
    bank.set_policy({"cache.ttl_hours": 0})
    assert bank.cache.put(QUESTION, ANSWER) is None
    assert bank.cache.get(QUESTION).miss is Miss.OFF
    with pytest.raises(PolicyError, match="ttl_hours"):
        bank.set_policy({"cache.ttl_hours": -1})


def test_the_same_question_put_again_is_one_answer_and_lives_from_then(
    lapse: Opened, bank: Bank
) -> None:
    _put(bank, "key")
    lapse.clock.advance(hours=1)
    bank.cache.put("where does anna keep the spare key?", "In the shed.")
    assert bank.cache.counts().answers == 1
    lapse.clock.advance(hours=23.5)
    found = bank.cache.get(QUESTION)
    assert found.answer is not None
    assert found.answer.answer == "In the shed."


def test_more_answers_than_allowed_push_out_the_oldest(lapse: Opened, bank: Bank) -> None:
    bank.set_policy({"cache.max_entries": 2})
    for at, word in enumerate(("tea", "rye", "ink")):
        lapse.clock.advance(hours=at)
        bank.cache.put(f"who sells {word}?", f"the {word} shop")
    assert [bank.cache.get(f"who sells {each}?").hit for each in ("tea", "rye", "ink")] == [
        False,
        True,
        True,
    ]


def test_what_expired_goes_with_the_next_answer_with_upkeep_and_when_asked(
    lapse: Opened, bank: Bank
) -> None:
    for act in (
        lambda: bank.cache.put("who sells rye?", "the mill"),
        bank.drain,
        bank.cache.purge,
        lambda: opened(lapse.store, clock=lapse.clock).alice.cache.get("anything"),
    ):
        bank.cache.clear()
        _put(bank, "key")
        lapse.clock.advance(days=1)
        act()
        asked = [each.answer.query for each in lapse.store.answers(ALICE)]
        assert QUESTION not in asked


def test_a_source_must_be_there_in_sight_and_still_so(bank: Bank) -> None:
    bank.suppress(["bus"], **WHO)
    with pytest.raises(ConflictError, match="bus"):
        bank.cache.put("When?", "At noon.", sources=["bus"])
    with pytest.raises(NotFoundError, match="nobody"):
        bank.cache.put("When?", "At noon.", sources=["key", "nobody"])
    assert bank.cache.counts() == CacheCounts(refusals=2)


@pytest.mark.parametrize("place", ["query", "answer"])
def test_what_was_erased_is_kept_in_no_answer(bank: Bank, place: str) -> None:
    text = "Anna keeps the spare key under the third flower pot"
    bank.erase(["key"], **WHO)
    told = {"query": "What is so?", "answer": "This is so.", place: f"So {text}."}
    with pytest.raises(TombstonedError) as refused:
        bank.cache.put(**told)
    assert "flower" not in str(refused.value)
    assert bank.cache.counts() == CacheCounts(refusals=1)


def test_an_answer_that_says_what_is_erased_goes_whatever_its_sources_are(bank: Bank) -> None:
    text = "Anna keeps the spare key under the third flower pot"
    bank.cache.put("What do you know?", f"I know a thing. {text}.", sources=["bus"])
    _put(bank, "key")
    bank.cache.put("When does the bus leave?", "At noon.", sources=["bus"])
    assert bank.erase(["key"], **WHO).answers == 2
    assert bank.cache.counts().answers == 1
    entry = bank.verify_journal()
    assert entry.sound


def test_erasing_a_whole_bank_empties_its_cache(lapse: Opened, bank: Bank) -> None:
    empty = lapse.mind.bank("empty")
    for each in (bank, empty):
        each.cache.put("who sells rye?", "the mill")
    lapse.mind.erase(**WHO)
    assert [each.cache.counts().answers for each in (bank, empty)] == [0, 0]


def test_hits_and_misses_are_counted_and_shown_in_the_statistics(bank: Bank) -> None:
    _put(bank, "key")
    bank.cache.get(QUESTION)
    bank.cache.get("how many legs has a spider")
    assert bank.stats().cache == CacheCounts(answers=1, hits=1, misses=1)


def test_another_process_sees_each_answer_and_each_end(lapse: Opened, bank: Bank) -> None:
    other = opened(lapse.store, clock=lapse.clock, embedder=WordEmbedder()).alice
    _put(bank, "key")
    assert other.cache.get(QUESTION).hit
    other.suppress(["key"], **WHO)
    assert not bank.cache.get(QUESTION).hit


def test_a_bank_gives_no_answer_of_another(lapse: Opened, bank: Bank) -> None:
    _put(bank, "key")
    assert lapse.mind.bank("other").cache.get(QUESTION).miss is Miss.NONE
    assert lapse.mind.bank("alice", tenant="other").cache.get(QUESTION).miss is Miss.NONE


def test_questions_are_compared_when_the_embedder_fails(lapse: Opened, bank: Bank) -> None:
    _put(bank, "key")
    embedder = lapse.core.parts.embedder
    assert isinstance(embedder, WordEmbedder)
    embedder.broken = True
    assert bank.cache.get(QUESTION).hit


@pytest.mark.parametrize("text", ["", " ", "a\0b"])
def test_a_text_that_cannot_be_kept_is_refused_without_being_shown(bank: Bank, text: str) -> None:
    with pytest.raises(ValidationError):
        bank.cache.put(text, ANSWER)
    with pytest.raises(ValidationError):
        bank.cache.put(QUESTION, text)
    with pytest.raises(ValidationError):
        bank.cache.get(text)


def test_writes_of_the_cache_leave_no_word_in_the_journal(lapse: Opened, bank: Bank) -> None:
    before = len(lapse.store.journal(ALICE, 0, 1000))
    _put(bank, "key")
    bank.cache.clear()
    assert len(lapse.store.journal(ALICE, 0, 1000)) == before


def test_an_answer_as_it_is_kept_can_be_put_again_unchanged(bank: Bank) -> None:
    first = bank.cache.put(QUESTION, ANSWER, sources=["key"])
    again = bank.cache.put(QUESTION, ANSWER, sources=["key", "key"])
    assert first is not None
    assert again == first
