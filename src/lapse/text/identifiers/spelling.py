"""Undoing how a text is written, so that one thing has one spelling.

Decides which differences between two spellings mean nothing: width, invisible characters, kinds of
dash, look-alike letters of other alphabets, accents, the alphabet itself. Refuses to correct or to
guess: what is merely similar stays different.
"""

import hashlib
import re
import unicodedata
from typing import Final

from lapse.model.identifier import IDENTIFIER_LIMIT
from lapse.text.normalise import without_forms

_DASHES: Final = str.maketrans(dict.fromkeys("‐‑‒–—―−﹘﹣－", "-"))
_PERCENT_SIGN: Final = re.compile(r"%(40|2[bBdDeEfF]|5[fF])")
_JOINED_BY: Final = re.compile(r"[\W_]+")


def plain(text: str) -> str:
    """The text without what only a typesetter sees, and with one kind of dash."""
    if text.isascii():
        return text
    return without_forms(text).translate(_DASHES)


def latin(text: str) -> str:
    """The text in plain Latin letters, whatever alphabet it was written in; case stays.

    Pictographs are left out: they decorate a name and do not spell one.
    """
    if text.isascii():
        return text
    # Late: its tables take 30 ms to load, and most banks hold no text that needs them.
    from anyascii import anyascii  # noqa: PLC0415

    spoken = "".join(each for each in text if unicodedata.category(each) not in {"So", "Sk", "Cn"})
    return anyascii(spoken)


def folded(text: str) -> str:
    """Plain Latin letters without case."""
    return latin(text).casefold()


def joined(text: str) -> str:
    """Folded, with nothing left between letters and digits."""
    return _JOINED_BY.sub("", folded(text))


def unescaped(chunk: str) -> str:
    """A chunk whose signs are written as in the query of an address: `%40` is `@`."""
    return _PERCENT_SIGN.sub(lambda match: chr(int(match[1], 16)), chunk)


def bounded(canonical: str) -> str:
    """A canonical form that fits an index: one that is too long is replaced by its digest."""
    if len(canonical) <= IDENTIFIER_LIMIT:
        return canonical
    digest = hashlib.blake2b(canonical.encode("utf-8", "surrogatepass"), digest_size=16)
    return f"{canonical[:32]}…{digest.hexdigest()}"
