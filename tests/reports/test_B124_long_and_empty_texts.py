"""B124: long texts fail somewhere on the way, and empty ones become ghosts among the hits."""

import pytest

from lapse.errors import ValidationError
from tests.reports.helping import Place, everything, hit_ids

LONG = "word " * 39_998 + "last quokka"
assert len(LONG) == 200_001


def test_a_text_above_the_limit_is_refused_with_the_limit(place: Place) -> None:
    bank = place.bank()
    with pytest.raises(ValidationError, match=r"65[ ,_]?536"):
        bank.remember(LONG)
    assert everything(bank) == []
    bank.remember(LONG[-60_000:], id="shorter")
    assert hit_ids(bank.recall("quokka")) == ["shorter"]


def test_a_text_within_a_higher_limit_comes_back_exactly_and_is_found_by_its_last_word(
    place: Place,
) -> None:
    bank = place.bank({"memory.max_text_bytes": 1_000_000})
    bank.remember("Something else", id="other")
    bank.remember(LONG, id="long")
    assert bank.get("long").memory.text == LONG
    assert hit_ids(bank.recall("quokka")) == ["long"]
    assert bank.recall("quokka").hits[0].text == LONG
    assert bank.recall("quokka", budget_words=100).hits == ()


@pytest.mark.parametrize("blank", ["", " ", " \t\n\u3000", "\u200b", "\u200b \ufeff"])
def test_a_text_that_shows_nothing_is_refused_and_leaves_no_row(place: Place, blank: str) -> None:
    bank = place.bank()
    with pytest.raises(ValidationError, match="text"):
        bank.remember(blank)
    with pytest.raises(ValidationError, match="content"):
        bank.ingest([{"role": "user", "content": "hello"}, {"role": "user", "content": blank}])
    assert everything(bank) == []


@pytest.mark.parametrize("one", ["x", "7", "é", "水", "😀"])
def test_a_text_of_one_character_is_kept_and_found(place: Place, one: str) -> None:
    bank = place.bank()
    bank.remember(one, id="one")
    bank.remember("Something else", id="other")
    assert bank.get("one").memory.text == one
    assert hit_ids(bank.recall(one)) == ["one"]


def test_emptying_a_text_by_an_update_is_refused(place: Place) -> None:
    bank = place.bank()
    bank.remember("Lunch was soup", id="m1")
    with pytest.raises(ValidationError, match="text"):
        bank.update("m1", text=" ")
    assert bank.get("m1").memory.text == "Lunch was soup"
