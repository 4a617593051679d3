"""B101: an underscore or a percent sign in a name acts as a wildcard.

Waits: destroying by a user's name, for `erase`.
"""

import pytest

from lapse.model.paging import Listing
from tests.reports.helping import Place, everything, hit_ids

NAMES = ("ana_lee", "ana-lee", "anaXlee", "50%", "50x", "%", "_", "ana*", "ana?", "[a]na_lee")


@pytest.mark.parametrize("name", NAMES)
def test_a_subject_a_tag_and_metadata_match_letter_by_letter(place: Place, name: str) -> None:
    bank = place.bank()
    for at, each in enumerate(NAMES):
        bank.remember(
            f"lunch {at}", id=each, subject=each, tags=[each], session=each, metadata={"user": each}
        )
    recalls = (
        bank.recall("lunch", subject=name),
        bank.recall("lunch", tags=[name]),
        bank.recall("lunch", metadata={"user": name}),
    )
    listings = (Listing(subject=name), Listing(tag=name), Listing(sessions=(name,)))
    assert [hit_ids(each) for each in recalls] == [[name]] * len(recalls)
    for listing in listings:
        assert [each.memory.id for each in everything(bank, listing)] == [name]


@pytest.mark.parametrize("name", NAMES)
def test_what_is_put_away_by_a_name_is_its_own_letter_by_letter(place: Place, name: str) -> None:
    bank = place.bank()
    for at, each in enumerate(NAMES):
        bank.remember(
            f"lunch {at}", id=each, subject=each, tags=[each], session=each, key=f"of {each}"
        )
    marks = {"subject": name, "tag": name, "session": name, "key": f"of {name}"}
    for mark, value in marks.items():
        assert [each.id for each in bank.select(**{mark: value}).matches] == [name]  # type: ignore[arg-type]  # marks by name
        moved = bank.suppress(by="host", reason="asked", **{mark: value})
        assert moved.ids == (name,)
        bank.restore([name], by="host", reason="asked")


def test_a_key_is_superseded_by_its_own_letters_only(place: Place) -> None:
    bank = place.bank()
    for each in NAMES:
        bank.remember(f"{each} drinks tea", id=each, key=each, value="tea")
    told = bank.remember("50% drinks milk", id="new", key="50%", value="milk")
    assert told.superseded == ("50%",)
    current = [each.memory.id for each in everything(bank, Listing(latest_only=True))]
    assert current == [*(each for each in NAMES if each != "50%"), "new"]


def test_banks_and_tenants_are_found_by_their_own_letters_only(place: Place) -> None:
    mind = place.open()
    for each in NAMES:
        mind.bank(each).remember("lunch", id=f"bank {each}")
        mind.bank("all", tenant=each).remember("lunch", id=f"tenant {each}")
    for each in NAMES:
        assert hit_ids(mind.bank(each).recall("lunch")) == [f"bank {each}"]
        assert hit_ids(mind.bank("all", tenant=each).recall("lunch")) == [f"tenant {each}"]
        assert mind.banks(tenant=each) == ["all"]
    assert sorted(mind.banks()) == sorted(NAMES)
