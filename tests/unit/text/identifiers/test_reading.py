from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lapse.model.identifier import IDENTIFIER_LIMIT, Identifier, IdentifierType
from lapse.text.identifiers.reading import find_identifiers, identifiers_of
from lapse.text.identifiers.spelling import plain

SPELLINGS = {
    (IdentifierType.EMAIL, "nora@fern.io"): [
        "Write to nora@fern.io.",
        "Write to <NORA@Fern.IO>, please",
        "mailto:nora@fern.io",
        "nora%40fern.io",
        "nora at fern dot io",
        "nora [at] fern [dot] io",
        "n o r a @ f e r n . i o",
        "ｎｏｒａ＠fern.io",
        "n\u200bora@fern.io",
        "nоra@fern.io",  # a Cyrillic о
    ],
    (IdentifierType.PHONE, "442079460958"): [
        "Ring +44 20 7946 0958!",
        "Ring +442079460958",
        "Ring +44 (0)20 7946 0958",
        "Ring 0044 20 7946 0958",
        "Ring +44-20-7946-0958",
    ],
    (IdentifierType.UUID, "123e4567e89b12d3a456426614174000"): [
        "id 123e4567-e89b-12d3-a456-426614174000",
        "id 123E4567E89B12D3A456426614174000",
        "id {123e4567-e89b-12d3-a456-426614174000}",
        "urn:uuid:123e4567-e89b-12d3-a456-426614174000",
    ],
    (IdentifierType.CARD, "5500000000000004"): [
        "card 5500-0000-0000-0004.",
        "card 5500 0000 0000 0004.",
        "card 5500000000000004",
    ],
    (IdentifierType.IBAN, "gb29nwbk60161331926819"): [
        "to GB29 NWBK 6016 1331 9268 19",
        "to GB29NWBK60161331926819",
        "to GB29-NWBK-6016-1331-9268-19",
    ],
    (IdentifierType.NATIONAL_ID, "219099999"): ["SSN 219-09-9999"],
    (IdentifierType.URL, "docs.fern.io/api"): [
        "see https://docs.fern.io/api/",
        "see http://DOCS.fern.io/api.",
        "see docs.fern.io/api",
        "see www.docs.fern.io/api/",
    ],
    (IdentifierType.HANDLE, "nora_builds"): ["ask @nora_builds", "ask @Nora_Builds🌱"],
    (IdentifierType.PATH, "etc/app/conf"): ["in etc/app/conf", r"in etc\app\conf"],
    (IdentifierType.PATH, "/etc/app/conf"): ["in /etc/app/conf", r"in D:\etc\app\conf"],
    (IdentifierType.DATE, "2026-06-05"): [
        "on 2026-06-05",
        "on 2026/6/5",
        "on 20260605",
        "on June 5, 2026",
        "on 5th of June 2026",
        "on 5-Jun-2026",
    ],
    (IdentifierType.DATE, "2026-06-25"): ["on 25/06/2026", "on 06/25/2026", "on 25.06.2026"],
    (IdentifierType.TIME, "16:45"): ["at 16:45", "at 4:45 PM", "at 4:45p.m."],
    (IdentifierType.AMOUNT, "usd 1500"): ["$1,500", "$1.5K", "1500 USD", "1,500.00 dollars"],
    (IdentifierType.AMOUNT, "eur 12.5"): ["€12.50", "12,50 euros", "EUR12.5"],
    (IdentifierType.CODE, "lab4471"): ["LAB-4471", "#LAB-4471:", "lab_4471", "(LAB4471)"],
    (IdentifierType.CODE, "k9trw2qx"): ["K9TR-W2QX", "K9TR.W2QX", "K9TRW2QX", "'k9tr-w2qx'"],
    (IdentifierType.CODE, "chasus33"): ["BIC CHASUS33"],
    (IdentifierType.NETWORK, "10.1.2.3"): ["host 10.1.2.3"],
    (IdentifierType.NETWORK, "001b44113ab7"): ["00:1B:44:11:3A:B7", "00-1b-44-11-3a-b7"],
    (IdentifierType.NUMBER, "941071234"): ["94107-1234", "941071234"],
}


@pytest.mark.parametrize(
    ("expected", "text"), [(key, text) for key, texts in SPELLINGS.items() for text in texts]
)
def test_every_spelling_has_the_one_canonical_form(
    expected: tuple[IdentifierType, str], text: str
) -> None:
    kind, canonical = expected
    assert Identifier(type=kind, canonical=canonical) in identifiers_of(text)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("alice@acme.io", "alice.smith@acme.io"),
        ("alice@acme.io", "alice@acme.io.example"),
        ("TKT-100", "TKT-1000"),
        ("a/conf", "a/conf.bak"),
        ("fern.io", "fern.io.br"),
        ("+1-555-0100", "+1-555-01000"),
        ("16:45", "4:45 am"),
        ("$1,500", "€1,500"),
        ("$1.5", "$15"),
        ("2026-06-05", "2026-06-06"),
        ("@nora", "@nora_b"),
    ],
)
def test_a_neighbour_has_another_form(one: str, other: str) -> None:
    assert identifiers_of(one)
    assert identifiers_of(other)
    assert not set(identifiers_of(one)) & set(identifiers_of(other))


@pytest.mark.parametrize(
    "text",
    [
        "She likes tea and long walks.",
        "Met Ann at the station, e.g. on foot.",
        "WE ARE HERE",
        "Ελένη πίνει τσάι",
        "",
    ],
)
def test_ordinary_words_are_no_identifiers(text: str) -> None:
    assert identifiers_of(text) == ()


def test_a_date_that_two_conventions_read_differently_stays_as_written() -> None:
    assert identifiers_of("on 03/04/2026") == (
        Identifier(type=IdentifierType.DATE, canonical="3/4/2026"),
    )


def test_parts_of_a_list_are_read_one_by_one() -> None:
    found = [each.canonical for each in identifiers_of("ann@a.io,bob@b.io;(LAB-1)")]
    assert found == ["ann@a.io", "bob@b.io", "lab1"]


def test_a_very_long_token_is_known_by_its_digest() -> None:
    one, other = (identifiers_of("x" + last * 65_536) for last in "12")
    assert len(one) == len(other) == 1
    assert one != other
    assert len(one[0].canonical) <= IDENTIFIER_LIMIT


def test_a_long_code_is_bounded_and_still_distinct() -> None:
    one, other = (identifiers_of(f"code a{'b' * 400}{last}") for last in "12")
    assert one != other
    assert all(len(each.canonical) <= IDENTIFIER_LIMIT for each in (*one, *other))


@given(
    st.text(st.characters(exclude_categories=["Cs"]), max_size=300)
    | st.text("+- ()./:@a1", max_size=200)
)
def test_any_text_is_read_in_place_and_without_overlaps(text: str) -> None:
    found = find_identifiers(text)
    readable = plain(text)
    assert all(readable[each.start : each.end] == each.written for each in found)
    assert all(a.end <= b.start for a, b in pairwise(found))
    assert all(0 < len(each.identifier.canonical) <= IDENTIFIER_LIMIT for each in found)
