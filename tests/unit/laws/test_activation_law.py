"""The default law: what the design promises of it, in days."""

import math
from dataclasses import replace

import numpy as np
import pytest

from lapse.errors import DomainError
from lapse.laws import Law, creation_log_term, effective_decay, law_for
from lapse.laws.activation import noise, recall_probability, threshold
from lapse.model.instants import DAY, SECOND, Instant
from lapse.model.policy import ImportanceEffect, LawPolicy
from tests.unit.laws.examples import TOLD_AT, after, columns, days_until, told, use


@pytest.fixture
def law() -> Law:
    return law_for(LawPolicy())


@pytest.mark.parametrize(
    ("importance", "days"),
    [(0.0, 3), (0.25, 21), (0.5, 5 * 30.4), (0.75, 3 * 365.25), (1.0, 24 * 365.25)],
)
def test_a_once_told_memory_falls_below_need_0_02_when_the_design_says(
    law: Law, importance: float, days: float
) -> None:
    assert law.archive_level == 0.02
    assert days_until(law, told(law, importance=importance), 0.02) == pytest.approx(days, rel=0.1)


@pytest.mark.parametrize(("weight", "factor"), [(1.0, 4.0), (0.8, 3.2)])
def test_a_later_use_multiplies_the_time_to_fade(law: Law, weight: float, factor: float) -> None:
    once = days_until(law, told(law), 0.02)
    again = days_until(law, told(law, [use(1, weight)]), 0.02)
    assert again / once == pytest.approx(factor, rel=0.06)


def test_use_gain_lets_a_use_weigh_more_than_the_telling() -> None:
    plain, generous = law_for(LawPolicy()), law_for(LawPolicy(use_gain=5.0))
    lasting = [days_until(each, told(each, [use(1)]), 0.02) for each in (plain, generous)]
    once = days_until(plain, told(plain), 0.02)
    assert lasting[1] / once == pytest.approx(36, rel=0.1)
    assert lasting[0] < lasting[1]


def test_every_decay_agrees_on_a_memory_told_once_one_day_ago() -> None:
    needs = []
    for decay in (0.2, 0.35, 0.5, 0.7, 0.9):
        law = law_for(LawPolicy(decay=decay))
        needs.append(float(law.need(columns(told(law, decay=decay)), after(1))[0]))
    assert needs == pytest.approx([0.2169] * 5, rel=0.04)


def test_retrievability_is_need_and_its_logarithm_agrees(law: Law) -> None:
    rows = columns(*(told(law, importance=each) for each in (0, 0.5, 1)))
    recall, need = law.retrievability(rows, after(30)), law.need(rows, after(30))
    assert recall.tolist() == need.tolist()
    assert np.exp(law.log_retrievability(rows, after(30))) == pytest.approx(recall, rel=1e-12)


def test_importance_is_log_odds_over_noise(law: Law) -> None:
    low, high = law.need(columns(told(law, importance=0), told(law, importance=1)), after(9))
    gained = math.log(high / (1 - high)) - math.log(low / (1 - low))
    assert gained == pytest.approx(4.0 / 0.97)


def test_base_level_is_the_logarithm_of_the_sum_and_importance(law: Law) -> None:
    held = told(law, [use(2)], importance=0.75)
    found = law.base_level_activation(columns(held), after(10))[0]
    exact = math.log((10 * 86_400) ** -0.5 + (8 * 86_400) ** -0.5) + 4.0 * 0.25
    assert found == pytest.approx(exact, abs=0.018)


@pytest.mark.parametrize(
    ("policy", "cooldown", "tau", "scale"),
    [
        (LawPolicy(), 24.0, -4.45, 0.97),
        (LawPolicy(), 0.0, -4.0, 1.07),
        (LawPolicy(decay=0.7), 24.0, -4.45 - 0.2 * math.log(86_400), 0.97),
        (LawPolicy(threshold=-3.0, noise=0.25), 24.0, -3.0, 0.25),
    ],
)
def test_threshold_and_noise_follow_decay_and_cooldown(
    policy: LawPolicy, cooldown: float, tau: float, scale: float
) -> None:
    assert threshold(policy, cooldown) == pytest.approx(tau)
    assert noise(policy, cooldown) == pytest.approx(scale)


def test_the_bar_does_not_move_with_the_decay_of_one_memory() -> None:
    policy = LawPolicy(importance_effect=ImportanceEffect.DECAY)
    law = law_for(policy)
    slow = float(effective_decay(policy, 1.0, 0.5, 1, 0))
    plain, important = told(law), told(law, importance=1, decay=slow)
    assert slow == pytest.approx(0.2)
    assert days_until(law, important, 0.2) > 100 * days_until(law, plain, 0.2)


@pytest.mark.parametrize(
    ("importance", "confidence", "proof", "entities", "expected"),
    [
        (0.5, 0.5, 1, 0, 0.5),
        (0.0, 0.0, 1, 0, 0.5),
        (1.0, 0.5, 1, 0, 0.2),
        (0.5, 1.0, 5, 10, 0.2),
        (0.75, 0.5, 1, 0, 0.35),
        (0.5, 0.845, 1, 0, 0.425),
    ],
)
def test_importance_as_slower_decay_leaves_a_default_memory_alone(
    importance: float, confidence: float, proof: int, entities: int, expected: float
) -> None:
    policy = LawPolicy(importance_effect=ImportanceEffect.DECAY)
    found = effective_decay(policy, importance, confidence, proof, entities)
    assert float(found) == pytest.approx(expected)


def test_importance_as_log_odds_leaves_decay_alone() -> None:
    found = effective_decay(LawPolicy(decay=0.7), np.array([0.0, 1.0]), 1.0, 5, 10)
    assert found.tolist() == [0.7, 0.7]


def test_a_policys_own_calibration_changes_need_and_not_retrievability() -> None:
    plain, fitted = law_for(LawPolicy()), law_for(LawPolicy(need_slope=0.5, need_offset=1.0))
    rows = columns(told(plain))
    base_level = plain.base_level_activation(rows, after(30))[0]
    assert fitted.retrievability(rows, after(30)) == plain.retrievability(rows, after(30))
    expected = 1 / (1 + math.exp(-(0.5 * base_level + 1.0)))
    assert fitted.need(rows, after(30))[0] == pytest.approx(expected)


def test_a_rejection_halves_the_sum_and_a_use_in_passing_does_not_make_up_for_it(
    law: Law,
) -> None:
    before = told(law, [use(5)])
    wrong = replace(before, strength=law.reject(before.strength, after(6), 0.5))
    full, half = law.base_level_activation(columns(before, wrong), after(30))
    assert full - half == pytest.approx(math.log(2), abs=1e-3)
    fetched = replace(wrong, strength=law.reinforce(wrong.strength, use(6.5, 0.1)))
    now = after(7)
    assert law.need(columns(fetched), now)[0] < law.need(columns(before), now)[0]


def test_a_level_never_reached_within_a_hundred_years_is_never(law: Law) -> None:
    lasting = told(law, [use(each) for each in range(1, 40)], importance=1)
    assert int(law.crossing(columns(lasting), 0.02)[0]) == np.iinfo(np.int64).max


def test_a_level_above_the_curve_was_crossed_at_its_start(law: Law) -> None:
    assert int(law.crossing(columns(told(law, importance=0)), 0.9)[0]) == TOLD_AT
    assert int(law.crossing(columns(told(law)), 1.0)[0]) == TOLD_AT


def test_a_level_of_zero_is_never_crossed(law: Law) -> None:
    assert int(law.crossing(columns(told(law)), 0.0)[0]) == np.iinfo(np.int64).max


def test_crossing_of_what_is_below_already_lies_in_the_past_of_the_curve(law: Law) -> None:
    held = told(law, importance=0)
    crossed = Instant(int(law.crossing(columns(held), 0.02)[0]))
    assert TOLD_AT < crossed < after(4)
    assert law.need(columns(held), after(500))[0] < 0.02


def test_half_life_is_from_the_last_use(law: Law) -> None:
    held = told(law, [use(1), use(9)])
    days = float(law.half_life_days(columns(held))[0])
    start, end = after(9), Instant(after(9) + round(days * DAY))
    first, second = (float(law.need(columns(held), each)[0]) for each in (start, end))
    assert second == pytest.approx(first / 2, rel=1e-6)


def test_what_creation_adds_by_itself_is_the_sum_of_a_memory_never_used(law: Law) -> None:
    unused, used = told(law), told(law, [use(3), use(8)])
    now = after(60)
    own = creation_log_term(columns(used), now, 60.0)[0]
    assert own == pytest.approx(law.base_level_activation(columns(unused), now)[0])
    assert own < law.base_level_activation(columns(used), now)[0]


def test_clock_skew_counts_as_age_zero(law: Law) -> None:
    rows = columns(told(law))
    early = Instant(TOLD_AT - 10 * DAY)
    assert law.need(rows, early) == law.need(rows, TOLD_AT)


def test_ages_of_seconds_are_told_apart_from_the_floor_on(law: Law) -> None:
    rows = columns(told(law))
    needs = [law.need(rows, Instant(TOLD_AT + each * SECOND))[0] for each in (61, 62, 63)]
    assert needs[0] > needs[1] > needs[2]


def test_noise_has_to_be_positive() -> None:
    with pytest.raises(DomainError, match="noise_nats"):
        recall_probability(np.zeros(1), -4.0, 0.0)
