"""Judging predictions: each formula against numbers worked out by hand."""

import math

import numpy as np
import pytest

from lapse.lab.judging import (
    binned_error,
    calibration_error,
    log_loss,
    reliability,
)
from lapse.lab.logistic import fit_logistic
from lapse.laws.calibration import logistic

NEEDED = np.array([True, False, False, True])


def test_log_loss_of_known_predictions() -> None:
    found = log_loss(np.array([0.8, 0.4, 0.1, 0.5]), NEEDED)
    assert found == pytest.approx(-(math.log(0.8 * 0.6 * 0.9 * 0.5)) / 4)


def test_one_certain_mistake_costs_no_infinity() -> None:
    assert log_loss(np.array([0.0]), np.array([True])) == pytest.approx(math.log(1e6))


def test_a_right_constant_is_calibrated_and_a_wrong_one_is_off_by_its_distance() -> None:
    assert calibration_error(np.full(4, 0.5), NEEDED, bins=1) == 0
    assert calibration_error(np.full(4, 0.75), NEEDED, bins=1) == pytest.approx(0.25)


def test_the_reliability_table_runs_from_the_least_likely_up() -> None:
    rows = reliability(np.array([0.9, 0.1, 0.2, 0.8]), NEEDED, bins=2)
    assert [each.count for each in rows] == [2, 2]
    assert [each.observed for each in rows] == [0.0, 1.0]
    assert rows[0].predicted == pytest.approx(0.15)


def test_errors_in_bins_of_age_and_count_are_weighed_by_count() -> None:
    found = binned_error(
        np.array([1.0, 0.0, 0.5, 0.5]),
        NEEDED,
        np.array([1.0, 1.0, 100.0, 100.0]),
        np.array([1, 1, 9, 9]),
    )
    assert found == pytest.approx(0.0)


def test_the_regression_finds_the_line_that_made_the_data() -> None:
    dice = np.random.default_rng(0)
    score = dice.normal(size=20_000)
    needed = dice.random(20_000) < logistic(1.5 * score - 2.0)
    slope, offset = fit_logistic(np.column_stack([score, np.ones(20_000)]), needed).tolist()
    assert slope == pytest.approx(1.5, abs=0.1)
    assert offset == pytest.approx(-2.0, abs=0.1)


def test_a_column_that_separates_leaves_the_weights_finite() -> None:
    columns = np.column_stack([np.array([-1.0, -1.0, 1.0, 1.0]), np.ones(4)])
    weights = fit_logistic(columns, np.array([False, False, True, True]))
    assert np.isfinite(weights).all()
    assert weights[0] > 1
