"""B019: a half-life of zero, or no weight at all, is accepted and turns every score into 0 or NaN.

Design differs: infinity is refused like any value that is no finite number; no ageing is a factor
of 1, or the law `none`.
"""

import math

import pytest

from lapse.errors import PolicyError
from tests.reports.helping import WEIGHTED, Place, ago, hit_ids

REFUSED: tuple[tuple[str, object], ...] = (
    ("law.half_life_hours", 0),
    ("law.half_life_hours", -5),
    ("law.half_life_hours", math.nan),
    ("law.half_life_hours", math.inf),
    ("law.decay_per_hour", 0),
    ("law.decay_per_hour", 1.5),
    ("law.decay_per_hour", -0.1),
    ("law.base_stability_days", 0),
    ("law.noise", 0),
    ("scoring.weight_recency", -1),
    ("scoring.blend_half_life_hours", 0),
    ("scoring.event_window_days", 0),
)
NO_WEIGHT = {
    "scoring.weight_recency": 0,
    "scoring.weight_importance": 0,
    "scoring.weight_relevance": 0,
}


@pytest.mark.parametrize(("path", "value"), REFUSED)
def test_a_value_out_of_range_is_refused_by_name_and_the_last_policy_stays(
    place: Place, path: str, value: float
) -> None:
    bank = place.bank()
    bank.set_policy({"law.decay": 0.7})
    before = bank.policy()
    with pytest.raises(PolicyError) as caught:
        bank.set_policy({path: value, "law.decay": 0.3})
    (found,) = caught.value.faults
    assert found.field == path
    assert "finite" in found.problem or "number" in found.problem
    assert bank.policy() == before


@pytest.mark.parametrize("text", ["0", "-5", "nan", "inf", "1e400"])
def test_a_half_life_out_of_range_in_the_environment_keeps_lapse_from_opening(
    place: Place, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    monkeypatch.setenv("LAPSE_LAW__HALF_LIFE_HOURS", text)
    with pytest.raises(PolicyError, match=r"law\.half_life_hours"):
        place.open()


def test_all_weights_at_zero_are_refused_together(place: Place) -> None:
    bank = place.bank(WEIGHTED)
    bank.remember("harbour", id="a")
    with pytest.raises(PolicyError, match="at least one weight"):
        bank.set_policy(NO_WEIGHT)
    with pytest.raises(PolicyError, match="at least one weight"):
        bank.recall("harbour", weight_recency=0, weight_importance=0, weight_relevance=0)
    assert hit_ids(bank.recall("harbour", weight_recency=0, weight_importance=0)) == ["a"]


def test_a_factor_of_one_per_hour_is_no_ageing(place: Place) -> None:
    bank = place.bank({"law.name": "exponential", "law.decay_per_hour": 1})
    bank.remember("harbour", id="a", created_at=ago(days=4000))
    assert bank.recall("harbour plans").hits[0].explanation.retrievability == 1.0
    assert bank.get("a").state.fades_at is None
