"""Own case of K16: one ideograph is a whole word, and a letter with its accent is one letter."""

import unicodedata

import pytest

from tests.reports.helping import Place, hit_ids


@pytest.mark.parametrize(("query", "found"), [("水", "water"), ("茶", "tea"), ("火", "")])
def test_a_question_of_one_ideograph_finds_the_sentences_that_hold_it(
    place: Place, query: str, found: str
) -> None:
    bank = place.bank()
    bank.remember("每天早上喝一杯水", id="water")
    bank.remember("她喜欢绿茶", id="tea")
    assert hit_ids(bank.recall(query)) == ([found] if found else [])


@pytest.mark.parametrize("asked", ["NFC", "NFD"])
@pytest.mark.parametrize("told", ["NFC", "NFD"])
@pytest.mark.parametrize("word", ["café", "Zoë", "한국어", "ภาษาไทย", "हिन्दी", "가나"])
def test_a_word_is_found_however_its_accents_are_written(
    place: Place, word: str, told: str, asked: str
) -> None:
    bank = place.bank()
    bank.remember("Something else altogether", id="other")
    bank.remember(unicodedata.normalize(told, f"{word} is open"), id="it")  # type: ignore[arg-type]
    assert hit_ids(bank.recall(unicodedata.normalize(asked, word))) == ["it"]  # type: ignore[arg-type]
    again = bank.remember(unicodedata.normalize(asked, f"{word} is open"))  # type: ignore[arg-type]
    assert again.id == "it"
