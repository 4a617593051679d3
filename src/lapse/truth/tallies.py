"""Tallies: a number and what it counts, so that a later number of the same can take its place.

Decides which numbers of a sentence state how much of something there is, and whether two sentences
count the same thing differently. Refuses to read a date, a clock time or a price of one purchase as
a tally: those belong to an event, and another event has its own.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from lapse.text import cues
from lapse.text.listing import listed
from lapse.truth.words import HOLLOW, Word

_TIME_UNITS: Final = listed(
    "hour hr minut min second day week month year pm am ago o'clock night weekend"
)
_RECORD: Final = re.compile(r"\d{1,2}:\d{2}(?::\d{2})?|\d{1,3}[-–]\d{1,3}")
_YEAR: Final = re.compile(r"(?:19|20)\d{2}s?")
_CALENDAR: Final = cues.DATES | listed("jan feb mar apr jun jul aug sep sept oct nov dec")
_ORDINAL: Final = re.compile(r"(\d+)(?:st|nd|rd|th)")
_NUMBER: Final = re.compile(r"\d[\d,]*(?:\.\d+)?")
_REACH: Final = 3
"""Words after a number among which stands what it counts."""


@dataclass(frozen=True, slots=True)
class Tally:
    """How much of what.

    Attributes:
        value: The number, digits only.
        unit: Stems of what is counted; empty for a record such as 27:12 or 5-2.
        record: Whether it is a record: a time or a score that is set and beaten.
        lasting: Whether it counts a span of time.
    """

    value: str
    unit: frozenset[str]
    record: bool
    lasting: bool


def tallies_of(words: Sequence[Word]) -> Iterator[Tally]:
    """The tallies of one sentence's words, in order."""
    for at, word in enumerate(words):
        value = _value(word)
        if value is None or _dates(words, at):
            continue
        record = _RECORD.fullmatch(word.written) is not None
        counted = [] if record else list(_counted(words, at))
        lasting = bool(_TIME_UNITS.intersection(counted[:1]))
        yield Tally(value, frozenset(counted), record, lasting)


def _value(word: Word) -> str | None:
    if _RECORD.fullmatch(word.written):
        return word.written
    if word.folded in {"single", "another"}:
        return "1" if word.folded == "single" else None
    ordinal = _ORDINAL.fullmatch(word.stem)
    number = ordinal[1] if ordinal else word.stem.lstrip("#")
    return (
        number.replace(",", "").replace("-", "")
        if _NUMBER.fullmatch(number.replace("-", ""))
        else None
    )


def _dates(words: Sequence[Word], at: int) -> bool:
    """Whether a number is part of a date, or a bare year."""
    word = words[at]
    before = words[at - 1].folded if at else ""
    return before in _CALENDAR or _YEAR.fullmatch(word.folded) is not None


def _counted(words: Sequence[Word], at: int) -> Iterator[str]:
    found = False
    if not words[at].closes:
        for word in words[at + 1 : at + 1 + _REACH]:
            if word.stem[:1].isdigit():
                break
            if word.folded not in HOLLOW:
                found = True
                yield word.stem
            elif word.folded not in _BETWEEN:
                break
            if word.closes:
                break
    if not found and at and words[at - 1].folded not in HOLLOW:
        yield words[at - 1].stem


_BETWEEN: Final = listed("new more old other different of")
"""Hollow words that may stand between a number and what it counts."""
