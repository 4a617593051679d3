"""B091: a planner's term divides by the largest count in the set, which may be zero.

Given ten records that were never used, and the mean of importance, usage and recency, usage being
log1p(count) / log1p(largest count).
"""

import math

import numpy as np
import pytest

from lapse.bank import Bank
from lapse.lifecycle.retention_scores import usage
from lapse.model.plan import Plan
from tests.reports.helping import Place, ago

MEAN = {"retention.grace_days": 0, "law.cooldown_hours": 0}


def told(place: Place) -> Bank:
    bank = place.bank(MEAN)
    bank.remember_many(
        {"text": f"The crane {at} is red", "id": f"m{at}", "created_at": ago(days=29)}
        for at in range(10)
    )
    return bank


def used(plan: Plan) -> dict[str, float]:
    """Usage of each memory, as its score and its other two parts leave it."""
    shares = {}
    for each in plan.items:
        assert each.score is not None
        assert each.parts is not None
        shares[each.memory_id] = 3 * each.score - each.parts.importance - each.parts.use_recency
    return shares


def test_where_nothing_was_used_the_term_is_zero_and_the_plan_is_whole(place: Place) -> None:
    plan = told(place).plan(percentile=100.0, score="mean")
    assert len(plan.items) == 10
    assert all(each.score is not None and math.isfinite(each.score) for each in plan.items)
    assert used(plan) == pytest.approx(dict.fromkeys([f"m{at}" for at in range(10)], 0.0), abs=1e-6)


def test_counts_of_three_and_fifteen_are_a_half_and_one(place: Place) -> None:
    bank = told(place)
    for name, count in (("m3", 3), ("m7", 15)):
        for at in range(count):
            bank.used([name], event_id=f"{name} {at}", at=ago(days=20 - at))
    bank.drain()
    shares = used(bank.plan(percentile=100.0, score="mean"))
    assert shares["m3"] == pytest.approx(0.5)
    assert shares["m7"] == pytest.approx(1.0)
    assert shares["m0"] == pytest.approx(0.0, abs=1e-6)


def test_the_term_by_itself() -> None:
    assert usage(np.zeros(3, np.int64)).tolist() == [0.0, 0.0, 0.0]
    assert usage(np.array([0, 3, 15])).tolist() == pytest.approx([0.0, 0.5, 1.0])
