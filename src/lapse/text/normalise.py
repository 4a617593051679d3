"""What may be stored as text, and when two texts count as the same text.

Decides which characters are refused (`clean`), which form is kept, and what is ignored when texts
are compared for equality (`fold`). Refuses to decide what equal texts mean for a memory, and never
drops or repairs anything of a text that is kept.
"""

import re
import unicodedata
from typing import Final

from lapse.errors import Fault, ValidationError, fault

# Compatibility forms that change what is said: 10² is not 102, and ½ is not 1⁄2. NFKC would make
# them equal, so they are left as they are.
_MEANINGFUL_FORMS: Final = re.compile(
    "([\u00b2\u00b3\u00b9\u2070-\u209c\u00bc-\u00be\u2150-\u215f]+)"
)

# Format characters, variation selectors and fillers that nobody sees. The flags of England,
# Scotland and Wales are spelled in invisible tags behind a black flag, and stay (first group).
_INVISIBLE: Final = re.compile(
    "(\U0001f3f4[\U000e0020-\U000e007f]+)"
    "|[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)

_SURROGATE: Final = re.compile("[\ud800-\udfff]")

_QUOTES: Final = (
    "\"'`\u00ab\u00bb\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u201f\u2039\u203a"
    "\u300c\u300d\u300e\u300f"
)
_BRACKETS: Final = "()[]{}\u3008\u3009\u300a\u300b\u3010\u3011"

# What opens a text without saying anything. A sign, a dot or a slash before a word is kept: −5 is
# not 5, and .env is not env.
_LEADING: Final = re.compile(
    f"(?:[ {re.escape(_QUOTES + _BRACKETS)}\u00a1\u00bf]|\\.{{3,}}|[-*\u2013\u2014\u2022](?= ))*"
)

# What closes one. A question mark is no part of it: a question is not the statement it asks about.
# Neither are %, # and +: 100% is not 100, and C# is not C.
_TRAILING: Final = (
    f" {_QUOTES}{_BRACKETS}.,;:!\u2026\u3001\u3002\u0964\u0965\u06d4\u060c\u061b\u1362\u2013\u2014"
)


def clean(text: object, field: str, max_bytes: int) -> str:
    """Admit a text for storage, in Normalisation Form C and otherwise exactly as it came.

    Args:
        text: What was given.
        field: The name under which the caller knows it; errors carry it.
        max_bytes: Most bytes its NFC form may take in UTF-8.

    Returns:
        The NFC form. Every script, emoji and combining mark survives; nothing is trimmed.

    Raises:
        ValidationError: All that is wrong with it: no text, NUL, a lone surrogate, nothing visible,
            or too long.
    """
    if not isinstance(text, str):
        raise ValidationError.of(field, type(text).__name__, "must be text")
    composed = unicodedata.normalize("NFC", text)
    faults = _character_faults(composed, field)
    if _is_blank(composed):
        faults.append(fault(field, text, "must say something: there is nothing visible in it"))
    size = len(composed.encode("utf-8", "surrogatepass"))
    if size > max_bytes:
        faults.append(
            Fault(
                field=field,
                value=f"{size:,} bytes",
                problem=f"must be at most {max_bytes:,} bytes of UTF-8; store it in parts",
            )
        )
    if faults:
        raise ValidationError(faults)
    return composed


def fold(text: str) -> str:
    """The form in which two texts are the same text told again.

    Ignored are case, width and ligatures (NFKC and Unicode case folding), the amount of white
    space, characters nobody sees, and quotes, brackets and closing punctuation around the whole.
    Kept is what can change the meaning: accents, inner punctuation, signs before numbers,
    superscripts and fractions, per cent, and a closing question mark.

    The result is a fixed point: folding it again changes nothing.
    """
    # Case folding can undo the normal form.
    folded = unicodedata.normalize("NFC", without_forms(text).casefold())
    folded = " ".join(folded.split())
    # The end is stripped, not matched: a pattern would try every run of dots within the text.
    opening = _LEADING.match(folded)
    inner = folded[opening.end() if opening else 0 :].rstrip(_TRAILING)
    # A text of nothing but punctuation still says something to somebody.
    return inner or folded


def without_forms(text: str) -> str:
    """The text without what only a typesetter sees: width, ligatures, invisible characters.

    NFKC, except that superscripts, subscripts and fractions stay: 10² is not 102.
    """
    if text.isascii():
        return text
    pieces = _MEANINGFUL_FORMS.split(_INVISIBLE.sub(r"\1", text))
    pieces[::2] = [unicodedata.normalize("NFKC", each) for each in pieces[::2]]
    return "".join(pieces)


def _character_faults(text: str, field: str) -> list[Fault]:
    faults: list[Fault] = []
    nul = text.find("\0")
    if nul >= 0:
        faults.append(Fault(field=field, value=f"U+0000 at {nul}", problem="must not contain NUL"))
    lone = _SURROGATE.search(text)
    if lone is not None:
        faults.append(
            Fault(
                field=field,
                value=f"U+{ord(lone[0]):04X} at {lone.start()}",
                problem="must not contain half of a surrogate pair; it cannot be written as UTF-8",
            )
        )
    return faults


def _is_blank(text: str) -> bool:
    # Letters, marks, numbers, punctuation and symbols are visible; separators and controls are not.
    # One by one, since the first character of nearly every text settles it.
    return not any(
        unicodedata.category(each)[0] in "LMNPS" and not _INVISIBLE.match(each) for each in text
    )
