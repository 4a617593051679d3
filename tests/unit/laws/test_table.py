"""The table of a law, and what it must say of the presets before anything is planned by levels."""

import math

import numpy as np
import pytest

from lapse.laws.table import AGES_DAYS, Example, law_curve, law_table, levels_of
from lapse.model import presets
from lapse.model.memory import Kind
from lapse.model.policy import (
    ForgettingPolicy,
    LawName,
    LawPolicy,
    Policy,
    ReinforcementPolicy,
)

DOMAINS = ("assistant", "companion", "support", "research", "legal")


def fall_days(policy: Policy, importance: float, kind: Kind) -> float:
    """Days until a memory told once is due under the policy."""
    (row,) = law_table(policy, [kind], [importance], [0]).rows
    due = row.falls[0].after_days
    return math.inf if due is None else due


@pytest.mark.parametrize("kind", Kind)
@pytest.mark.parametrize("importance", [0.0, 0.05, 0.1])
@pytest.mark.parametrize("name", DOMAINS)
def test_a_once_told_triviality_is_due_between_1_and_60_days(
    name: str, importance: float, kind: Kind
) -> None:
    assert 1 <= fall_days(presets.named(name), importance, kind) <= 60


@pytest.mark.parametrize("kind", Kind)
@pytest.mark.parametrize("name", DOMAINS)
def test_a_neutral_memory_is_due_between_30_days_and_5_years(name: str, kind: Kind) -> None:
    assert 30 <= fall_days(presets.named(name), 0.5, kind) <= 5 * 365.25


def test_the_table_has_a_row_for_each_kind_importance_and_number_of_uses() -> None:
    table = law_table(Policy())
    assert table.law is LawName.ACTIVATION
    assert table.levels == (0.02,)
    shown = {(row.example.kind, row.example.importance, row.example.uses) for row in table.rows}
    assert len(table.rows) == len(shown) == len(Kind) * 3 * 4
    for row in table.rows:
        assert [reading.age_days for reading in row.readings] == list(AGES_DAYS)


def test_needs_fall_with_age_and_rise_with_importance_and_use() -> None:
    table = law_table(Policy(), [Kind.EPISODIC])
    at_30_days = {}
    for row in table.rows:
        needs = [reading.need for reading in row.readings]
        assert needs == sorted(needs, reverse=True)
        at_30_days[row.example.importance, row.example.uses] = needs[3]
    assert at_30_days[0.0, 0] < at_30_days[0.5, 0] < at_30_days[1.0, 0]
    assert at_30_days[0.5, 0] < at_30_days[0.5, 1] < at_30_days[0.5, 3] < at_30_days[0.5, 10]


def test_kinds_differ_where_the_law_lets_them() -> None:
    policy = Policy(law=LawPolicy(name=LawName.EBBINGHAUS))
    rows = law_table(policy, [Kind.WORKING, Kind.EPISODIC, Kind.SEMANTIC], [0.5], [0]).rows
    lives = [row.half_life_days for row in rows]
    assert lives == pytest.approx([each * math.log(2) for each in (3, 30, 60)])


def test_both_levels_that_a_policy_acts_on_are_dated() -> None:
    policy = Policy(forgetting=ForgettingPolicy(recall_threshold=0.1))
    assert levels_of(policy) == (0.1, 0.02)
    (row,) = law_table(policy, [Kind.EPISODIC], [0.5], [0]).rows
    first, second = (fall.after_days for fall in row.falls)
    assert first is not None
    assert second is not None
    assert first < second


def test_a_level_of_zero_is_none() -> None:
    assert levels_of(Policy(forgetting=ForgettingPolicy(recall_threshold=0.0))) == (0.02,)


def test_uses_that_weigh_nothing_change_nothing() -> None:
    policy = Policy(reinforcement=ReinforcementPolicy(weight_cited=0.0))
    once, often = law_table(policy, [Kind.SEMANTIC], [0.5], [0, 10]).rows
    assert once.readings == often.readings


def test_nothing_falls_under_none() -> None:
    table = law_table(Policy(law=LawPolicy(name=LawName.NONE)), [Kind.EPISODIC], [0.0], [0])
    assert table.levels == ()
    assert table.rows[0].falls == ()
    assert math.isinf(table.rows[0].half_life_days)


def test_a_curve_passes_through_the_readings() -> None:
    example = Example(importance=0.25, uses=3)
    (row,) = law_table(Policy(), [Kind.SEMANTIC], [0.25], [3]).rows
    curve = law_curve(Policy(), example, np.array(AGES_DAYS))
    assert curve.tolist() == [reading.retrievability for reading in row.readings]
