"""B050: corrections within minutes leave several live values, worse when out of order."""

from itertools import pairwise

from tests.reports.helping import Place, hit_ids

TIMES = {"first": "09:01:10", "second": "09:02:20", "third": "09:03:30"}


def test_a_chain_is_in_order_of_time_whatever_arrives_first(place: Place) -> None:
    bank = place.bank()
    for name in ("third", "first", "second"):
        at = f"2026-05-01T{TIMES[name]}Z"
        bank.remember(f"the {name} value of the setting", id=name, key="setting", valid_from=at)
    assert hit_ids(bank.recall("value of the setting")) == ["third"]
    chain = [bank.get(each).memory for each in TIMES]
    for before, after in pairwise(chain):
        assert (before.valid_to, before.superseded_by) == (after.valid_from, after.id)
    assert [each.valid_to is None for each in chain] == [False, False, True]


def test_the_same_holds_for_corrections_by_id(place: Place) -> None:
    bank = place.bank()
    bank.remember("the setting is three", id="third", valid_from="2026-05-01T09:03:30Z")
    for name in ("first", "second"):
        at = f"2026-05-01T{TIMES[name]}Z"
        bank.supersede(old="third", new=f"the setting is {name}", id=name, valid_from=at)
    assert hit_ids(bank.recall("the setting")) == ["third"]
    assert [bank.get(each).memory.is_latest for each in TIMES] == [False, False, True]
