"""B087: the sweeper exists, but nothing ever sets an expiry, so raw captures pile up.

Design differs: no kind has an expiry of its own. Every active memory has a date at which it will
have faded, by law, kind and importance, and what was not worth keeping is due by that; an expiry is
what somebody stated.
"""

from lapse.bank import Bank
from lapse.model.memory import Kind
from tests.reports.helping import Place

EBBINGHAUS = {"law.name": "ebbinghaus", "retention.grace_days": 0}
"""The law under which the kinds differ: a working memory is gone in days."""


def told(place: Place) -> Bank:
    bank = place.bank(EBBINGHAUS)
    for kind in Kind:
        bank.remember(f"The {kind.value} crane", id=kind.value, kind=kind, importance=0.2)
    return bank


def test_every_memory_has_a_date_and_nobody_an_expiry(place: Place) -> None:
    bank = told(place)
    for kind in Kind:
        record = bank.get(kind.value)
        assert record.memory.expires_at is None
        assert record.state.fades_at is not None
    fades = {kind: bank.get(kind.value).state.fades_at or 0 for kind in Kind}
    assert fades[Kind.WORKING] < fades[Kind.EPISODIC] < fades[Kind.SEMANTIC]


def test_a_working_memory_is_due_within_days_and_the_others_are_not(place: Place) -> None:
    bank = told(place)
    assert bank.plan().items == ()
    place.clock.advance(days=8)
    assert [each.memory_id for each in bank.plan().items] == ["working"]
