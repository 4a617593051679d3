"""Identifiers that a writer spread over several chunks.

Decides which neighbouring chunks are one identifier: card and account numbers in groups, telephone
numbers, dates and times in words, sums with their currency, addresses spelled out ("alice at acme
dot io") and letters spaced out. Refuses to join what no rule or checksum shows to be one.
"""

import re
from collections.abc import Iterator
from typing import Final, TypeAlias

from lapse.model.identifier import Identifier, IdentifierType
from lapse.text.identifiers.checks import luhn, mod_97
from lapse.text.identifiers.dates import clock_times, worded_dates
from lapse.text.identifiers.shapes import CURRENCY_CODES, amount, of_chunk

Spread: TypeAlias = tuple[int, int, Identifier]
"""Where it begins, where it ends, and what it is."""

# A look-ahead never gives back what it took. Neither does a possessive group, but Python before
# 3.11.5 matches those wrongly.
_DIGIT_RUN: Final = re.compile(
    r"(?<![\w.,:/@#-])(?=(?P<run>\+?\(?\d++(?:[ .\-/()]{1,3}\d++){0,11}))(?P=run)(?![\w@])"
)
_ACCOUNT_RUN: Final = re.compile(r"\b[A-Z]{2}\d{2}(?: [A-Z0-9]{4}){2,7}(?: [A-Z0-9]{1,4})?\b")
_SUM: Final = re.compile(
    r"(?<![\d,.])(?P<number>\d[\d,.]*+) ?(?P<scale>[km]|thousand|million)? ?"
    r"(?P<unit>usd|eur|gbp|jpy|inr|chf|cny|dollars?|euros?|pounds?|yen|rupees?)\b",
    re.IGNORECASE,
)
_UNITS: Final = {"doll": "usd", "euro": "eur", "poun": "gbp", "yen": "jpy", "rupe": "inr"}
_GAP: Final = r"\s{0,3}"
_AT: Final = rf"{_GAP}(?:[\[({{<]{_GAP}(?:at|@){_GAP}[\])}}>]|\s(?:at|@)\s|@){_GAP}"
_DOT: Final = rf"{_GAP}(?:[\[({{<]{_GAP}(?:dot|\.){_GAP}[\])}}>]|\s(?:dot|\.)\s|\.){_GAP}"
_SPELLED: Final = re.compile(
    rf"(?<![\w+-])(?P<local>[\w+-]{{1,64}}+(?:{_DOT}[\w+-]{{1,64}}+){{0,2}}){_AT}"
    rf"(?P<host>[\w-]{{1,63}}+(?:{_DOT}[\w-]{{1,63}}+){{1,3}})(?!\w)",
    re.IGNORECASE,
)
_SPELLED_MARK: Final = re.compile(r"[\[({<\s](?:at|dot|@|\.)[\])}>\s]", re.IGNORECASE)
_DOT_WORD: Final = re.compile(_DOT, re.IGNORECASE)
_SPACED: Final = re.compile(r"(?<!\S)(?:\S )(?:\S ){3,}\S(?!\S)")
_PHONE_DIGITS: Final = range(7, 16)


def spread_out(text: str) -> Iterator[Spread]:
    """Identifiers of several chunks; they may overlap, the longest is meant."""
    if any(map(str.isdigit, text)):
        yield from _in_digits(text)
        for match, found in (*worded_dates(text), *clock_times(text)):
            yield match.start(), match.end(), found
        yield from _sums(text)
    if _SPELLED_MARK.search(text) is not None:
        yield from _spelled(text)
        yield from _spaced(text)


def _in_digits(text: str) -> Iterator[Spread]:
    for match in _ACCOUNT_RUN.finditer(text):
        letters = match[0].replace(" ", "")
        if mod_97(letters):
            yield (
                match.start(),
                match.end(),
                Identifier(type=IdentifierType.IBAN, canonical=letters.casefold()),
            )
    for match in _DIGIT_RUN.finditer(text):
        found = _card(match[0]) or _phone(match[0])
        if found is not None:
            yield match.start(), match.end(), found


def _card(run: str) -> Identifier | None:
    digits = re.sub(r"\D", "", run)
    if run[0] == "+" or not 13 <= len(digits) <= 19 or not luhn(digits):
        return None
    return Identifier(type=IdentifierType.CARD, canonical=digits)


def _phone(run: str) -> Identifier | None:
    """A telephone number: international, or with the signs that only such numbers have."""
    digits = re.sub(r"\D", "", run)
    if len(digits) not in _PHONE_DIGITS:
        return None
    if run[0] == "+" or digits.startswith("00"):
        return Identifier(type=IdentifierType.PHONE, canonical=_international(run, digits))
    bracketed = "(" in run and ")" in run
    grouped = re.fullmatch(r"\d{3}[ .-]\d{3}[ .-]\d{4}|0\d{1,4}[ -/]\d{3,4}[ -]?\d{3,4}", run)
    if not bracketed and grouped is None:
        return None
    return Identifier(type=IdentifierType.PHONE, canonical=digits.removeprefix("0"))


def _international(run: str, digits: str) -> str:
    # Late: its tables take 35 ms to load, and only a text with such a number needs them.
    import phonenumbers  # noqa: PLC0415

    written = run if run[0] == "+" else f"+{digits[2:]}"
    try:
        number = phonenumbers.parse(written, None)
    except phonenumbers.NumberParseException:
        return digits.removeprefix("00")
    if not phonenumbers.is_possible_number(number):
        return digits.removeprefix("00")
    return phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164)[1:]


def _sums(text: str) -> Iterator[Spread]:
    for match in _SUM.finditer(text):
        unit = match["unit"].lower()
        code = unit if unit in CURRENCY_CODES else _UNITS[unit[:4].rstrip("s")]
        found = amount(match["number"], code, (match["scale"] or "")[:1].lower().replace("t", "k"))
        if found is not None:
            yield match.start(), match.end(), found


def _spelled(text: str) -> Iterator[Spread]:
    for match in _SPELLED.finditer(text):
        local = _DOT_WORD.sub(".", match["local"])
        host = _DOT_WORD.sub(".", match["host"])
        spelled = match[0] != f"{local}@{host}"
        # "met Ann at example.com" is no address: a bare "at" needs its dots spelled as well.
        bare = re.search(r"\sat\s", match[0], re.IGNORECASE) and "." in match["host"]
        if spelled and not bare:
            found = of_chunk(f"{local}@{host}")
            if found is not None:
                yield match.start(), match.end(), found


def _spaced(text: str) -> Iterator[Spread]:
    for match in _SPACED.finditer(text):
        found = of_chunk(match[0].replace(" ", ""))
        if found is not None:
            yield match.start(), match.end(), found
