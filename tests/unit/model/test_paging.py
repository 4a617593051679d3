"""Listings: bounded pages and cursors."""

import pytest

from lapse.errors import ValidationError
from lapse.model.paging import PAGE_LIMIT, Listing


@pytest.mark.parametrize("limit", [0, -1, PAGE_LIMIT + 1, True])
def test_a_page_holds_1_to_1000_memories(limit: int) -> None:
    with pytest.raises(ValidationError) as caught:
        Listing(limit=limit)
    assert [each.field for each in caught.value.faults] == ["limit"]


def test_a_cursor_is_no_negative_number() -> None:
    with pytest.raises(ValidationError) as caught:
        Listing(after=-1, limit=0)
    assert [each.field for each in caught.value.faults] == ["limit", "after"]


@pytest.mark.parametrize("limit", [1, PAGE_LIMIT])
def test_both_ends_of_the_range_are_in_it(limit: int) -> None:
    assert Listing(limit=limit).limit == limit
