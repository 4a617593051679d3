"""B031: being fetched moves strength further than a deliberate like, and undoes a dislike."""

import pytest

from lapse.bank import Bank
from lapse.model.policy import LawName
from tests.reports.helping import Place, ago

LAWS = sorted(set(LawName) - {LawName.NONE})

COUNTED = {"reinforcement.weight_returned": 0.3}
"""A policy that lets being shown count a little."""


def told(place: Place, settings: dict[str, object]) -> Bank:
    """Four memories that nothing tells apart but what happens to them."""
    bank = place.bank(settings)
    for name in ("left", "fetched", "liked", "disliked"):
        bank.remember(f"harbour {name}", id=name, created_at=ago(days=10), tags=[name])
    return bank


def need_of(bank: Bank, name: str) -> float:
    why = bank.why("harbour plans", name).explanation
    assert why is not None
    return why.need


@pytest.mark.parametrize("law", LAWS)
def test_a_dislike_outlasts_being_fetched_in_passing(place: Place, law: LawName) -> None:
    bank = told(place, {"law.name": law})
    bank.used(["disliked"], source="rejected", at=ago(hours=1))
    bank.recall("harbour plans", tags=["disliked"])
    bank.drain()
    assert need_of(bank, "disliked") < need_of(bank, "left")


@pytest.mark.parametrize("law", LAWS)
def test_being_fetched_adds_nothing_and_a_like_adds_something(place: Place, law: LawName) -> None:
    bank = told(place, {"law.name": law})
    bank.recall("harbour plans", tags=["fetched"])
    bank.used(["liked"], source="explicit")
    bank.drain()
    assert need_of(bank, "fetched") == need_of(bank, "left") < need_of(bank, "liked")


@pytest.mark.parametrize("law", ["activation", "ebbinghaus"])
def test_a_like_adds_more_than_being_fetched_where_that_counts(place: Place, law: str) -> None:
    bank = told(place, {"law.name": law, **COUNTED})
    bank.recall("harbour plans", tags=["fetched"])
    bank.used(["liked"], source="explicit")
    bank.drain()
    place.clock.set(ago(days=-20))
    assert need_of(bank, "left") < need_of(bank, "fetched") < need_of(bank, "liked")
