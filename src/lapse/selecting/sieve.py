"""Passing over most memories without reading them.

Decides, by letters alone, which memories a wish could possibly mean. Refuses to decide that it
does: whatever passes is read. It lets through too much rather than too little.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from lapse.selecting.asking import Asked
from lapse.selecting.cues import CLAIM
from lapse.selecting.reading import Reading
from lapse.text.identifiers.shapes import groups_of
from lapse.text.identifiers.spelling import folded, plain
from lapse.text.names import Name, spellings_of

_APART: Final = re.compile(r"[\W_]+")
_TAIL: Final = 6
_SHORTEST: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Sieve:
    """What a memory's letters must hold to be read.

    Attributes:
        parts: Folded pieces of words; any of them is enough.
        tails: Ends of codes, looked for once everything between letters and digits is gone.
        digits: Whether any digit is enough, since dates and sums are written in many ways.
    """

    parts: frozenset[str]
    tails: frozenset[str]
    digits: bool

    def lets_through(self, text: str) -> bool:
        """Whether a memory of this text has to be read."""
        letters = text.casefold() if text.isascii() else folded(plain(text))
        if any(each in letters for each in self.parts):
            return True
        if self.digits and any(map(str.isdigit, letters)):
            return True
        if self.tails:
            close = _APART.sub("", letters)
            if any(each in close for each in self.tails):
                return True
        return CLAIM.search(letters) is not None

    def wider(self, claims: Iterable[Reading]) -> "Sieve":
        """A sieve that also lets through what these statements may speak of."""
        parts: set[str] = set(self.parts)
        tails: set[str] = set(self.tails)
        for each in claims:
            parts |= {word.key for word in each.words if len(word.key) >= _SHORTEST}
            tails |= {found.identifier.canonical[-_TAIL:] for found in each.found}
        return Sieve(parts=frozenset(parts), tails=frozenset(tails), digits=self.digits)


def sieve_for(asked: Asked) -> Sieve:
    """The sieve of a wish."""
    parts = {group for found in asked.exact for group in _telling(groups_of(found.written))}
    named = (*asked.exact, *asked.apart)
    tails = {_APART.sub("", found.identifier.canonical)[-_TAIL:] for found in named}
    for wanted in asked.wanted:
        if wanted.name is not None:
            parts |= _letters_of(wanted.name)
    if not asked.exact:
        parts |= {_stub(term) for term in asked.words}
    return Sieve(parts=frozenset(parts), tails=frozenset(tails), digits=bool(asked.loose))


def _telling(groups: Iterable[str]) -> list[str]:
    """The groups of a code to look for: its numbers if it has any, for many share its letters."""
    long = [each for each in groups if len(each) >= _SHORTEST]
    return [each for each in long if any(map(str.isdigit, each))] or long


def _letters_of(name: Name) -> set[str]:
    # One word is enough to be looked at: the nearest are looked for as well.
    return {key for word in name.words for key in spellings_of(word)}


def _stub(term: str) -> str:
    """What every word of a stem begins with, whatever its ending did to the stem."""
    return term[: max(_SHORTEST, len(term) - 2)]
