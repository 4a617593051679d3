"""The laws with one curve since the anchor: units, edges, refusals."""

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from lapse.errors import DomainError, ValidationError
from lapse.laws import FloatArray, Law, Seed, law_for
from lapse.laws.curves import (
    ebbinghaus,
    ebbinghaus_reinforced,
    exponential,
    half_life,
    log_half_life,
)
from lapse.model.instants import DAY, HOUR, MINUTE, Instant, parse_instant
from lapse.model.memory import Kind
from lapse.model.policy import Anchor, LawName, LawPolicy
from tests.unit.laws.examples import TOLD_AT, after, columns, days_until, told, use

ALL_BUT_ACTIVATION = [name for name in LawName if name is not LawName.ACTIVATION]


def recall(law: Law, days: float) -> float:
    """R of a memory told once, so many days later."""
    return float(law.retrievability(columns(told(law)), after(days))[0])


def aged(*hours: float) -> FloatArray:
    return np.array(hours, dtype=np.float64)


def test_a_half_life_an_e_folding_time_and_a_factor_per_hour_are_three_settings() -> None:
    assert half_life(aged(24, 48), 24) == pytest.approx([0.5, 0.25])
    assert ebbinghaus(aged(1, 2), aged(1, 1)) == pytest.approx([0.36788, 0.13534], abs=1e-5)
    assert exponential(aged(24, 48), 0.995) == pytest.approx([0.88665, 0.78615], abs=1e-5)


def test_ages_below_an_hour_are_not_cut_to_zero() -> None:
    law = law_for(LawPolicy(name=LawName.HALF_LIFE, half_life_hours=1))
    rows = columns(told(law))
    found = [
        law.retrievability(rows, Instant(TOLD_AT + minutes * MINUTE))[0] for minutes in (1, 59)
    ]
    assert found == pytest.approx([0.98851, 0.50581], abs=1e-5)


def test_times_with_and_without_a_zone_give_the_same_recency() -> None:
    law = law_for(LawPolicy(name=LawName.EXPONENTIAL))
    now = parse_instant("2026-03-02T09:00:00", "now")
    aware = parse_instant("2026-03-02T10:00:00+01:00", "now")
    rows = columns(told(law))
    assert law.retrievability(rows, now)[0] == pytest.approx(0.88665, abs=1e-5)
    assert law.retrievability(rows, aware) == law.retrievability(rows, now)


def test_a_last_use_before_creation_counts_as_creation() -> None:
    law = law_for(LawPolicy(name=LawName.EXPONENTIAL))
    skewed = told(law, [use(-40)])
    now = Instant(TOLD_AT + HOUR)
    assert law.retrievability(columns(skewed), now)[0] == pytest.approx(0.995)


def test_asking_often_changes_nothing() -> None:
    law = law_for(LawPolicy(name=LawName.EXPONENTIAL, decay_per_hour=math.exp(-0.01 / 24)))
    rows = columns(told(law))
    found = [law.retrievability(rows, after(hour / 24))[0] for hour in range(241)]
    assert found[-1] == pytest.approx(math.exp(-0.1), abs=1e-9)
    assert law.retrievability(rows, after(10))[0] == found[-1]


@pytest.mark.parametrize("name", ALL_BUT_ACTIVATION)
def test_retrievability_is_one_at_age_zero_and_for_the_future(name: LawName) -> None:
    law = law_for(LawPolicy(name=name))
    assert [recall(law, days) for days in (0, -10)] == [1, 1]


def test_none_never_fades() -> None:
    law = law_for(LawPolicy(name=LawName.NONE))
    held = told(law, importance=0)
    assert recall(law, 36_525) == 1
    assert int(law.crossing(columns(held), 0.99)[0]) == np.iinfo(np.int64).max
    assert math.isinf(law.half_life_days(columns(held))[0])
    assert law.archive_level is None


def test_a_factor_of_one_per_hour_is_no_ageing() -> None:
    law = law_for(LawPolicy(name=LawName.EXPONENTIAL, decay_per_hour=1.0))
    assert recall(law, 36_525) == 1
    assert int(law.crossing(columns(told(law)), 0.05)[0]) == np.iinfo(np.int64).max


@pytest.mark.parametrize(
    ("name", "level", "days"),
    [
        (LawName.HALF_LIFE, 0.05, 4.32),
        (LawName.EXPONENTIAL, 0.05, 24.9),
        (LawName.EBBINGHAUS, 0.05, 89.9),
        (LawName.FSRS, 0.58, 78.1),
    ],
)
def test_each_law_has_its_own_level_and_reaches_it_in_its_own_time(
    name: LawName, level: float, days: float
) -> None:
    law = law_for(LawPolicy(name=name))
    assert law.archive_level == level
    assert days_until(law, told(law), level) == pytest.approx(days, rel=0.005)


def test_far_tails_keep_their_order_in_the_logarithm() -> None:
    law = law_for(LawPolicy(name=LawName.HALF_LIFE))
    rows = columns(told(law))
    found = [law.log_retrievability(rows, after(days))[0] for days in (1_100, 1_200, 36_500)]
    assert found == pytest.approx(
        [-1_100 * math.log(2), -1_200 * math.log(2), -36_500 * math.log(2)]
    )


@pytest.mark.parametrize(
    ("anchor", "days"), [(Anchor.LAST_USE, 2), (Anchor.CREATED, 10), (Anchor.EVENT, 10)]
)
def test_the_anchor_says_from_where_age_counts(anchor: Anchor, days: float) -> None:
    law = law_for(LawPolicy(name=LawName.HALF_LIFE, anchor=anchor))
    held = told(law, [use(8)])
    assert law.retrievability(columns(held), after(10))[0] == pytest.approx(2.0**-days)


@pytest.mark.parametrize("anchor", Anchor)
def test_half_life_counts_from_the_last_use_under_every_anchor(anchor: Anchor) -> None:
    law = law_for(LawPolicy(name=LawName.FSRS, anchor=anchor))
    rows = columns(told(law, [use(8)]))
    days = float(law.half_life_days(rows)[0])
    first, second = (law.retrievability(rows, after(8 + each))[0] for each in (0, days))
    assert second == pytest.approx(first / 2)


@pytest.mark.parametrize(
    ("kind", "importance", "stability"),
    [
        (Kind.EPISODIC, 0.5, 30),
        (Kind.WORKING, 0.5, 3),
        (Kind.SEMANTIC, 0.5, 60),
        (Kind.PROCEDURAL, 1.0, 90),
        (Kind.EPISODIC, 0.0, 15),
    ],
)
def test_ebbinghaus_starts_by_kind_and_importance(
    kind: Kind, importance: float, stability: float
) -> None:
    law = law_for(LawPolicy(name=LawName.EBBINGHAUS))
    held = told(law, kind=kind, importance=importance)
    assert held.strength.stability_days == pytest.approx(stability)


def test_what_was_derived_or_corroborated_starts_more_stable() -> None:
    law = law_for(LawPolicy(name=LawName.EBBINGHAUS))
    seeds = [
        Seed(created_at=TOLD_AT, kind=Kind.EPISODIC),
        Seed(created_at=TOLD_AT, kind=Kind.EPISODIC, derived=True),
        Seed(created_at=TOLD_AT, kind=Kind.EPISODIC, proof_count=4),
        Seed(created_at=TOLD_AT, kind=Kind.SEMANTIC, importance=1.0, proof_count=10**40),
    ]
    found = [law.initial(seed).stability_days for seed in seeds]
    assert found == pytest.approx([30, 90, 30 * (1 + math.log(4)), 3_650])


def test_ten_spaced_uses_make_stability_about_nine_times_longer() -> None:
    law = law_for(LawPolicy(name=LawName.EBBINGHAUS))
    held = told(law, [use(3_000 * each) for each in range(1, 11)])
    assert held.strength.stability_days / 30 == pytest.approx(9.1, abs=0.1)


def test_a_use_never_shortens_a_stability_that_is_already_beyond_the_limit() -> None:
    grown = ebbinghaus_reinforced(
        5_000, 10, 0, weighted_gain=0.5, minimum_quality=0.1, max_stability_days=3_650
    )
    assert grown == 5_000


@pytest.mark.parametrize("name", [LawName.EXPONENTIAL, LawName.HALF_LIFE, LawName.EBBINGHAUS])
def test_a_rejection_makes_age_run_twice_as_fast_from_the_same_anchor(name: LawName) -> None:
    law = law_for(LawPolicy(name=name))
    held = told(law, [use(2)])
    left = law.reject(held.strength, after(3), 0.5)
    assert left.last_counted_at == held.strength.last_counted_at
    wrong = columns(replace(held, strength=left))
    whole = law.log_retrievability(columns(held), after(12))[0]
    assert law.log_retrievability(wrong, after(12))[0] == pytest.approx(2 * whole)


@pytest.mark.parametrize(
    "formula",
    [
        lambda: exponential(aged(1), 0.0),
        lambda: exponential(aged(1), 1.5),
        lambda: exponential(aged(1), math.nan),
        lambda: exponential(aged(math.nan), 0.995),
        lambda: half_life(aged(1), 0.0),
        lambda: half_life(aged(1), -5.0),
        lambda: log_half_life(aged(1), math.inf),
        lambda: half_life(aged(1), math.nan),
        lambda: ebbinghaus(aged(1), aged(0)),
        lambda: ebbinghaus(aged(1, 2), aged(1, math.inf)),
        lambda: ebbinghaus(aged(math.nan), aged(1)),
        lambda: ebbinghaus_reinforced(
            0, 1, 0, weighted_gain=1, minimum_quality=0, max_stability_days=10
        ),
    ],
)
def test_numbers_outside_a_formulas_domain_are_refused_by_name(
    formula: Callable[[], object],
) -> None:
    with pytest.raises(DomainError) as caught:
        formula()
    assert isinstance(caught.value, ValidationError)
    named = {"decay_per_hour", "half_life_hours", "stability_days", "age_hours", "age_days"}
    assert caught.value.fields.keys() <= named


def test_all_faults_of_a_call_are_named_at_once() -> None:
    with pytest.raises(DomainError) as caught:
        ebbinghaus(aged(math.nan), aged(-1))
    assert set(caught.value.fields) == {"age_days", "stability_days"}


def test_a_day_is_a_day() -> None:
    law = law_for(LawPolicy(name=LawName.HALF_LIFE))
    assert int(law.crossing(columns(told(law)), 0.5)[0]) - TOLD_AT == DAY
