"""Texts made to be slow or odd are read in time that grows with their length; nothing breaks."""

import pytest

from lapse.model.selector import Passage
from lapse.selecting.about import about
from lapse.text.identifiers.kept import kept_identifiers
from lapse.text.tokens import Tokeniser

TERMS = Tokeniser("english").terms
LENGTH = 65_536

# Each would take minutes or more if any pattern went over it again from every place.
PIECES = (
    *("1", "a", "a+", "a.", "a-", "a_", "@", "1 ", "1,", "a b ", "1-", "( ", "  ", ". ", "/a"),
    *("\\", "a at b dot ", "+1 ", "A1B2 ", "é", "田", "a\u200b", "2026-", "1.1.", "::", "%40"),
    *("'a", "X Y ", "J1 ", "(1)", "1)(", "June 5, 2026 ", "is the same ", "also known as "),
    *("Same ", "Аa", "\u0301", "\u202e", "🌱", "A 11 ", "$1,", "1h", "a@b.c ", "http://"),
)


@pytest.mark.parametrize("piece", PIECES, ids=ascii)
def test_a_long_text_of_one_piece_is_read(piece: str) -> None:
    text = piece * (LENGTH // len(piece))
    assert all(each.canonical for each in kept_identifiers(text))
    passages = [Passage(id="long", text=text), Passage(id="short", text="Mona rows.")]
    chosen = about(passages, "everything about Mona, mona@fern.io", terms=TERMS)
    assert [each.id for each in chosen.matches] in ([], ["short"])


def test_an_identifier_is_found_at_the_end_of_a_long_text() -> None:
    text = f"{'lorem ipsum ' * 5_000} ask mona@fern.io"
    chosen = about([Passage(id="long", text=text)], "mona@fern.io", terms=TERMS)
    assert [each.id for each in chosen.matches] == ["long"]


@pytest.mark.parametrize("hidden", ["\u200b", "\u2060", "\u00ad", "\ufeff", "\u202e", "\u180e"])
def test_invisible_characters_hide_nothing(hidden: str) -> None:
    text = f"Guest al{hidden}ice@ac{hidden}me.io paid."
    chosen = about([Passage(id="a", text=text)], "alice@acme.io", terms=TERMS)
    assert [each.id for each in chosen.matches] == ["a"]


@pytest.mark.parametrize(
    "text",
    [
        "Guest ａｌｉｃｅ＠ａｃｍｅ．ｉｏ paid.",
        "Guest 𝐚𝐥𝐢𝐜𝐞@acme.io paid.",
        "Guest аlice@acme.io paid.",  # a Cyrillic а
        "Guest alicé@acme.io paid.",
    ],
)
def test_other_letters_of_the_same_look_are_the_same(text: str) -> None:
    chosen = about([Passage(id="a", text=text)], "alice@acme.io", terms=TERMS)
    assert [each.id for each in chosen.matches] == ["a"]
