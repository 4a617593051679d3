"""B073: retiring and reverting a fact returns it as if new: count, strength and events are gone.

Right: every field as before each time; only the journal grew, and how long scores spare it.
"""

from dataclasses import replace

import pytest

from lapse.bank import Bank
from lapse.model.instants import DAY, Instant
from lapse.model.record import Record
from tests.reports.helping import T0, Place, ago

WHO = {"by": "anna", "reason": "a mistake"}
EBBINGHAUS = {"law.name": "ebbinghaus", "law.cooldown_hours": 0}


def told(place: Place) -> Bank:
    bank = place.bank(EBBINGHAUS)
    bank.remember("The crane stands at the harbour", id="B", created_at=ago(days=90))
    bank.remember(
        "The crane is red",
        id="A",
        importance=0.8,
        tags=["harbour", "tool"],
        created_at=ago(days=80),
        derived_from=["B"],
    )
    bank.remember("The red crane is strong", id="C", derived_from=["A"])
    for at in range(40):
        bank.used(["A"], event_id=f"use {at}", at=ago(days=29 - at / 2))
    bank.drain()
    return bank


def all_of(bank: Bank) -> tuple[Record, tuple[str, ...], list[tuple[Instant, str]]]:
    """The record but for its protection, who cites it, and its log of uses."""
    record = bank.get("A")
    state = replace(record.state, protected_until=None)
    cited = [each.memory.id for each in bank.list().records if "A" in each.memory.derived_from]
    uses = [(each.at, each.about) for each in bank.history("A").happenings if each.what == "used"]
    return replace(record, state=state), tuple(cited), uses


@pytest.mark.parametrize("verb", ["suppress", "archive"])
def test_every_field_is_as_before_each_time(place: Place, verb: str) -> None:
    bank = told(place)
    before, entries = all_of(bank), bank.verify_journal().entries
    assert before[0].state.strength.reinforcement_count == 40
    assert before[0].state.strength.stability_days > 100
    assert before[0].state.strength.last_counted_at == Instant(T0 - round(9.5 * DAY))
    assert before[1] == ("C",)
    for turn in range(1, 4):
        getattr(bank, verb)(["A"], **WHO)
        bank.restore(["A"], **WHO)
        assert all_of(bank) == before
        assert bank.verify_journal().entries == entries + 2 * turn
    if place.lasting:
        assert all_of(place.bank(EBBINGHAUS)) == before


def test_retracted_and_taken_back_it_is_as_before(place: Place) -> None:
    bank = told(place)
    before = all_of(bank)
    for _ in range(3):
        bank.retract(["A"], reason="never so", by="anna")
        assert bank.recall("crane").hits[0].id != "A"
        bank.unretract(["A"], reason="it was so", by="anna")
        assert all_of(bank) == before
