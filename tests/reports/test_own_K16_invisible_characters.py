"""Own case of K16: characters that nobody sees hide no word, and are kept where they stand."""

import pytest

from tests.reports.helping import Place, hit_ids

HIDDEN = {
    "zero-width space": "pass\u200bport",
    "soft hyphen": "pass\u00adport",
    "word joiner": "pass\u2060port",
    "byte order mark": "\ufeffpassport",
    "right-to-left mark": "passport\u200f",
    "full width": "ｐａｓｓｐｏｒｔ",
    "embedding": "\u202bpassport\u202c",
}


@pytest.mark.parametrize("name", HIDDEN)
def test_a_word_with_invisible_characters_is_found_by_its_letters(place: Place, name: str) -> None:
    bank = place.bank()
    text = f"The {HIDDEN[name]} is in the drawer"
    bank.remember(text, id="it")
    bank.remember("The key is in the drawer", id="other")
    assert hit_ids(bank.recall("passport")) == ["it"]
    assert bank.get("it").memory.text == text
    assert hit_ids(bank.recall(HIDDEN[name])) == ["it"]
    assert hit_ids(bank.recall("port")) == []


def test_right_to_left_sentences_are_found_by_their_words(place: Place) -> None:
    bank = place.bank()
    bank.remember("שלום לכל החברים בנמל", id="hebrew")
    bank.remember("الميناء هادئ في الصباح", id="arabic")
    assert hit_ids(bank.recall("החברים")) == ["hebrew"]
    assert hit_ids(bank.recall("هادئ")) == ["arabic"]
    assert hit_ids(bank.recall("mixed هادئ text")) == ["arabic"]
