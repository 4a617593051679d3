"""What scripts differ in, as far as finding words goes.

Decides which scripts are written without spaces, how a run of them is cut, and which accents do not
part one word from another. Refuses to know any language.
"""

import re
import unicodedata
from collections.abc import Iterator
from typing import Final

# Korean has spaces, but its particles cling to the word before them; pairs find the word inside.
_UNSPACED_RANGES: Final = (
    "\u0e00-\u0eff"  # Thai, Lao
    "\u1000-\u109f\ua9e0-\ua9ff\uaa60-\uaa7f"  # Myanmar
    "\u1780-\u17ff\u19e0-\u19ff"  # Khmer
    "\u1950-\u19df\u1a20-\u1aaf\uaa80-\uaadf"  # Tai Le, New Tai Lue, Tai Tham, Tai Viet
    "\u1b00-\u1b7f\ua980-\ua9df"  # Balinese, Javanese
    "\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3038-\u303b"  # radicals, iteration marks
    "\u3040-\u312f\u31a0-\u31bf\u31f0-\u31ff"  # kana, bopomofo
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"  # Han
    "\ua000-\ua4cf"  # Yi
    "\uac00-\ud7af"  # Hangul syllables
    "\U00016fe0-\U00018dff\U0001aff0-\U0001b2ff"  # Tangut, Khitan, Nushu, more kana
    "\U00020000-\U000323af"  # rarer Han
)

UNSPACED: Final = re.compile(f"[{_UNSPACED_RANGES}]+")
"""A run of characters of scripts that do not part words by spaces."""

SPACED: Final = f"[^{_UNSPACED_RANGES}"
"""The beginning of a regular expression's class of everything else; close it with `]`."""

# Marks over Latin and Greek letters, in decomposed form. Elsewhere marks are letters in their own
# right (Indic vowels) or make another letter (Cyrillic й).
_ACCENTS: Final = re.compile("(?<=[A-Za-z\u00c0-\u02af\u0370-\u03ff])[\u0300-\u036f]+")

# Letters that are typed as plain ones on other keyboards but have no decomposition.
_PLAIN_LETTERS: Final = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ı": "i", "æ": "ae", "œ": "oe", "ð": "d", "þ": "th", "ß": "ss"}
)


def all_grams(run: str) -> Iterator[str]:
    """Each character of an unspaced run, followed by the pair it begins."""
    for at, character in enumerate(run):
        yield character
        if at + 1 < len(run):
            yield run[at : at + 2]


def pairs(run: str) -> Iterator[str]:
    """Each pair of neighbours of an unspaced run; a run of one character gives that."""
    if len(run) == 1:
        yield run
    for at in range(len(run) - 1):
        yield run[at : at + 2]


def without_accents(word: str) -> str:
    """The word as it is typed where accents are hard to type: "café" and "cafe" are one term."""
    if word.isascii():
        return word
    decomposed = unicodedata.normalize("NFD", word)
    return unicodedata.normalize("NFC", _ACCENTS.sub("", decomposed)).translate(_PLAIN_LETTERS)


def is_variation_selector(character: str) -> bool:
    """Whether it only chooses how the character before it is drawn."""
    return "\ufe00" <= character <= "\ufe0f" or "\U000e0100" <= character <= "\U000e01ef"
