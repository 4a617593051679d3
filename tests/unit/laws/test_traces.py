"""The ten traces against the exact sum, which keeps every instant of use."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lapse.laws import Held, StrengthColumns, columns_of
from lapse.laws.trace_weights import weights_for
from lapse.laws.traces import TraceSum, kernel, scaled, told_once, with_use
from lapse.model.instants import DAY, SECOND, Instant
from lapse.model.retention import Strength
from tests.golden.oracles import exact_log_sum, petrov_log_sum

NOW = Instant(1_900_000_000 * SECOND)
FLOOR_S = 60.0
TWENTY_YEARS_S = 20 * 365.25 * 86_400
AGES = st.floats(math.log(FLOOR_S), math.log(TWENTY_YEARS_S)).map(math.exp)
DECAYS = st.floats(0.2, 0.9)


def ago(age_s: float) -> Instant:
    return Instant(NOW - round(age_s * SECOND))


def history(ages_s: list[float]) -> Strength:
    """Told at the first age, used at the others, in the order given."""
    strength = Strength(
        traces=told_once(), traces_at=ago(ages_s[0]), stability_days=1, difficulty=5
    )
    for age_s in ages_s[1:]:
        traces, at = with_use(strength, ago(age_s), 1.0)
        strength = replace(strength, traces=traces, traces_at=at)
    return strength


def held(strength: Strength, decay: float) -> StrengthColumns:
    row = Held(created_at=strength.traces_at, strength=strength, importance=0.5, decay=decay)
    return columns_of([row])


def strength_of(ages_s: list[float], decay: float, floor_s: float = FLOOR_S) -> float:
    """The sum that the traces of a history stand for, now."""
    sums = TraceSum.of(decay, floor_s)
    return math.exp(sums.log_sum(held(history(ages_s), decay), NOW)[0])


@pytest.mark.parametrize(
    ("decay", "bound"), [(0.5, 0.018), *((each / 100, 0.05) for each in range(20, 91, 5))]
)
def test_the_kernel_keeps_its_bound_from_a_minute_to_twenty_years(
    decay: float, bound: float
) -> None:
    ages = np.geomspace(FLOOR_S, TWENTY_YEARS_S, 5_001)
    ratio = kernel(ages, np.full(ages.shape, decay), FLOOR_S) * ages**decay
    assert np.abs(ratio - 1).max() <= bound


@given(ages_s=st.lists(AGES, min_size=1, max_size=30), decay=DECAYS | st.just(0.5))
def test_any_history_is_as_exact_as_one_access(ages_s: list[float], decay: float) -> None:
    exact = math.exp(exact_log_sum(ages_s, decay, FLOOR_S))
    bound = 0.018 if decay == 0.5 else 0.05
    assert strength_of(ages_s, decay) == pytest.approx(exact, rel=bound)


@given(ages_s=st.lists(AGES, min_size=2, max_size=12), seed=st.randoms(use_true_random=False))
def test_uses_may_come_in_any_order(ages_s: list[float], seed: object) -> None:
    in_time = strength_of(sorted(ages_s, reverse=True), 0.5)
    assert strength_of(ages_s, 0.5) == pytest.approx(in_time, rel=1e-12)


def test_two_histories_merge_by_adding_aligned_traces() -> None:
    one, other = history([9e6, 400.0]), history([3e5, 400.0])
    merged = replace(one, traces=tuple(map(sum, zip(one.traces, other.traces, strict=True))))
    sums = TraceSum.of(0.5, FLOOR_S)
    found = sums.log_sum(held(merged, 0.5), NOW)[0]
    assert found == pytest.approx(math.log(strength_of([9e6, 400, 3e5, 400], 0.5)), rel=1e-13)


def test_a_revived_memory_is_judged_right_where_petrovs_hybrid_is_a_nat_low() -> None:
    silent, burst = [9e7 - n * 60 for n in range(40)], [86_400.0 + n * 3_600 for n in range(12)]
    ages = [*silent, *reversed(burst)]
    exact = exact_log_sum(ages, 0.5, FLOOR_S)
    hybrid = petrov_log_sum(
        sorted(ages)[:3], len(ages), max(ages), decay=0.5, kept=3, age_floor_s=FLOOR_S
    )
    assert math.log(strength_of(ages, 0.5)) == pytest.approx(exact, abs=0.018)
    assert hybrid < exact - 0.3


@pytest.mark.parametrize("floor_s", [1.0, 60.0, 3_600.0])
@pytest.mark.parametrize("share", [0.0, 0.3, 0.999])
def test_a_memory_told_once_counts_as_old_as_the_floor_until_it_is(
    floor_s: float, share: float
) -> None:
    at_floor = strength_of([floor_s], 0.5, floor_s)
    assert strength_of([share * floor_s], 0.5, floor_s) == pytest.approx(at_floor, rel=2e-6)


@given(ages_s=st.lists(st.floats(0, 1e5), min_size=1, max_size=8), decay=DECAYS)
def test_uses_below_the_floor_never_count_for_less_than_at_it(
    ages_s: list[float], decay: float
) -> None:
    ages = np.array(ages_s)
    floored = kernel(ages, np.full(ages.shape, decay), FLOOR_S).sum()
    # An instant is a whole microsecond, an age here is not.
    assert strength_of(ages_s, decay) >= floored * (1 - 1e-7)


@pytest.mark.parametrize("age_s", [0.0, 10.0, 59.0])
def test_a_fresh_use_of_an_old_memory_is_at_most_12_percent_high(age_s: float) -> None:
    ages = [9e6, 8e5, 9e4, age_s]
    exact = kernel(np.array(ages), np.full(4, 0.5), FLOOR_S).sum()
    assert exact <= strength_of(ages, 0.5) <= 1.12 * exact


def test_the_sum_is_finite_for_traces_of_nothing_and_after_ten_thousand_years() -> None:
    nothing = replace(history([100.0]), traces=scaled(told_once(), 0.0))
    ancient = history([10_000 * 365.25 * 86_400])
    sums = TraceSum.of(0.5, FLOOR_S)
    rows = [
        Held(created_at=each.traces_at, strength=each, importance=0.5, decay=0.5)
        for each in (nothing, ancient)
    ]
    found = sums.log_sum(columns_of(rows), NOW)
    assert np.isfinite(found).all()
    # The slowest trace still tells ten thousand years from twenty thousand.
    assert sums.log_sum(held(ancient, 0.5), Instant(NOW + 3_652_500 * DAY))[0] < found[1]


def test_rows_with_different_decay_are_as_if_alone() -> None:
    strengths = [history([9e6, 5e5, age]) for age in (5.0, 600.0, 7e4)]
    decays = [0.2, 0.47, 0.9]
    rows = [
        Held(created_at=strength.traces_at, strength=strength, importance=0.5, decay=decay)
        for strength, decay in zip(strengths, decays, strict=True)
    ]
    together = TraceSum.of(0.5, FLOOR_S).log_sum(columns_of(rows), NOW)
    alone = [
        TraceSum.of(decay, FLOOR_S).log_sum(columns_of([row]), NOW)[0]
        for row, decay in zip(rows, decays, strict=True)
    ]
    assert together.tolist() == alone


def test_the_memory_order_of_the_traces_does_not_matter() -> None:
    rows = [
        Held(created_at=NOW, strength=history([9e6, age]), importance=0.5, decay=0.5)
        for age in (5.0, 600.0, 7e4)
    ]
    columns = columns_of(rows)
    turned = replace(columns, traces=np.asfortranarray(columns.traces))
    sums = TraceSum.of(0.5, FLOOR_S)
    assert sums.log_sum(turned, NOW).tolist() == sums.log_sum(columns, NOW).tolist()


def test_a_slower_decay_never_makes_the_sum_smaller() -> None:
    ages = np.geomspace(FLOOR_S, 100 * 365.25 * 86_400, 500)
    kernels = [
        kernel(ages, np.full(ages.shape, decay), FLOOR_S) for decay in np.linspace(0.2, 0.9, 71)
    ]
    assert (np.diff(kernels, axis=0) < 0).all()


def test_decays_outside_the_fitted_range_are_held_at_its_ends() -> None:
    outside, ends = weights_for(np.array([0.0, 3.0])), weights_for(np.array([0.2, 0.9]))
    assert outside.tolist() == ends.tolist()
