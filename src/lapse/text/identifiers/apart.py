"""Codes that a writer set apart: "ABC 1234" for `ABC-1234`.

Decides whether neighbouring chunks of a text spell a given code. Refuses to find such codes by
themselves: in "code 1234" the word is no part of it, and only who asks for `CODE1234` knows better.
"""

import re
from typing import Final

from lapse.model.identifier import IdentifierType
from lapse.text.identifiers.reading import Found
from lapse.text.identifiers.spelling import joined, plain

_CHUNK: Final = re.compile(r"\S+")
_LABELLED: Final = re.compile(
    r"(?<![\w-])(?:[A-Z]{1,4}(?:-[A-Z]{1,3})?|[A-Z]+\d[A-Z\d]*)"
    r"(?: (?:\d{2,}|[A-Z\d]{2,8}))+(?![\w-])"
)
_DIGITS: Final = frozenset("0123456789")
_MOST: Final = 8
_SHORTEST: Final = 5
_LONG: Final = 7
_NUMBERS: Final = frozenset(
    {IdentifierType.NUMBER, IdentifierType.NATIONAL_ID, IdentifierType.CODE}
)


def spelled_apart(code: Found, text: str) -> str | None:
    """How a text spells a code, or a long number, in two to eight chunks; else None."""
    canonical = code.identifier.canonical
    if not _may_be_spelled(code):
        return None
    readable = plain(text)
    if canonical not in joined(readable):
        return None
    chunks = list(_CHUNK.finditer(readable))
    for at, first in enumerate(chunks):
        spelled = joined(first[0])
        for last in chunks[at + 1 : at + _MOST]:
            if not canonical.startswith(spelled):
                break
            spelled += joined(last[0])
            if spelled == canonical:
                return readable[first.start() : last.end()]
    return None


def _may_be_spelled(code: Found) -> bool:
    canonical = code.identifier.canonical
    if canonical.isdigit():
        # Two short numbers stand side by side by chance.
        return code.identifier.type in _NUMBERS and len(canonical) >= _LONG
    mixed = any(map(str.isdigit, canonical)) and any(map(str.isalpha, canonical))
    return code.identifier.type is IdentifierType.CODE and len(canonical) >= _SHORTEST and mixed


def labelled_numbers(text: str) -> list[str]:
    """What codes a text may spell apart: capitals and numbers, the capitals first, as written."""
    found = [] if _DIGITS.isdisjoint(text) else _LABELLED.findall(text)
    return [each for each in found if not _DIGITS.isdisjoint(each)]
