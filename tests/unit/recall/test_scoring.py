"""The scorers and the bounded factors, by published numbers and by hand."""

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from lapse.errors import ValidationError
from lapse.model.instants import DAY, HOUR
from lapse.model.policy import (
    DuplicatePolicy,
    EventRecency,
    LawName,
    Mode,
    Normalise,
    RelevanceKind,
    Scorer,
    ScoringPolicy,
    StrongCue,
)
from lapse.recall.scoring import boosted, min_max, recency_shares, weighted
from tests.golden.vectors import RELATIVE, Case, group
from tests.unit.index.deltas import T0, Row
from tests.unit.recall.asking import ask, ids, policy_of, reasons, recalled, snapshot_of


@pytest.mark.parametrize("case", group("ga_score"))
def test_the_weighted_score_is_golden(case: Case) -> None:
    ages = np.maximum(np.array(case["ages_hours"], dtype=np.float64), 0)
    over = np.ones(len(ages), np.bool_)
    a_r, a_i, a_v = case["params"]["weights_recency_importance_relevance"]
    scoring = ScoringPolicy(weight_recency=a_r, weight_importance=a_i, weight_relevance=a_v)
    found = weighted(
        recency_shares(ages * math.log(case["params"]["decay_per_hour"]), over),
        min_max(np.array(case["importance"], dtype=np.float64), over),
        min_max(np.array(case["relevance"], dtype=np.float64), over),
        scoring,
    )
    assert found.tolist() == pytest.approx(case["expected"]["score"], rel=RELATIVE)


@pytest.mark.parametrize(
    ("retrievability", "floor", "boost"),
    [(0.63, 0.2, 1.0408), (0.63, 0.0, 1.026), (0.0, 0.2, 0.94), (1.0, 0.2, 1.1), (0.0, 0.0, 0.9)],
)
def test_the_boost_is_golden(retrievability: float, floor: float, boost: float) -> None:
    scoring = ScoringPolicy(signal_floor=floor)
    assert boosted(np.array([retrievability]), scoring)[1][0] == pytest.approx(boost, rel=RELATIVE)


def test_gamma_bends_the_signal() -> None:
    signal, _ = boosted(np.array([0.5]), ScoringPolicy(signal_floor=0.0, signal_gamma=2.0))
    assert signal[0] == 0.25


def test_the_boost_of_a_hit_is_the_one_its_retrievability_gives() -> None:
    policy = policy_of(scoring__strong_cue=StrongCue.BENT)
    [hit] = recalled(snapshot_of(Row(row=1, age_hours=400)), policy=policy).picks
    why = hit.explanation
    expected = 1 + 0.2 * (0.2 + 0.8 * why.retrievability - 0.5)
    assert why.boost == pytest.approx(expected)
    assert why.score == pytest.approx(why.base * why.boost, abs=1e-6)
    assert why.terms["signal"] == pytest.approx(0.2 + 0.8 * why.retrievability)


def test_what_a_strong_cue_names_counts_as_not_faded() -> None:
    [hit] = recalled(snapshot_of(Row(row=1, age_hours=40_000))).picks
    assert hit.explanation.boost == pytest.approx(1.1)
    assert hit.explanation.retrievability < 0.1


@pytest.mark.parametrize("scorer", list(Scorer))
def test_a_pinned_memory_of_any_age_scores_like_one_told_now(scorer: Scorer) -> None:
    policy = policy_of(scoring__scorer=scorer, scoring__normalise=Normalise.NONE)
    old = recalled(snapshot_of(Row(row=1, age_hours=9000, pinned=True)), policy=policy).picks[0]
    new = recalled(snapshot_of(Row(row=1, age_hours=0, exempt=True)), policy=policy).picks[0]
    assert old.score == pytest.approx(new.score)
    assert old.explanation.retrievability == 1


def test_a_flat_term_counts_one_half_and_order_falls_to_the_tie_rule() -> None:
    policy = policy_of(scoring__scorer=Scorer.WEIGHTED)
    rows = [Row(row=at, text=f"tea w{at}", age_hours=5) for at in range(1, 6)]
    answer = recalled(snapshot_of(*rows), policy=policy)
    assert {pick.score for pick in answer.picks} == {0.5}
    assert ids(answer) == ["m1", "m2", "m3", "m4", "m5"]


@pytest.mark.parametrize("size", [1e308, np.finfo(np.float64).max])
def test_a_scale_may_be_as_wide_as_floats_are(size: float) -> None:
    values = np.array([-size, 0.0, size, size / 2])
    everyone = np.ones(4, np.bool_)
    assert min_max(values, everyone).tolist() == [0.0, 0.5, 1.0, 0.75]
    assert min_max(values, np.array([False, True, False, True])).tolist() == [0.0, 0.0, 1.0, 1.0]


def test_a_scale_may_be_as_narrow_as_floats_are() -> None:
    values = np.array([0.0, 5e-324])
    assert min_max(values, np.ones(2, np.bool_)).tolist() == [0.0, 1.0]


def test_only_the_term_that_differs_separates() -> None:
    policy = policy_of(scoring__scorer=Scorer.WEIGHTED)
    rows = [
        Row(row=1, text="tea one", age_hours=5, importance=0.2),
        Row(row=2, text="tea two", age_hours=5, importance=0.7),
    ]
    answer = recalled(snapshot_of(*rows), policy=policy)
    assert ids(answer) == ["m2", "m1"]
    assert [pick.score for pick in answer.picks] == pytest.approx([2 / 3, 1 / 3], abs=1e-6)


def test_what_the_filters_took_out_does_not_set_the_scale() -> None:
    policy = policy_of(scoring__scorer=Scorer.WEIGHTED)
    rows = [
        Row(row=1, text="tea one", age_hours=1),
        Row(row=2, text="tea two", age_hours=2),
        Row(row=3, text="tea three", age_hours=99_999, expires_at=T0),
    ]
    hits = recalled(snapshot_of(*rows), policy=policy).picks
    assert [hit.explanation.terms["recency_normalised"] for hit in hits] == [1.0, 0.0]


def test_an_importance_of_zero_is_a_rating_and_no_rating_is_the_default() -> None:
    snapshot = snapshot_of(Row(row=1, text="tea a", importance=0.0), Row(row=2, text="tea b"))
    for default in (0.5, 0.9):
        answer = recalled(snapshot, policy=policy_of(scoring__default_importance=default))
        found = {pick.id: pick.explanation.importance for pick in answer.picks}
        assert found == {"m1": 0.0, "m2": default}


def test_use_recency_counts_from_the_last_use_under_any_law() -> None:
    policy = policy_of(
        scoring__scorer=Scorer.WEIGHTED, scoring__normalise=Normalise.NONE, law__name=LawName.FSRS
    )
    row = Row(row=1, age_hours=1000, last_counted_at=T0 - 24 * HOUR, uses=1)
    why = recalled(snapshot_of(row), policy=policy).picks[0].explanation
    assert why.terms["recency"] == pytest.approx(0.995**24)
    assert why.last_used_at == T0 - 24 * HOUR


def test_a_last_use_before_creation_counts_from_creation() -> None:
    policy = policy_of(scoring__scorer=Scorer.WEIGHTED, scoring__normalise=Normalise.NONE)
    row = Row(row=1, age_hours=1, last_counted_at=T0 - 40 * DAY, uses=1)
    why = recalled(snapshot_of(row), policy=policy).picks[0].explanation
    assert why.terms["recency"] == pytest.approx(0.995)


def test_a_memory_from_the_future_counts_as_told_now_and_says_so() -> None:
    policy = policy_of(scoring__scorer=Scorer.WEIGHTED, scoring__normalise=Normalise.NONE)
    rows = [Row(row=1, text="tea a", age_hours=-240), Row(row=2, text="tea b", age_hours=24)]
    answer = recalled(snapshot_of(*rows), policy=policy)
    why = answer.picks[0].explanation
    assert ids(answer) == ["m1", "m2"]
    assert why.terms["recency"] == 1
    assert "clock_skew" in why.flags
    assert answer.picks[1].explanation.flags == ("strong_cue",)


def test_old_recencies_too_small_for_a_float_still_separate() -> None:
    policy = policy_of(scoring__scorer=Scorer.WEIGHTED)
    rows = [
        Row(row=1, text="tea one", age_hours=160_000),
        Row(row=2, text="tea two", age_hours=150_000),
    ]
    assert ids(recalled(snapshot_of(*rows), policy=policy)) == ["m2", "m1"]


@pytest.mark.parametrize(
    ("shape", "age_days", "recency"),
    [
        (EventRecency.LINEAR, 0, 1.0),
        (EventRecency.LINEAR, 73, 0.8),
        (EventRecency.LINEAR, 900, 0.0),
        (EventRecency.EXPONENTIAL, 90, 0.5),
        (EventRecency.OFF, 90, None),
    ],
)
def test_event_recency_is_a_bounded_factor_halved_while_forgetting_ranks(
    shape: EventRecency, age_days: int, recency: float | None
) -> None:
    row = Row(row=1, occurred_at=T0 - age_days * DAY)
    for mode, weight in ((Mode.RANK, 0.1), (Mode.OFF, 0.2)):
        policy = policy_of(scoring__event_recency=shape, forgetting__mode=mode)
        why = recalled(snapshot_of(row), policy=policy).picks[0].explanation
        expected = 1.0 if recency is None else 1 + weight * (recency - 0.5)
        assert why.event_recency == pytest.approx(expected)
        # First in one of the two lists asked for.
        assert why.base == pytest.approx(0.5 * expected)


def test_an_event_without_a_time_is_neither_recent_nor_old() -> None:
    policy = policy_of(scoring__event_recency=EventRecency.LINEAR)
    why = recalled(snapshot_of(Row(row=1)), policy=policy).picks[0].explanation
    assert why.event_recency == 1


def test_proof_lifts_a_little_and_never_beyond_its_weight() -> None:
    policy = policy_of(scoring__proof_weight=0.5)
    rows = [Row(row=1, text="tea a"), Row(row=2, text="tea b", proof_count=10_000)]
    answer = recalled(snapshot_of(*rows), policy=policy)
    proofs = {pick.id: pick.explanation.proof for pick in answer.picks}
    assert proofs["m1"] == 1
    assert 1.49 < proofs["m2"] < 1.5


def test_the_time_asked_about_lifts_what_happened_then() -> None:
    policy = policy_of(scoring__temporal_weight=0.4)
    then = T0 - 90 * DAY
    rows = [
        Row(row=1, text="tea then", age_hours=9000, occurred_at=then),
        Row(row=2, text="tea since", age_hours=9000, occurred_at=T0),
        Row(row=3, text="tea somewhen", age_hours=9000),
    ]
    answer = recalled(snapshot_of(*rows), ask(valid=then), policy)
    factors = {pick.id: pick.explanation.temporal for pick in answer.picks}
    assert factors == {"m1": pytest.approx(1.2), "m2": pytest.approx(1.0), "m3": 1}


def test_the_blend_is_the_workbench_score_and_needs_a_shared_word() -> None:
    policy = policy_of(
        scoring__scorer=Scorer.BLEND,
        recall__relevance=RelevanceKind.TFIDF,
        scoring__blend_recency_weight=0.25,
    )
    rows = [Row(row=1, text="tea milk", age_hours=24), Row(row=2, text="coffee", age_hours=0)]
    answer = recalled(snapshot_of(*rows), ask("tea tea"), policy)
    why = answer.picks[0].explanation
    assert ids(answer) == ["m1"]
    assert why.score == pytest.approx(0.75 * why.relevance + 0.25 * 0.5, abs=1e-6)


class Reranker:
    """Scores by internal number, and remembers which it saw."""

    def __init__(self) -> None:
        self.seen: list[int] = []

    def __call__(self, numbers: Sequence[int]) -> list[float]:
        self.seen.extend(numbers)
        return [number / 4 for number in numbers]


def test_a_rerankers_score_takes_the_place_of_the_fused_ranks() -> None:
    rows = [Row(row=at, text=f"tea {'x ' * at}", age_hours=1) for at in range(1, 5)]
    reranker = Reranker()
    answer = recalled(snapshot_of(*rows), rerank=reranker)
    assert ids(answer) == ["m4", "m3", "m2", "m1"]
    assert sorted(reranker.seen) == [1, 2, 3, 4]
    assert answer.picks[0].explanation.base == 1


def test_a_reranker_never_sees_what_the_filters_took_out() -> None:
    rows = [Row(row=1, text="tea"), Row(row=2, text="tea old", expires_at=T0)]
    reranker = Reranker()
    recalled(snapshot_of(*rows), rerank=reranker)
    assert reranker.seen == [1]


@pytest.mark.parametrize("scores", [[1.5], [math.nan], [-0.1], []])
def test_a_rerankers_score_outside_the_range_is_an_error(scores: list[float]) -> None:
    with pytest.raises(ValidationError):
        recalled(snapshot_of(Row(row=1)), rerank=lambda _: scores)


def test_a_threshold_acts_on_raw_relevance_before_any_scale() -> None:
    vectors = [(c, math.sqrt(1 - c * c)) for c in (0.05, 0.06, 0.07, 0.08)]
    rows = [Row(row=at, text=f"w{at}", vector=v) for at, v in enumerate(vectors, start=1)]
    policy = policy_of(scoring__scorer=Scorer.WEIGHTED, recall__min_relevance=0.5)
    answer = recalled(snapshot_of(*rows), ask("x", (1, 0)), policy)
    assert answer.picks == ()
    assert set(reasons(answer).values()) == {"no_match"}


@pytest.mark.parametrize(
    ("threshold", "told"), [(0.0, True), (0.0001, True), (0.5, True), (0.95, True), (0.96, False)]
)
def test_a_threshold_is_inclusive_and_on_the_scale_that_is_shown(
    threshold: float, told: bool
) -> None:
    row = Row(row=1, text="w", vector=(0.95, math.sqrt(1 - 0.95**2)))
    policy = policy_of(recall__min_relevance=threshold)
    answer = recalled(snapshot_of(row), ask("x", (1, 0)), policy)
    assert ids(answer) == (["m1"] if told else [])


def test_an_opposite_memory_is_no_match_however_fresh_and_important() -> None:
    rows = [
        Row(row=1, text="w", vector=(-1, 0), importance=1.0, age_hours=0),
        Row(row=2, text="v", vector=(0.4, math.sqrt(0.84)), importance=0.2, age_hours=5000),
    ]
    answer = recalled(snapshot_of(*rows), ask("x", (1, 0)))
    assert ids(answer) == ["m2"]
    assert 0 <= answer.picks[0].score <= 1.1


def test_cosines_are_told_as_cosines() -> None:
    vectors = [(c, math.sqrt(1 - c * c)) for c in (0.85, 0.4, 0.25)]
    rows = [Row(row=at, text=f"w{at}", vector=v) for at, v in enumerate(vectors, start=1)]
    policy = policy_of(recall__duplicates=DuplicatePolicy.OFF)
    answer = recalled(snapshot_of(*rows), ask("x", (1, 0)), policy)
    assert [pick.explanation.cosine for pick in answer.picks] == [0.85, 0.4, 0.25]
    policy = policy_of(recall__min_relevance=0.5)
    assert ids(recalled(snapshot_of(*rows), ask("x", (1, 0)), policy)) == ["m1"]


@pytest.mark.parametrize("scorer", list(Scorer))
def test_where_forgetting_does_not_rank_age_and_importance_change_nothing(scorer: Scorer) -> None:
    rows = [
        Row(row=at, text=f"tea {'x ' * (at % 3)}{at}", age_hours=at * 300, importance=at / 9)
        for at in range(1, 9)
    ]
    aged = [replace(each, age_hours=each.age_hours + 9000, importance=1.0) for each in rows]
    for mode in (Mode.OFF, Mode.OBSERVE):
        policy = policy_of(scoring__scorer=scorer, forgetting__mode=mode)
        orders = [ids(recalled(snapshot_of(*each), ask(k=20), policy)) for each in (rows, aged)]
        assert orders[0] == orders[1]
