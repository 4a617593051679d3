"""B062: right after forgetting, recall still shows the record; right after telling, not the new."""

from tests.reports.helping import Place, hit_ids

WHO = {"by": "anna", "reason": "asked for"}


def test_in_the_same_instant_the_old_is_absent_and_the_new_is_there(place: Place) -> None:
    bank = place.bank()
    bank.remember("The ferry leaves at nine", id="a")
    assert hit_ids(bank.recall("ferry")) == ["a"]
    bank.erase(["a"], **WHO)
    bank.remember("The ferry waits for the tide", id="b")
    assert hit_ids(bank.recall("ferry")) == ["b"]
