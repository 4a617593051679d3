"""own K08: a claim is erased, and its neighbours still name it as what they replaced."""

from tests.reports.helping import Place, hit_ids

WHO = {"by": "anna", "reason": "asked for"}


def test_neighbours_name_each_other_and_the_older_holds_again(place: Place) -> None:
    bank = place.bank()
    for name in ("tea", "milk"):
        bank.remember(f"Her drink is {name}", id=name, key="drink", value=name)
        place.clock.advance(days=1)
    bank.erase(["milk"], **WHO)
    left = bank.get("tea").memory
    assert (left.superseded_by, left.is_latest) == (None, True)
    assert hit_ids(bank.recall("her drink")) == ["tea"]
