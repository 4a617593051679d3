import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lapse.errors import ValidationError
from lapse.text.fingerprints import SIZE_BYTES, fingerprint
from lapse.text.normalise import clean, fold

TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1)


@pytest.mark.parametrize(
    "text",
    [
        "明天上午在会议室讨论预算",
        "내일 회의실 예약을 취소했다",
        "ทำงานที่บ้าน",
        "हिन्दी में लिखा",
        "مرحبا\u200fبكم",
        "👨‍👩‍👧 and 🏴󠁧󠁢󠁥󠁮󠁧󠁿 and 👍🏽",
        "Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢L̠ͨͧͩ͘G̴̻͈͍͔̹̑͗̎̅͛́Ǫ̵̹̻̝̳͂̌̌͘",
        "  kept \t spaces\r\nand\nlines ",
        "tab\there, bell\x07, escape\x1b[0m",
    ],
)
def test_any_script_emoji_and_mark_survives_to_the_byte(text: str) -> None:
    expected = unicodedata.normalize("NFC", text)
    assert clean(text, "text", 65_536).encode() == expected.encode()


def test_decomposed_letters_are_kept_composed() -> None:
    assert clean("cafe\u0301", "text", 100) == "caf\u00e9"


@pytest.mark.parametrize(
    "text", ["", " ", "\t\n", "\u3000", "\u200b\u200d\ufeff", "\u00ad", "\x07"]
)
def test_a_text_with_nothing_visible_is_refused(text: str) -> None:
    with pytest.raises(ValidationError, match="nothing visible"):
        clean(text, "text", 100)


@pytest.mark.parametrize("text", [".", "?", "🎉", "1", "一", "\u0301"])
def test_one_visible_character_is_enough(text: str) -> None:
    assert clean(text, "text", 100) == text


def test_nul_is_refused_with_its_place() -> None:
    with pytest.raises(ValidationError, match=r"note = U\+0000 at 2: must not contain NUL"):
        clean("ab\0c", "note", 100)


def test_half_a_surrogate_pair_is_refused_with_its_place() -> None:
    with pytest.raises(ValidationError, match=r"U\+D83D at 1"):
        clean("a\ud83d", "text", 100)


def test_length_is_counted_in_bytes_of_the_composed_form() -> None:
    assert clean("e\u0301" * 50, "text", 100) == "é" * 50
    with pytest.raises(ValidationError, match="102 bytes: must be at most 100 bytes"):
        clean("é" * 51, "text", 100)


def test_all_faults_are_told_at_once() -> None:
    with pytest.raises(ValidationError) as caught:
        clean("\0\ud800" + "x" * 100, "text", 50)
    assert len(caught.value.faults) == 3
    assert {each.field for each in caught.value.faults} == {"text"}


def test_the_error_of_a_long_text_does_not_repeat_it() -> None:
    with pytest.raises(ValidationError) as caught:
        clean("secret " * 100, "text", 50)
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("value", [None, 7, b"bytes", ["a"]])
def test_what_is_no_text_is_refused(value: object) -> None:
    with pytest.raises(ValidationError, match="must be text"):
        clean(value, "text", 100)


@given(TEXTS)
def test_cleaning_is_final(text: str) -> None:
    try:
        once = clean(text, "text", 1_000_000)
    except ValidationError:
        return
    assert clean(once, "text", 1_000_000) == once == unicodedata.normalize("NFC", text)


@pytest.mark.parametrize(
    ("told", "again"),
    [
        ("I moved to Paris.", "i moved to  paris"),
        ("I moved to Paris", '"I moved to Paris!"'),
        ("ＡＢＣ １２", "abc 12"),
        ("cafe\u0301", "CAFÉ"),
        ("zero\u200bwidth", "zerowidth"),
        ("Straße", "STRASSE"),
        ("明天开会。", "「明天开会」"),
        ("«Bonjour !»", "bonjour"),
        ("line\none", "line one"),
        ("o\ufb03ce", "OFFICE"),
        ("…so it goes…", "so it goes"),
        ("- milk", "milk"),
    ],
)
def test_the_same_text_told_again_is_known(told: str, again: str) -> None:
    assert fold(told) == fold(again)
    assert fingerprint(told) == fingerprint(again)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Alice likes tea.", "Alice likes tea?"),
        ("10² metres", "102 metres"),
        ("½ cup", "1⁄2 cup"),
        ("-5 degrees", "5 degrees"),
        ("100%", "100"),
        ("C#", "C"),
        ("C++", "C"),
        ("gate 12", "gate 13"),
        (".env is ignored", "env is ignored"),
        ("résumé", "resume"),
        ("let's eat, grandma", "let's eat grandma"),
        ("🏴󠁧󠁢󠁥󠁮󠁧󠁿", "🏴󠁧󠁢󠁳󠁣󠁴󠁿"),
        ("👍", "👎"),
    ],
)
def test_texts_that_mean_something_else_stay_apart(one: str, other: str) -> None:
    assert fold(one) != fold(other)
    assert fingerprint(one) != fingerprint(other)


@pytest.mark.parametrize("text", ["!!!", "…", '"', "()"])
def test_a_text_of_punctuation_keeps_a_form_of_its_own(text: str) -> None:
    assert fold(text) != ""


@given(TEXTS)
def test_folding_twice_changes_nothing_more(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@given(TEXTS)
def test_normal_forms_of_one_text_have_one_fingerprint(text: str) -> None:
    decomposed = unicodedata.normalize("NFD", text)
    assert fingerprint(decomposed) == fingerprint(unicodedata.normalize("NFC", text))
    assert len(fingerprint(text)) == SIZE_BYTES


def test_a_fingerprint_is_the_same_on_every_machine() -> None:
    assert fingerprint("I prefer tea, not coffee.").hex() == "413ffb502dce4b854ff041002392cced"


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("a" + "." * 60_000 + "b", "a" + "." * 60_000 + "b"),
        ("(" * 30_000 + "a" + ")" * 30_000, "a"),
        ("- " * 30_000 + "a", "a"),
        ("a" + " ." * 30_000, "a"),
    ],
)
def test_long_runs_of_punctuation_fold_in_linear_time(text: str, folded: str) -> None:
    # A pattern that tried every run anew took half a minute for the first of these.
    assert fold(text) == folded
