"""B004: a half-life is used as an e-folding time, so that 0.37 is left where 0.50 should be."""

from collections.abc import Mapping

import pytest

from lapse.model.policy import describe
from tests.reports.helping import Place, ago, retrievability

LAWS: Mapping[str, tuple[Mapping[str, object], tuple[float, float]]] = {
    "half-life": ({"law.name": "half_life", "law.half_life_hours": 24}, (0.5, 0.25)),
    "stability": (
        {"law.name": "ebbinghaus", "law.base_stability_days": 1},
        (0.36788, 0.13534),
    ),
    "factor per hour": (
        {"law.name": "exponential", "law.decay_per_hour": 0.995},
        (0.88665, 0.78615),
    ),
}

SUFFIXES = {"hours": "_hours", "days": "_days", "seconds": "_s", "per hour": "_per_hour"}


@pytest.mark.parametrize("name", LAWS)
def test_each_meaning_of_a_day_leaves_what_it_says(place: Place, name: str) -> None:
    settings, expected = LAWS[name]
    bank = place.bank(settings)
    for days in (1, 2):
        bank.remember(
            f"harbour {days}",
            id=f"d{days}",
            kind="episodic",
            importance=0.5,
            created_at=ago(days=days),
        )
    left = [retrievability(bank, "harbour", f"d{days}") for days in (1, 2)]
    assert left == [pytest.approx(each, abs=5e-6) for each in expected]


def test_the_unit_of_a_span_of_time_is_part_of_its_name() -> None:
    spans = [each for each in describe() if each.unit in SUFFIXES]
    assert {"law.half_life_hours", "law.base_stability_days"} <= {each.path for each in spans}
    assert [each.path for each in spans if not each.name.endswith(SUFFIXES[each.unit])] == []
