"""Ratings that wait for a model: who gives them, once, and what stands when nobody does."""

import re
from collections.abc import Callable

import pytest

from lapse.engine.upkeep import keep_up
from lapse.errors import GeneratorError, ValidationError
from lapse.model.retention import ImportanceSource
from lapse.model.verbs import Verb
from lapse.ports import Store
from lapse.stores.memory import MemoryStore
from lapse.testing.fakes import SequentialIds
from tests.unit.engine.opening import Opened, opened

LLM: dict[str, object] = {"importance.rater": "llm", "importance.batch_size": 4}
OFF: dict[str, object] = {"importance.rater": "off"}
TOLD = ("We moved to Rome", "ok", "I am allergic to nuts", "The bus was late", "We chose Orion")


class Rating:
    """A model that rates every memory alike, and counts its questions.

    Attributes:
        rating: What it says of each; None to be out of order.
        refuses: It fails where a question holds this.
        asked: The questions.
        between: Called before each answer.
    """

    def __init__(self, rating: str | None = "7", refuses: str = "\0") -> None:
        self.rating = rating
        self.refuses = refuses
        self.asked: list[str] = []
        self.between: Callable[[], object] = lambda: None

    def __call__(self, prompt: str, /) -> str:
        self.asked.append(prompt)
        self.between()
        if self.rating is None or self.refuses in prompt:
            raise GeneratorError("out of order")
        numbers = re.findall(r"^(\d+): ", prompt, re.MULTILINE)
        return "\n".join(f"{each}: {self.rating}" for each in numbers) or self.rating


def _tell(lapse: Opened) -> list[str]:
    return [lapse.alice.remember(each).id for each in TOLD]


def _ratings(lapse: Opened) -> list[tuple[float | None, ImportanceSource]]:
    states = [each.state for each in lapse.alice.list().records]
    return [(each.importance, each.importance_source) for each in states]


def _sources(lapse: Opened) -> list[ImportanceSource]:
    return [source for _, source in _ratings(lapse)]


def _entries(lapse: Opened) -> list[tuple[tuple[str, int], ...]]:
    return [each.counts for each in lapse.store.journal_by(lapse.alice.ref, Verb.RATE, 0)]


def test_what_is_told_has_the_heuristics_rating_until_the_model_gave_its_own(store: Store) -> None:
    model, plain = Rating(), opened(MemoryStore())
    lapse = opened(store, policy=LLM, generate=model)
    _tell(lapse)
    _tell(plain)
    assert model.asked == []
    assert set(_sources(lapse)) == {ImportanceSource.AWAITED}
    assert [rating for rating, _ in _ratings(lapse)] == [rating for rating, _ in _ratings(plain)]
    done = lapse.alice.drain()
    assert (done.rated, done.rating_fallbacks) == (5, 0)
    assert _ratings(lapse) == [(0.7, ImportanceSource.MODEL)] * 5
    assert len(model.asked) == 2
    assert _entries(lapse) == [(("model", 4),), (("model", 1),)]
    assert lapse.alice.verify_journal().sound


def test_a_rating_that_was_given_is_asked_for_no_more(store: Store) -> None:
    model = Rating()
    lapse = opened(store, policy=LLM, generate=model)
    _tell(lapse)
    lapse.alice.drain()
    model.rating = "2"
    assert lapse.alice.drain().rated == 0
    assert lapse.alice.rate().by_model == 0
    assert lapse.alice.backfill_ratings().by_model == 0
    assert len(model.asked) == 2
    assert len(_entries(lapse)) == 2
    lapse.alice.remember("Ben has two cats")
    assert lapse.alice.drain().rated == 1


def test_the_fading_is_dated_by_the_models_rating() -> None:
    lapse = opened(MemoryStore(), policy=LLM, generate=Rating("8"))
    awaited = lapse.alice.remember("We moved to Rome").id
    rated = lapse.alice.remember("Ben has two cats", importance=0.8).id
    before = lapse.alice.get(awaited).state.fades_at
    lapse.alice.drain()
    after = lapse.alice.get(awaited).state
    assert before != after.fades_at
    assert after.fades_at == lapse.alice.get(rated).state.fades_at


def test_under_a_law_whose_strength_starts_from_importance_it_starts_from_the_models() -> None:
    policy = {**LLM, "law.name": "ebbinghaus"}
    lapse = opened(MemoryStore(), policy=policy, generate=Rating("8"))
    awaited = lapse.alice.remember("We moved to Rome").id
    rated = lapse.alice.remember("Ben has two cats", importance=0.8).id
    lapse.alice.drain()
    strengths = [lapse.alice.get(each).state.strength for each in (awaited, rated)]
    assert strengths[0] == strengths[1]
    lapse.alice.used([awaited, rated], source="cited")
    lapse.clock.advance(hours=7)
    lapse.alice.drain()
    again = [lapse.alice.get(each).state.strength for each in (awaited, rated)]
    assert again[0].stability_days == again[1].stability_days


def test_the_callers_and_a_verified_rating_wait_for_nobody(store: Store) -> None:
    model = Rating()
    lapse = opened(store, policy=LLM, generate=model)
    lapse.alice.remember("We moved to Rome", importance=0.3)
    verified = lapse.alice.remember("The launch succeeded").id
    lapse.alice.verify_outcome([verified])
    assert lapse.alice.drain().rated == 0
    assert model.asked == []
    assert _ratings(lapse) == [
        (0.3, ImportanceSource.CALLER),
        (1.0, ImportanceSource.VERIFIED),
    ]


def test_an_outcome_verified_while_the_model_thinks_stays_verified(store: Store) -> None:
    model = Rating()
    lapse = opened(store, policy=LLM, generate=model)
    told = lapse.alice.remember("The launch succeeded").id
    model.between = lambda: lapse.alice.verify_outcome([told])
    assert lapse.alice.drain().rated == 0
    assert _ratings(lapse) == [(1.0, ImportanceSource.VERIFIED)]


def test_a_text_that_changed_while_the_model_thought_is_rated_as_it_is_now(store: Store) -> None:
    model = Rating()
    lapse = opened(store, policy=LLM, generate=model)
    told = lapse.alice.remember("We moved to Rome").id

    def change() -> None:
        model.between = lambda: None
        lapse.alice.update(told, text="We moved to Paris", if_version=1)

    model.between = change
    assert lapse.alice.drain().rated == 1
    assert ["Paris" in each for each in model.asked] == [False, True]


def test_two_processes_rate_a_memory_once(store: Store) -> None:
    first, second = Rating("3"), Rating("9")
    one = opened(store, policy=LLM, generate=first)
    two = opened(store, policy=LLM, generate=second, ids=SequentialIds("other"))
    _tell(one)
    first.between = two.alice.drain
    one.alice.drain()
    assert two.alice.drain().rated == 0
    ratings = _ratings(one)
    assert len(set(ratings)) == 1
    assert sum(count for each in _entries(one) for _, count in each) == 5
    assert len(first.asked) + len(second.asked) == 2


def test_a_model_that_is_away_is_asked_again_later_and_nothing_is_lost(store: Store) -> None:
    model = Rating(None)
    lapse = opened(store, policy=LLM, generate=model)
    _tell(lapse)
    before = _ratings(lapse)
    for _ in range(3):
        assert lapse.alice.drain().rated == 0
    assert len(model.asked) == 1
    assert _ratings(lapse) == before
    model.rating = "7"
    lapse.clock.advance(hours=7)
    assert lapse.alice.drain().rated == 5


def test_an_answer_without_a_rating_leaves_the_heuristics_for_good(store: Store) -> None:
    model = Rating("no idea")
    lapse = opened(store, policy=LLM, generate=model)
    _tell(lapse)
    before = [rating for rating, _ in _ratings(lapse)]
    done = lapse.alice.drain()
    assert (done.rated, done.rating_fallbacks) == (0, 5)
    assert _ratings(lapse) == [(each, ImportanceSource.FALLBACK) for each in before]
    asked = len(model.asked)
    model.rating = "7"
    assert lapse.alice.drain().rated == 0
    assert len(model.asked) == asked


def test_one_text_that_the_model_cannot_bear_keeps_no_other_waiting(store: Store) -> None:
    model = Rating(refuses="allergic")
    lapse = opened(store, policy=LLM, generate=model)
    _tell(lapse)
    runs = [lapse.alice.rate() for _ in range(30)]
    assert sum(each.by_model for each in runs) == 4
    assert sum(each.fallbacks for each in runs) == 1
    assert runs[-1].waiting == 0
    assert _sources(lapse).count(ImportanceSource.FALLBACK) == 1


def test_without_a_model_the_ratings_wait_for_a_process_that_has_one(store: Store) -> None:
    without = opened(store, policy=LLM)
    _tell(without)
    assert without.alice.drain().rated == 0
    assert set(_sources(without)) == {ImportanceSource.AWAITED}
    with pytest.raises(ValidationError, match=r"importance\.model"):
        without.alice.rate()
    assert without.alice.backfill_ratings().waiting == 5
    without.wakes.clear()
    (runtime,) = without.core.open_banks()
    assert keep_up(without.core, runtime).rated == 0
    assert without.wakes == []
    worker = opened(store, policy=LLM, generate=Rating(), ids=SequentialIds("other"))
    assert worker.alice.drain().rated == 5


def test_backfill_rates_what_was_told_unrated_and_then_finds_nothing(store: Store) -> None:
    lapse = opened(store, policy=OFF)
    _tell(lapse)
    lapse.alice.remember("Ben has two cats", importance=0.2)
    lapse.alice.set_policy({"importance": {"rater": "heuristic"}}, by="ann")
    seen: list[tuple[int, int]] = []
    done = lapse.alice.backfill_ratings(by="ann", progress=lambda at, of: seen.append((at, of)))
    assert done.given == 5
    assert seen == [(5, 5)]
    assert _sources(lapse) == [*[ImportanceSource.HEURISTIC] * 5, ImportanceSource.CALLER]
    revision = lapse.store.revision(lapse.alice.ref)
    assert lapse.alice.backfill_ratings().given == 0
    assert lapse.store.revision(lapse.alice.ref) == revision


def test_what_is_rated_afterwards_is_rated_as_if_it_were_told_then(store: Store) -> None:
    """A text is held against the other memories of its bank, and not against itself."""
    lapse = opened(store)
    late = lapse.mind.bank("bob")
    for bank in (lapse.alice, late):
        bank.remember_many([{"text": f"Ship {at} came to quay {at % 9}"} for at in range(50)])
    told = lapse.alice.remember("Zanzibar pays for nutmeg in silver").id
    late.set_policy({"importance.rater": "off"})
    unrated = late.remember("Zanzibar pays for nutmeg in silver").id
    late.set_policy({"importance.rater": "heuristic"})
    assert late.backfill_ratings().given == 1
    found = late.get(unrated).state.importance
    assert found == lapse.alice.get(told).state.importance


def test_backfill_with_a_model_has_the_model_rate(store: Store) -> None:
    lapse = opened(store, policy=OFF, generate=Rating("4"))
    _tell(lapse)
    lapse.alice.set_policy({"importance": {"rater": "llm", "batch_size": 2}}, by="ann")
    done = lapse.alice.backfill_ratings()
    assert (done.given, done.by_model, done.waiting, done.asked) == (5, 5, 0, 3)
    assert _ratings(lapse) == [(0.4, ImportanceSource.MODEL)] * 5


def test_where_ratings_are_off_nothing_is_rated_on_demand(store: Store) -> None:
    lapse = opened(store, policy=OFF, generate=Rating())
    _tell(lapse)
    with pytest.raises(ValidationError, match=r"importance\.rater"):
        lapse.alice.backfill_ratings()
    with pytest.raises(ValidationError, match=r"importance\.rater"):
        lapse.alice.rate()
    assert set(_ratings(lapse)) == {(None, ImportanceSource.DEFAULT)}


def test_a_round_of_upkeep_asks_a_few_batches_and_wakes_the_next() -> None:
    lapse = opened(MemoryStore(), policy={**LLM, "importance.batch_size": 1}, generate=Rating())
    for at in range(7):
        lapse.alice.remember(f"Rex the dog weighed {at} kg")
    (runtime,) = lapse.core.open_banks()
    lapse.wakes.clear()
    assert keep_up(lapse.core, runtime).rated == 5
    assert lapse.wakes
    assert keep_up(lapse.core, runtime).rated == 2
