"""B007: a back-filled archive looks equally fresh, because its age is that of its import."""

from collections.abc import Mapping

import pytest

from lapse.model.instants import parse_instant
from lapse.model.query import Hit
from tests.reports.helping import T0, Place

OCCURRED = {
    "a": parse_instant("2025-06-01", "occurred_at"),
    "b": parse_instant("2026-05-31", "occurred_at"),
}


def recalled(place: Place, settings: Mapping[str, object]) -> list[Hit]:
    """What is recalled of two memories that were loaded in the same minute."""
    bank = place.bank(settings)
    bank.remember_many(
        [
            {"text": "harbour opened", "id": "a", "occurred_at": OCCURRED["a"], "importance": 0.5},
            {"text": "harbour closed", "id": "b", "occurred_at": OCCURRED["b"], "importance": 0.5},
        ]
    )
    return list(bank.recall("harbour plans").hits)


@pytest.mark.parametrize("law", ["exponential", "activation", "ebbinghaus", "fsrs"])
def test_age_counts_from_the_event_where_the_policy_says_so(place: Place, law: str) -> None:
    hits = recalled(place, {"law.name": law, "law.anchor": "event"})
    assert [each.id for each in hits] == ["b", "a"]
    assert hits[0].explanation.retrievability > hits[1].explanation.retrievability
    assert {each.id: each.explanation.anchor for each in hits} == OCCURRED


@pytest.mark.parametrize("law", ["exponential", "activation", "ebbinghaus", "fsrs"])
def test_age_counts_from_the_import_otherwise_and_the_tie_rule_decides(
    place: Place, law: str
) -> None:
    hits = recalled(place, {"law.name": law})
    assert hits[0].explanation.retrievability == hits[1].explanation.retrievability
    assert hits[0].score == hits[1].score
    assert [each.id for each in hits] == ["a", "b"]
    assert {each.explanation.anchor for each in hits} == {T0}


def test_the_recency_of_an_event_can_be_weighed_beside_strength(place: Place) -> None:
    hits = recalled(place, {"scoring.event_recency": "exponential"})
    assert [each.id for each in hits] == ["b", "a"]
    assert {each.explanation.anchor for each in hits} == {T0}


@pytest.mark.parametrize("law", ["exponential", "activation", "ebbinghaus", "fsrs"])
def test_a_bank_that_changes_to_the_event_is_as_if_it_had_always_counted_from_it(
    place: Place, law: str
) -> None:
    changed = place.open({"law.name": law}).bank("changed")
    always = place.open({"law.name": law, "law.anchor": "event"}).bank("always")
    for bank in (changed, always):
        bank.remember("harbour opened", id="a", occurred_at=OCCURRED["a"])
    before = changed.get("a")
    changed.set_policy({"law.anchor": "event"})
    assert changed.get("a").state.strength == always.get("a").state.strength
    assert changed.get("a").state.fades_at == always.get("a").state.fades_at
    assert changed.get("a").state.fades_at != before.state.fades_at or law == "fsrs"
