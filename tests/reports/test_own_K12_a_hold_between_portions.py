"""K12, not reported: a hold placed while a sweep is under way, and one on what arrives later."""

from lapse.model.guards import Guard
from tests.reports.helping import Place

AUTO = {
    "forgetting.mode": "lifecycle",
    "forgetting.auto_apply": True,
    "retention.max_active": "none",
}


def test_a_hold_placed_between_two_portions_spares_what_is_left(place: Place) -> None:
    bank = place.bank(AUTO)
    for at in range(6):
        bank.remember(f"The ship {at} docked", id=f"m{at}", importance=0.0, tags=["ship"])
    place.clock.advance(days=90)
    first = bank.sweep(limit=2).report
    assert first is not None
    assert first.applied == 2
    bank.hold("case 7", tag="ship", by="counsel", reason="a claim")
    rest = bank.sweep().report
    assert rest is not None
    assert rest.applied == 0
    assert [(each.guard, each.count) for each in rest.spared] == [(Guard.HOLD, 4)]


def test_a_hold_covers_what_arrives_later_whatever_a_sweep_finds_due(place: Place) -> None:
    bank = place.bank(AUTO)
    bank.remember("Anything", id="seed", importance=0.5)
    bank.hold("case 7", session="s1", by="counsel", reason="a claim")
    bank.remember("The ship docked", id="late", importance=0.0, session="s1")
    bank.remember("The ferry docked", id="free", importance=0.0, session="s2")
    place.clock.advance(days=90)
    report = bank.sweep().report
    assert report is not None
    assert report.applied == 1
    assert bank.get("late").state.transition is None
