"""K07: a rejected value that was replaced comes back by being restated and corroborated."""

from lapse.model.outcome import Action
from lapse.model.proposal import ProposalKind, ProposalStatus
from tests.reports.helping import Place, hit_ids

OLD, NEW = "the gate code is 4711", "the gate code is 1234"


def test_a_restated_value_stays_away_and_is_listed(place: Place) -> None:
    bank = place.bank()
    bank.remember(OLD, id="old")
    place.clock.advance(days=1)
    bank.used(["old"], source="rejected")
    bank.supersede(old="old", new=NEW, id="new")
    strength = bank.get("old").state.strength
    for role in ("user", "assistant", "tool"):
        place.clock.advance(days=1)
        assert bank.remember(OLD.upper(), role=role).action is Action.DISPUTED
    bank.drain()
    assert hit_ids(bank.recall("what is the gate code")) == ["new"]
    (listed,) = bank.conflicts()
    assert (listed.kind, listed.memory_id, listed.other_ids) == (
        ProposalKind.RESTATE,
        "old",
        ("new",),
    )
    assert bank.get("old").state.strength.reinforcement_count == strength.reinforcement_count


def test_what_was_dismissed_does_not_come_up_again(place: Place) -> None:
    bank = place.bank()
    bank.remember(OLD, id="old")
    bank.supersede(old="old", new=NEW, id="new")
    bank.remember(OLD)
    decided = bank.dismiss(bank.conflicts()[0].id, by="ann", reason="an old note")
    bank.remember(OLD)
    assert bank.conflicts() == []
    assert list(bank.conflicts(status=ProposalStatus.DISMISSED)) == [decided]
    assert hit_ids(bank.recall("what is the gate code")) == ["new"]


def test_accepting_makes_the_restated_value_hold_again(place: Place) -> None:
    bank = place.bank()
    bank.remember(OLD, id="old")
    bank.supersede(old="old", new=NEW, id="new")
    bank.remember(OLD)
    place.clock.advance(days=1)
    bank.accept(bank.conflicts()[0].id, by="ann")
    (hit,) = bank.recall("what is the gate code").hits
    assert hit.text == OLD
    assert bank.get("new").memory.superseded_by == hit.id
    assert bank.conflicts() == []
