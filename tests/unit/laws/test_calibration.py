"""Need: what a law's score says of the next thirty days."""

import math

import numpy as np
import pytest

from lapse.laws import law_for
from lapse.laws.calibration import BASE_RATE, NeedLine, log_logistic, logistic, logit
from lapse.model.policy import LawName, LawPolicy
from tests.unit.laws.examples import after, columns, days_until, told, use


def need(policy: LawPolicy, days: float) -> float:
    law = law_for(policy)
    return float(law.need(columns(told(law)), after(days))[0])


@pytest.mark.parametrize(("chance", "days"), [(0.05, 19.6), (0.01, 672)])
def test_a_once_used_memory_reaches_a_need_when_it_was_measured_to(
    chance: float, days: float
) -> None:
    fitted = LawPolicy(cooldown_hours=0, threshold=-3.749 / 0.934, noise=1 / 0.934)
    law = law_for(fitted)
    assert days_until(law, told(law), chance) == pytest.approx(days, rel=0.05)


def test_raw_retrievability_is_not_need() -> None:
    law = law_for(LawPolicy(name=LawName.FSRS))
    rows = columns(told(law))
    assert law.retrievability(rows, after(30))[0] > 0.6
    assert law.need(rows, after(30))[0] < 0.05


def test_one_curve_in_two_units_has_one_need() -> None:
    by_factor = LawPolicy(name=LawName.EXPONENTIAL, decay_per_hour=0.99)
    by_half_life = LawPolicy(name=LawName.HALF_LIFE, half_life_hours=24)
    for days in (0.0, 3.0, 100.0):
        assert need(by_factor, days) == pytest.approx(need(by_half_life, days), rel=1e-12)


def test_log_odds_of_need_fall_by_0_0026_a_day_since_the_last_use() -> None:
    policy = LawPolicy(name=LawName.HALF_LIFE)
    fallen = logit(need(policy, 0)) - logit(need(policy, 100))
    assert fallen == pytest.approx(0.26)
    assert need(policy, 0) == pytest.approx(1 / (1 + math.exp(1.655)))


def test_without_ageing_need_stays_at_its_highest() -> None:
    policy = LawPolicy(name=LawName.EXPONENTIAL, decay_per_hour=1.0)
    assert need(policy, 10_000) == need(policy, 0) == pytest.approx(1 / (1 + math.exp(1.655)))


def test_a_law_that_knows_nothing_says_the_base_rate() -> None:
    assert need(LawPolicy(name=LawName.NONE), 500) == pytest.approx(BASE_RATE)


@pytest.mark.parametrize("name", LawName)
def test_a_policys_two_numbers_replace_the_laws_own(name: LawName) -> None:
    fitted = LawPolicy(name=name, need_slope=2.0, need_offset=-1.0)
    law = law_for(fitted)
    rows = columns(told(law, [use(3)]))
    is_activation = name is LawName.ACTIVATION
    scored = law.base_level_activation if is_activation else law.log_retrievability
    score = float(scored(rows, after(9))[0])
    assert law.need(rows, after(9))[0] == pytest.approx(1 / (1 + math.exp(1.0 - 2.0 * score)))


def test_each_number_is_replaced_by_itself() -> None:
    policy = LawPolicy(name=LawName.EBBINGHAUS, need_offset=0.0)
    assert need(policy, 0) == pytest.approx(0.5)
    assert need(policy, 60) == pytest.approx(1 / (1 + math.exp(0.115 * 2)))


def test_the_logistic_curve_and_its_logarithm_hold_in_both_tails() -> None:
    odds = np.array([-1e5, -800.0, -3.0, 0.0, 3.0, 800.0, 1e5])
    assert log_logistic(odds).tolist() == pytest.approx(
        [-1e5, -800, -math.log1p(math.exp(3)), -math.log(2), -math.log1p(math.exp(-3)), 0, 0]
    )
    curve = logistic(odds.copy())
    assert curve[2:5] == pytest.approx(np.exp(log_logistic(odds))[2:5])
    assert (np.diff(curve) >= 0).all()
    assert ((curve >= 0) & (curve <= 1)).all()


def test_a_line_gives_back_the_score_of_a_need() -> None:
    line = NeedLine(slope=0.5, offset=-2.0)
    assert line.need(np.array([line.score_at(0.3)]))[0] == pytest.approx(0.3)


@pytest.mark.parametrize(("chance", "score"), [(0.6, math.inf), (0.4, -math.inf)])
def test_a_flat_line_never_reaches_another_need(chance: float, score: float) -> None:
    assert NeedLine(slope=0.0, offset=0.0).score_at(chance) == score
