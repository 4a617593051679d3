"""The letters and digits of a text alone, so that spacing and punctuation make no difference.

Decides what of a text is kept for that: letters, marks, digits, pictographs, the signs that make
another thing of a number, and what parts one number from the next. Refuses to read words.
"""

import re
import unicodedata
from typing import Final

from lapse.erasure.lookalikes import plain

_DIGIT: Final = re.compile(r"\d")
_BETWEEN_DIGITS: Final = re.compile(r"(?<=\d)(?:\s+|[.,:/])(?=\d)")
_SIGN_BEFORE: Final = re.compile(r"(?<![\w.,])[-−](?=[$€£¥₹]?\d)")

# What parts digits is kept under another sign, so that 1.5 is not 15 and −5 is not 5.
_KEPT_MARKS: Final = {" ": "\x1c", ".": "\x1d", ",": "\x1e", ":": "\x1f", "/": "\x1b"}
_KEPT_SIGNS: Final = frozenset("%#@$€£¥₹°\x1a\x1b\x1c\x1d\x1e\x1f")


_ASCII: Final = {
    code: None for code in range(128) if not chr(code).isalnum() and chr(code) not in _KEPT_SIGNS
}


def squeezed(sentence: str) -> str:
    """The letters and digits of a sentence whose words are parted by single spaces."""
    if _DIGIT.search(sentence) is not None:
        sentence = _BETWEEN_DIGITS.sub(lambda found: _KEPT_MARKS[found.group()[0]], sentence)
        sentence = _SIGN_BEFORE.sub("\x1a", sentence)
    if sentence.isascii():
        return sentence.lower().translate(_ASCII)
    words = (plain(each) for each in sentence.split(" "))
    return "".join(filter(_is_kept, "".join(words)))


def _is_kept(character: str) -> bool:
    if character in _KEPT_SIGNS:
        return True
    category = unicodedata.category(character)
    return category[0] in "LMN" or category == "So"
