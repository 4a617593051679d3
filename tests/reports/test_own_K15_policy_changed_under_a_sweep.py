"""K15, not reported: somebody changes the policy, or stops it, while sweeps go on."""

from tests.reports.helping import Place

AUTO = {
    "forgetting.mode": "lifecycle",
    "forgetting.auto_apply": True,
    "retention.max_active": "none",
}


def test_a_sweep_goes_by_the_policy_that_is_in_force_when_it_begins(place: Place) -> None:
    mind = place.open(AUTO)
    bank, other = mind.bank("alice"), mind.bank("alice")
    for at in range(4):
        bank.remember(f"The ship {at} docked", id=f"m{at}", importance=0.0)
    place.clock.advance(days=90)
    other.set_policy({"retention.grace_days": 3650})
    report = bank.sweep().report
    assert report is not None
    assert (report.visited, report.applied) == (0, 0)
    other.set_policy({"retention.grace_days": 0})
    again = bank.sweep().report
    assert again is not None
    assert again.applied == 4


def test_who_is_no_longer_to_sweep_does_not(place: Place) -> None:
    bank = place.bank(AUTO)
    bank.remember("The ship docked", id="m", importance=0.0)
    place.clock.advance(days=90)
    bank.set_policy({"forgetting.mode": "filter"})
    assert bank.sweep().report is None
    bank.set_policy({"forgetting.mode": "lifecycle", "forgetting.auto_apply": False})
    report = bank.sweep().report
    assert report is not None
    assert (report.planned, report.applied) == (1, 0)
