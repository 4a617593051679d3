"""Every golden group of the laws, against the formula that implements it."""

import math

import numpy as np
import pytest

from lapse.laws import curves, fsrs
from lapse.laws.activation import evidence, recall_probability, slowed_decay
from lapse.laws.strength import FloatArray, Held, columns_of
from lapse.laws.trace_weights import FITTED_DECAYS, FITTED_WEIGHTS, TIME_CONSTANTS_S
from lapse.laws.traces import TraceSum, kernel, told_once, with_use
from lapse.model.instants import SECOND, Instant
from lapse.model.policy import FSRS6_WEIGHTS
from lapse.model.retention import Strength
from tests.golden.oracles import exact_log_sum, petrov_log_sum
from tests.golden.vectors import ABSOLUTE, RELATIVE, Case, group, meta, trace_weights

NOW = Instant(1_900_000_000 * SECOND)


def close(expected: float | str) -> object:
    return pytest.approx(float(expected), rel=RELATIVE, abs=ABSOLUTE)


def one(value: float) -> FloatArray:
    return np.array([float(value)])


@pytest.mark.parametrize("case", group("ga_recency"))
def test_recency_by_factor_per_hour_is_golden(case: Case) -> None:
    age, decay = one(case["age_hours"]), case["params"]["decay_per_hour"]
    assert curves.exponential(age, decay)[0] == close(case["expected"]["recency"])
    assert curves.log_exponential(age, decay)[0] == close(case["expected"]["ln_recency"])


@pytest.mark.parametrize("case", group("half_life"))
def test_recency_by_half_life_is_golden(case: Case) -> None:
    age, half_life = one(case["age_hours"]), case["params"]["half_life_hours"]
    assert curves.half_life(age, half_life)[0] == close(case["expected"]["retrievability"])
    assert curves.log_half_life(age, half_life)[0] == close(case["expected"]["ln_retrievability"])


@pytest.mark.parametrize("case", group("ebbinghaus_retrievability"))
def test_ebbinghaus_retrievability_is_golden(case: Case) -> None:
    age, stability = one(case["elapsed_days"]), one(case["stability_days"])
    assert curves.ebbinghaus(age, stability)[0] == close(case["expected"]["retrievability"])
    logarithm = curves.log_ebbinghaus(age, stability)[0]
    assert logarithm == close(case["expected"]["ln_retrievability"])


@pytest.mark.parametrize("case", group("ebbinghaus_reinforce"))
def test_ebbinghaus_growth_is_golden(case: Case) -> None:
    expected, params = case["expected"], case["params"]
    # This group's cooldown runs from the last use; Lapse counts by buckets, and tests that apart.
    if not expected["applied"]:
        assert case["elapsed_days"] * 24 < params["cooldown_hours"]
        assert expected["stability_days"] == case["stability_days"]
        return
    grown = curves.ebbinghaus_reinforced(
        case["stability_days"],
        case["elapsed_days"],
        case["reinforcement_count"],
        weighted_gain=params["reinforcement_gain"] * case["source_weight"],
        minimum_quality=params["minimum_quality"],
        max_stability_days=params["max_stability_days"],
    )
    assert grown == close(expected["stability_days"])


@pytest.mark.parametrize("case", group("actr_base_level"))
def test_the_exact_sum_that_judges_the_traces_is_golden(case: Case) -> None:
    params = case["params"]
    found = exact_log_sum(case["ages_s"], params["decay"], params["age_floor_s"])
    assert found == close(case["expected"]["activation"])


@pytest.mark.parametrize("case", group("actr_petrov_hybrid"))
def test_petrovs_hybrid_is_golden_as_an_oracle(case: Case) -> None:
    params = case["params"]
    found = petrov_log_sum(
        case["recent_ages_s"],
        case["n_accesses"],
        case["oldest_age_s"],
        decay=params["decay"],
        kept=params["k"],
        age_floor_s=params["age_floor_s"],
    )
    assert found == close(case["expected"]["activation"])


@pytest.mark.parametrize("case", group("actr_probability"))
def test_probability_from_activation_is_golden(case: Case) -> None:
    params, activation = case["params"], case["activation"]
    found = recall_probability(one(activation), params["threshold"], params["noise_s"])[0]
    assert found == close(case["expected"]["probability"])


@pytest.mark.parametrize("case", group("actr_importance_decay"))
def test_importance_slows_decay_as_in_the_seed(case: Case) -> None:
    params = case["params"]
    degree = evidence(case["confidence"] / 10, case["corroboration_count"], case["entity_count"])
    assert float(degree) == close(case["expected"]["importance"])
    slowed = slowed_decay(params["base_decay"], degree, params["importance_scale"])
    assert float(slowed) == close(case["expected"]["effective_decay"])


@pytest.mark.parametrize("case", group("fsrs6_retrievability"))
def test_fsrs_retrievability_is_golden(case: Case) -> None:
    found = fsrs.retrievability(
        one(case["elapsed_days"]), one(case["stability_days"]), case["params"]["decay_w20"]
    )
    assert found[0] == close(case["expected"]["retrievability"])


@pytest.mark.parametrize("case", group("fsrs6_update"))
def test_an_fsrs_review_is_golden(case: Case) -> None:
    expected, grade = case["expected"], fsrs.Grade(case["grade_1to4"])
    if case["stability_days"] is None:
        found = fsrs.first_review(grade, FSRS6_WEIGHTS)
    else:
        before = fsrs.Review(stability_days=case["stability_days"], difficulty=case["difficulty"])
        found = fsrs.next_review(before, case["elapsed_days"], grade, FSRS6_WEIGHTS)
    assert found.stability_days == close(expected["stability_days"])
    assert found.difficulty == close(expected["difficulty"])


@pytest.mark.parametrize("case", group("fsrs6_sequence"))
def test_a_sequence_of_fsrs_reviews_is_golden(case: Case) -> None:
    grades = [fsrs.Grade(grade) for grade in case["grades_1to4"]]
    state = fsrs.first_review(grades[0], FSRS6_WEIGHTS)
    for gap_days, grade in zip(case["gaps_days"][1:], grades[1:], strict=True):
        state = fsrs.next_review(state, gap_days, grade, FSRS6_WEIGHTS)
    age, stability = one(case["query_elapsed_days"]), one(state.stability_days)
    recall = fsrs.retrievability(age, stability, FSRS6_WEIGHTS[20])
    expected = case["expected"]
    assert state.stability_days == close(expected["stability_days"])
    assert state.difficulty == close(expected["difficulty"])
    assert recall[0] == close(expected["retrievability"])


def test_the_published_weights_are_those_of_the_golden_values() -> None:
    assert list(FSRS6_WEIGHTS) == meta()["fsrs6_default_weights"]
    assert fsrs.factor(FSRS6_WEIGHTS[20]) == close(meta()["fsrs6_factor"])


def test_the_trace_weights_are_those_that_were_fitted() -> None:
    fitted = trace_weights()
    assert fitted["tau_s"] == list(TIME_CONSTANTS_S)
    for decay, weights in zip(FITTED_DECAYS, FITTED_WEIGHTS, strict=True):
        assert fitted["w"][str(decay)] == list(weights)


def told_at(age_s: float) -> Strength:
    at = Instant(NOW - round(age_s * SECOND))
    return Strength(traces=told_once(), traces_at=at, stability_days=1, difficulty=5)


def used_at(ages_s: list[float]) -> Strength:
    """A memory told at the first age and used at the others, the first not being a use."""
    strength = told_at(ages_s[0])
    for age_s in ages_s[1:]:
        traces, at = with_use(strength, Instant(NOW - round(age_s * SECOND)), 1.0)
        strength = Strength(traces=traces, traces_at=at, stability_days=1, difficulty=5)
    return strength


def settled(case: Case) -> bool:
    """Whether every access is older than the floor, so that the traces hold it as it was."""
    floor: float = case["params"]["age_floor_s"]
    return bool(case["ages_s"]) and min(case["ages_s"]) >= floor


@pytest.mark.parametrize("order", [1, -1], ids=["newest first", "oldest first"])
@pytest.mark.parametrize(
    "case", [each for each in group("actr_exponential_traces") if settled(each)]
)
def test_traces_of_a_history_are_golden_in_any_order(case: Case, order: int) -> None:
    params, expected = case["params"], case["expected"]
    strength = used_at(sorted(case["ages_s"])[::order])
    gap_s = (NOW - strength.traces_at) / SECOND
    aged = [
        trace * math.exp(-gap_s / tau)
        for trace, tau in zip(strength.traces, TIME_CONSTANTS_S, strict=True)
    ]
    assert aged == [close(each) for each in expected["traces"]]
    created_at = Instant(NOW - round(max(case["ages_s"]) * SECOND))
    held = Held(created_at=created_at, strength=strength, importance=0.5, decay=params["decay"])
    sums = TraceSum.of(params["decay"], params["age_floor_s"])
    assert sums.log_sum(columns_of([held]), NOW)[0] == close(expected["activation"])


@pytest.mark.parametrize(
    "case", [each for each in group("actr_exponential_traces") if each["ages_s"]]
)
def test_the_kernel_sums_to_the_golden_activation(case: Case) -> None:
    params = case["params"]
    ages = np.array(case["ages_s"], dtype=np.float64)
    terms = kernel(ages, np.full(ages.shape, params["decay"]), params["age_floor_s"])
    assert math.log(terms.sum()) == close(case["expected"]["activation"])
