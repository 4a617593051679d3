"""Which part of a sentence is about whom.

Decides where a text changes from one person or thing to another, by its sentences and by
connectives that a name follows. Of "Ann and Bob share a desk" it leaves what is said of Bob.
"""

import re
from collections.abc import Iterator
from typing import Final

from lapse.selecting.cues import STOP, VERBS
from lapse.selecting.subjects import without_subject
from lapse.text.identifiers.spelling import plain
from lapse.text.names import Name, mentions, words_of

_JOINING: Final = frozenset(("of", "with", "by", "for", "between", "both"))
_BREAK: Final = re.compile(
    r"(?P<end>[.!?;。！？；]+\s+|\n+)|,?\s(?:and|but|while|whereas|although|though|yet)\s(?=[^\W\d_])"
)


def rest_without(name: Name, text: str) -> str | None:
    """What a text says of others than this name, in its own words.

    Returns:
        The other clauses, or None when the text cannot be parted: all of it is about the name, or
        one clause speaks of several.
    """
    kept: list[str] = []
    taken = False
    about = False
    for clause in _clauses(plain(text)):
        words = words_of(clause)
        if mentions(name, words):
            about = taken = True
        elif words and words[0].capital and words[0].key not in STOP:
            # Another name, or the head of another sentence, begins something else.
            about = False
        if not about:
            kept.append(clause.strip(" ,;"))
    if taken and not kept:
        return without_subject(name, plain(text))
    if not taken:
        return None
    said = ". ".join(each.rstrip(".") for each in kept if each)
    return f"{said[:1].upper()}{said[1:]}." if said else None


def _clauses(text: str) -> Iterator[str]:
    at = 0
    for match in _BREAK.finditer(text):
        if match["end"] is None and not _breaks(text[at : match.start()], text[match.end() :]):
            continue
        yield text[at : match.start()]
        at = match.end()
    yield text[at:]


def _breaks(before: str, after: str) -> bool:
    """Whether a connective joins two statements and not two names or two verbs of one subject."""
    own, other = words_of(before), words_of(after[:200])
    if not own or len(other) < 2:
        return False
    if own[-1].capital and len(own) > 1 and own[-2].key in _JOINING:
        return False
    has_verb = any(not each.capital for each in own)
    says = other[1].key in VERBS or other[1].key.endswith(("s", "ed"))
    return has_verb and other[0].capital and not other[0].uncased and says
