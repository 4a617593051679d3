"""K12, not reported: each number of a sweep's report equals what can be counted afterwards."""

from collections import Counter

from lapse.model.retention import Lifecycle
from tests.reports.helping import Place, everything

AUTO = {
    "forgetting.mode": "lifecycle",
    "forgetting.auto_apply": True,
    "retention.max_active": "none",
}


def test_every_number_of_a_report_equals_the_measured_difference(place: Place) -> None:
    bank = place.bank(AUTO)
    for at in range(12):
        bank.remember(f"The ship {at} docked", id=f"m{at}", importance=0.0 if at < 9 else 0.7)
    bank.pin(["m0"])
    bank.hold("case 7", ids=["m1", "m2"], by="counsel", reason="a claim")
    place.clock.advance(days=90)
    before = Counter(each.state.lifecycle for each in everything(bank))
    report = bank.sweep().report
    assert report is not None
    after = Counter(each.state.lifecycle for each in everything(bank))
    gone = [each for each in everything(bank) if each.state.lifecycle is Lifecycle.ARCHIVED]

    assert report.applied == after[Lifecycle.ARCHIVED] - before[Lifecycle.ARCHIVED] == len(gone)
    assert report.active_before == before[Lifecycle.ACTIVE]
    assert report.active_after == after[Lifecycle.ACTIVE]
    assert report.visited == report.applied + sum(each.count for each in report.spared)
    moved = {item for plan in report.plan_ids for item in bank.get_plan(plan).items}
    assert {each.memory_id for each in moved} == {each.memory.id for each in gone}
    assert report.departed.count == len(gone)


def test_a_sweep_that_only_plans_reports_nothing_as_gone(place: Place) -> None:
    bank = place.bank(AUTO | {"forgetting.auto_apply": False})
    bank.remember("The ship docked", id="m", importance=0.0)
    place.clock.advance(days=90)
    report = bank.sweep().report
    assert report is not None
    assert (report.planned, report.applied, report.departed.count) == (1, 0, 0)
    assert report.active_after == report.active_before == 1
    assert bank.get("m").state.lifecycle is Lifecycle.ACTIVE
