"""Recall through the engine: outside instruments, crooked vectors, what lies outside the index."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from lapse.errors import LapseError, NotFoundError, PolicyError, ValidationError
from lapse.model.changeset import Changes
from lapse.model.query import Reason
from lapse.model.retention import Lifecycle
from lapse.model.verbs import Verb
from lapse.ports import Store
from lapse.testing.fakes import writes
from tests.unit.engine.opening import CrookedEmbedder, Opened, WatchedStore, opened
from tests.unit.engine.test_embedding import CROOKED, Rows

TEXTS = {
    "short": "green tea",
    "long": "tea is what she drinks on most of her long mornings",
    "other": "tea or coffee in the evening",
}


def _tell(lapse: Opened) -> Opened:
    lapse.alice.remember_many({"text": text, "id": name} for name, text in TEXTS.items())
    return lapse


def _ids(lapse: Opened, query: str = "tea", **overrides: object) -> list[str]:
    return [each.id for each in lapse.alice.recall(query, **overrides).hits]  # type: ignore[arg-type]  # named by the test


def _letters(text: str) -> int:
    return len(text)


def test_a_budget_of_tokens_is_counted_by_the_callers_counter(store: Store) -> None:
    lapse = _tell(opened(store, count_tokens=_letters))

    recall = lapse.alice.recall("tea", budget_tokens=40)

    assert {each.id for each in recall.hits} == {"short", "other"}
    assert sum(len(each.text) for each in recall.hits) <= 40


def test_a_budget_of_tokens_without_a_counter_is_refused(store: Store) -> None:
    lapse = _tell(opened(store))

    with pytest.raises(ValidationError) as caught:
        lapse.alice.recall("tea", budget_tokens=40)
    assert [each.field for each in caught.value.faults] == ["budget_tokens"]


def test_the_words_of_the_hits_are_within_their_budget(lapse: Opened) -> None:
    recall = _tell(lapse).alice.recall("tea", budget_words=9)

    assert recall.words == sum(each.words for each in recall.hits) <= 9
    assert {each.words for each in recall.hits} == {len(each.text.split()) for each in recall.hits}


def test_a_reranker_sees_the_texts_and_its_scores_lead(store: Store) -> None:
    seen: list[tuple[str, tuple[str, ...]]] = []

    def longest_first(query: str, texts: Sequence[str]) -> Sequence[float]:
        seen.append((query, tuple(texts)))
        return [len(each) / 100 for each in texts]

    lapse = _tell(opened(store, rerank=longest_first))

    assert _ids(lapse) == ["long", "other", "short"]
    assert seen[0][0] == "tea"
    assert set(seen[0][1]) == set(TEXTS.values())


@pytest.mark.parametrize("scores", [[], [0.5], [0.5, 0.5, 2.0], [0.5, 0.5, float("nan")]])
def test_a_reranker_that_breaks_its_word_is_refused(store: Store, scores: list[float]) -> None:
    lapse = _tell(opened(store, rerank=lambda _query, _texts: scores))

    with pytest.raises(ValidationError):
        lapse.alice.recall("tea")


@pytest.mark.parametrize("spoil", CROOKED.values(), ids=CROOKED)
def test_a_question_with_a_crooked_vector_is_answered_by_text_with_a_warning(
    spoil: Callable[[Rows], Rows],
) -> None:
    good = [True]
    store = WatchedStore()
    lapse = opened(store, embedder=CrookedEmbedder(lambda rows: rows if good[0] else spoil(rows)))
    _tell(lapse)
    good[0] = False

    recall = lapse.alice.recall("green tea")

    assert recall.hits[0].id == "short"
    assert recall.hits[0].explanation.cosine is None
    assert "text only" in recall.warnings[0]
    ranked = lapse.alice.rank([{"id": "x", "text": "green tea"}], query="green tea")
    assert [each.id for each in ranked.hits] == ["x"]


@pytest.mark.parametrize("query", ["", "  ", "\u200b", "\x00", "\ud800", "a" * 70_000])
def test_a_question_that_is_none_is_refused(lapse: Opened, query: str) -> None:
    with pytest.raises(ValidationError) as caught:
        _tell(lapse).alice.recall(query)
    assert {each.field for each in caught.value.faults} == {"query"}


@pytest.mark.parametrize(
    "query", ['"tea', "tea AND (", "tea*", "col:tea", "'; DROP TABLE", "🫖 tea"]
)
def test_the_punctuation_of_a_question_is_plain_text(lapse: Opened, query: str) -> None:
    _tell(lapse)

    try:
        found = set(_ids(lapse, query))
    except LapseError as error:  # pragma: no cover - the failure on test
        pytest.fail(str(error))

    assert found <= set(TEXTS)
    assert ("tea" not in query) or found


def test_why_answers_for_a_hit_for_what_is_left_out_and_for_nobody(lapse: Opened) -> None:
    _tell(lapse)

    hit = lapse.alice.why("green tea", "short")
    out = lapse.alice.why("green tea", "long", k=1)

    assert (hit.rank, hit.reason) == (1, None)
    assert (out.rank, out.reason) == (None, Reason.OVER_COUNT)
    with pytest.raises(NotFoundError):
        lapse.alice.why("green tea", "nope")


@pytest.mark.parametrize(
    ("lifecycle", "reason"),
    [(Lifecycle.ARCHIVED, Reason.ARCHIVED), (Lifecycle.SUPPRESSED, Reason.SUPPRESSED)],
)
def test_why_answers_for_what_no_recall_shows(
    lapse: Opened, lifecycle: Lifecycle, reason: Reason
) -> None:
    _tell(lapse)
    state = replace(lapse.alice.get("long").state, lifecycle=lifecycle)
    lapse.store.commit(
        writes(Changes(states=(("long", state),)), ref=lapse.alice.ref, verb=Verb.REDATE)
    )

    assert "long" not in _ids(lapse)
    assert lapse.alice.why("long mornings", "long", k=1).reason is reason


def test_a_recall_tells_what_it_was_judged_by(lapse: Opened) -> None:
    recall = _tell(lapse).alice.recall("tea")

    assert recall.at == lapse.clock.now()
    assert recall.policy == lapse.alice.stats().policy
    assert recall.mode is lapse.alice.stats().mode
    assert recall.warnings == ()
    assert not recall.approximate
    assert recall.id != lapse.alice.recall("tea").id


def test_a_claim_that_ended_says_until_when_it_held(lapse: Opened) -> None:
    lapse.alice.remember("She lives in Porto", valid_to="2027-01-01")
    lapse.alice.remember("She lives with Ana")

    qualifiers = {each.text: each.qualifier for each in lapse.alice.recall("she lives").hits}

    assert qualifiers == {
        "She lives in Porto": "until 2027-01-01T00:00:00Z",
        "She lives with Ana": "current",
    }


def test_options_beyond_their_range_are_refused_by_name(lapse: Opened) -> None:
    with pytest.raises(PolicyError) as caught:
        _tell(lapse).alice.recall("tea", k=0, max_age_hours=-1)
    assert {each.field for each in caught.value.faults} == {"recall.k", "recall.max_age_hours"}


# --- beside another store ------------------------------------------------------------------


def test_ranking_what_another_store_found_writes_nothing(lapse: Opened) -> None:
    ranked = lapse.alice.rank(
        [{"id": "x1", "text": "green tea"}, {"id": "x2", "text": "a bicycle"}], query="green tea"
    )

    assert ranked.hits[0].id == "x1"
    assert ranked.mode.value == "observe"
    assert lapse.store.bank(lapse.alice.ref) is None


def test_a_candidate_that_was_used_gets_a_state_here_under_its_own_id(lapse: Opened) -> None:
    ranked = lapse.alice.rank(
        [
            {"id": "x1", "text": "green tea", "created_at": "2026-01-01", "importance": 0.7},
            {"id": "x2", "text": "a bicycle"},
        ],
        query="green tea",
    )

    assert lapse.alice.used(["x1"], recall=ranked.id).enqueued == 1
    lapse.alice.drain()

    record = lapse.alice.get("x1")
    assert record.memory.text == "green tea"
    assert record.state.importance == 0.7
    assert record.state.strength.reinforcement_count == 1
    with pytest.raises(NotFoundError):
        lapse.alice.get("x2")
    bank = lapse.store.bank(lapse.alice.ref)
    assert bank is not None
    assert bank.overlay
    assert lapse.alice.policy().policy.forgetting.mode.value == "observe"


def test_a_candidate_nobody_offered_is_unknown(lapse: Opened) -> None:
    lapse.alice.rank([{"id": "x1", "text": "green tea"}], query="tea")

    with pytest.raises(NotFoundError):
        lapse.alice.used(["x1", "x9"])


def test_two_candidates_with_the_same_text_stay_two(lapse: Opened) -> None:
    lapse.alice.rank(
        [{"id": "x1", "text": "green tea"}, {"id": "x2", "text": "green tea"}], query="tea"
    )

    assert lapse.alice.used(["x1", "x2"]).enqueued == 2
    assert lapse.alice.stats().memories == 2
