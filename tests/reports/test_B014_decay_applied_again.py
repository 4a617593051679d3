"""B014: each pass of decay takes the whole idle time off what the last pass left.

Waits: a sweep as the pass, for `sweep`; here a pass is all the upkeep there is, and a recall.
"""

from lapse.bank import Bank
from tests.reports.helping import T0, Place, ago, retrievability

LAW = {"law.name": "ebbinghaus", "law.base_stability_days": 100}
"""R = exp(−0.01 per day)."""

EXPECTED = 0.9048374180359595
"""exp(−0.1)"""


def told(bank: Bank) -> Bank:
    bank.remember(
        "harbour",
        id="a",
        kind="episodic",
        importance=0.5,
        confidence=1.0,
        created_at=ago(days=10),
    )
    return bank


def passed(bank: Bank) -> float:
    """R after one pass of everything that works on its own."""
    bank.drain()
    bank.doctor()
    bank.stats()
    bank.recall("harbour plans")
    return retrievability(bank, "harbour plans", "a")


def test_passes_at_one_instant_leave_what_one_pass_leaves(place: Place) -> None:
    bank = told(place.bank(LAW))
    before = bank.get("a")
    left = [passed(bank) for _ in range(25)]
    assert abs(left[0] - EXPECTED) < 1e-9
    assert left == [left[0]] * 25
    assert bank.get("a") == before


def test_hourly_passes_for_ten_days_leave_what_one_pass_leaves(place: Place) -> None:
    place.clock.set(ago(days=10))
    bank = told(place.bank(LAW))
    for hours in range(240, 0, -1):
        place.clock.set(ago(hours=hours))
        before = passed(bank)
    place.clock.set(T0)
    assert before > EXPECTED
    assert abs(passed(bank) - EXPECTED) < 1e-9
    assert bank.get("a").state.importance == 0.5
    assert bank.get("a").memory.confidence == 1.0


def test_a_bank_opened_anew_for_each_pass_loses_nothing_more(in_file: Place) -> None:
    told(in_file.bank(LAW))
    left = [passed(in_file.bank(LAW)) for _ in range(5)]
    assert abs(left[0] - EXPECTED) < 1e-9
    assert left == [left[0]] * 5
