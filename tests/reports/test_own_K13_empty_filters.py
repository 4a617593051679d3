"""Own case of K13: a filter that was given but says nothing is a filter, not the lack of one."""

import pytest

from lapse.model.paging import Listing
from tests.reports.helping import Place, everything, hit_ids
from tests.reports.helping_b import Ask

EMPTY: dict[str, Ask] = {
    "subject": lambda bank, value: bank.recall("harbour", subject=value),
    "tag": lambda bank, value: bank.recall("harbour", tags=[value]),
    "metadata": lambda bank, value: bank.recall("harbour", metadata={"user": value}),
    "session": lambda bank, value: bank.recall("harbour", session=value),
}


@pytest.mark.parametrize("form", EMPTY)
@pytest.mark.parametrize("value", ["", " "])
def test_an_empty_name_finds_nobody(place: Place, form: str, value: str) -> None:
    bank = place.bank({"recall.include_other_sessions": False})
    bank.remember(
        "The harbour", id="u1s", subject="u1", tags=["u1"], session="u1", metadata={"user": "u1"}
    )
    bank.remember("The old harbour", id="nobodys")
    assert hit_ids(EMPTY[form](bank, value)) == []
    assert hit_ids(EMPTY[form](bank, "u1")) == ["u1s"]


def test_an_empty_name_lists_nobody(place: Place) -> None:
    bank = place.bank()
    bank.remember("The harbour", subject="u1", tags=["u1"], key="u1", session="u1")
    for nobody in (Listing(subject=""), Listing(tag=""), Listing(key=""), Listing(sessions=("",))):
        assert everything(bank, nobody) == []
    for one in (Listing(subject="u1"), Listing(tag="u1"), Listing(key="u1")):
        assert len(everything(bank, one)) == 1
