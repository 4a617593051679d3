"""Several subjects of one statement: "Ann and Bob share a desk".

Decides what is left of a statement when one of its subjects is taken out. Refuses anything but a
plain list of names at the head of one sentence.
"""

import re
from typing import Final

from lapse.text.names import Name, mentions, words_of

_LIST: Final = re.compile(r",\s+(?:and\s+)?|\s+and\s+")
_AND: Final = re.compile(r"\sand\s+\S+(?:\s\S+)?$")
_SINGULAR: Final = {"are": "is", "were": "was", "have": "has", "do": "does", "go": "goes"}
_UNCHANGED: Final = frozenset(
    (
        *("will", "can", "may", "must", "should", "would", "could", "might", "had", "did", "met"),
        *("went", "made", "took", "got", "came", "left", "saw", "sent", "bought", "sold", "paid"),
        *("ran", "led", "wrote", "began", "kept", "found", "gave", "knew", "built", "won", "lost"),
        *("held", "told", "said", "thought", "brought", "ate", "drank", "drove", "flew", "grew"),
        *("spoke", "stood", "taught", "wore", "both", "each", "also", "never", "always", "often"),
    )
)
_HISSING: Final = ("s", "x", "z", "ch", "sh")


def without_subject(name: Name, sentence: str) -> str | None:
    """A statement about several, without one of them: "Bob shares a desk"; else None."""
    words = words_of(sentence)
    verb = next((each for each in words if not each.capital and each.key != "and"), None)
    if verb is None:
        return None
    head, tail = sentence[: verb.start].rstrip(), sentence[verb.end :]
    if _AND.search(head) is None or any(map(str.isdigit, head)):
        # Without "and" it is one subject and what is said beside it: all of it is about that one.
        return None
    subjects = _LIST.split(head)
    kept = [each for each in subjects if not mentions(name, words_of(each))]
    listed = all(each and all(word.capital for word in words_of(each)) for each in subjects)
    if not listed or len(kept) != len(subjects) - 1 or not kept or mentions(name, words_of(tail)):
        return None
    said = _singular(verb.written) if len(kept) == 1 else verb.written
    joined = " and ".join(filter(None, (", ".join(kept[:-1]), kept[-1])))
    return f"{joined} {said}{tail}"


def _singular(verb: str) -> str:
    """The verb as one subject has it; a form of the past stays."""
    if verb in _SINGULAR:
        return _SINGULAR[verb]
    if verb in _UNCHANGED or verb.endswith("ed"):
        return verb
    if verb.endswith(_HISSING):
        return f"{verb}es"
    if verb.endswith("y") and verb[-2:-1] not in "aeiou":
        return f"{verb[:-1]}ies"
    return f"{verb}s"
