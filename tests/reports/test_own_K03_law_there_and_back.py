"""K03, not reported: a policy is tried out for a day, and taken back."""

import pytest

from lapse.bank import Bank
from tests.reports.helping import Place, ago


def told(place: Place) -> Bank:
    bank = place.bank()
    bank.remember("harbour", id="a", created_at=ago(days=20), importance=0.4)
    for days in (15, 9, 2):
        bank.used(["a"], at=ago(days=days))
    bank.used(["a"], source="rejected", at=ago(days=1))
    bank.drain()
    return bank


@pytest.mark.parametrize("law", ["ebbinghaus", "fsrs", "half_life", "exponential", "none"])
def test_another_law_for_a_day_costs_no_strength_once_it_is_taken_back(
    place: Place, law: str
) -> None:
    bank = told(place)
    before = bank.get("a").state
    bank.set_policy({"law.name": law})
    between = bank.get("a").state
    bank.set_policy({"law.name": ""})
    after = bank.get("a").state
    assert between.strength != before.strength or between.fades_at != before.fades_at
    assert after.strength == before.strength
    assert after.fades_at == before.fades_at
    assert after.importance == before.importance


def test_a_day_without_forgetting_ends_where_the_curve_stands(place: Place) -> None:
    bank = told(place)
    before = bank.recall("harbour plans").hits[0].explanation.retrievability
    bank.set_policy({"forgetting.enabled": False})
    assert bank.recall("harbour plans").hits[0].explanation.retrievability == 1.0
    bank.set_policy({"forgetting.enabled": True})
    assert bank.recall("harbour plans").hits[0].explanation.retrievability == before < 1.0
