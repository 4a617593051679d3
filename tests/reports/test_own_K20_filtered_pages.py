"""K20, not reported: pages of a filtered list are blank, or end before all of it was listed."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from lapse.bank import Bank
from lapse.errors import ValidationError
from lapse.model.memory import Kind
from lapse.model.paging import Listing
from lapse.model.retention import Lifecycle
from tests.reports.helping import Place, everything

COUNT = 210


def told(place: Place) -> Bank:
    """Only a few, and only among the last, are what the filters ask for."""
    bank = place.bank()
    bank.remember_many(
        {
            "text": f"harbour {at}",
            "id": f"m{at:03}",
            "kind": "working" if _rare(at) else "semantic",
            "session": "s1" if _rare(at) else None,
            "subject": "sea" if _rare(at) else None,
            "tags": ["rare"] if _rare(at) else ["common"],
        }
        for at in range(COUNT)
    )
    return bank


def _rare(at: int) -> bool:
    return at > 150 and at % 20 == 0


RARE = [f"m{at:03}" for at in range(COUNT) if _rare(at)]
FILTERS: Mapping[str, Listing] = {
    "kind": Listing(kinds=(Kind.WORKING,)),
    "session": Listing(sessions=("s1",)),
    "subject": Listing(subject="sea"),
    "tag": Listing(tag="rare"),
}


@pytest.mark.parametrize("name", FILTERS)
def test_a_filtered_list_gives_all_it_filters_for_without_a_blank_page(
    place: Place, name: str
) -> None:
    bank = told(place)
    for limit in (1, 2, 3, 100):
        asked = replace(FILTERS[name], limit=limit)
        assert [each.memory.id for each in bank.list(asked).records] == RARE[:limit]
        assert [each.memory.id for each in everything(bank, asked)] == RARE


def test_a_filter_that_nothing_passes_ends_at_once(place: Place) -> None:
    page = told(place).list(Listing(lifecycles=(Lifecycle.ARCHIVED,)))
    assert (page.records, page.next_after) == ((), None)


@pytest.mark.parametrize("limit", [0, -1, 1001, True])
def test_a_page_of_an_impossible_size_is_refused(limit: int) -> None:
    with pytest.raises(ValidationError, match="limit"):
        Listing(limit=limit)
