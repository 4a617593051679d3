"""What a store keeps of a text so that it can be found by equality: identifiers and names.

Decides which names are worth a row: each run of capitals, whole and word by word. Refuses to be
exact about names: whoever selects reads the text again, and a row too many costs only that.
"""

import re
from typing import Final

from lapse.model.identifier import Identifier, IdentifierType
from lapse.text.identifiers.apart import labelled_numbers
from lapse.text.identifiers.reading import identifiers_of
from lapse.text.identifiers.spelling import bounded, joined
from lapse.text.names import names_of

_LONGEST_NAME: Final = 4
# A look-ahead never gives back what it took. Neither does a possessive group, but Python before
# 3.11.5 matches those wrongly.
_CAPITALS: Final = re.compile(
    r"(?<![\w@./#-])(?=(?P<run>[A-Z][A-Za-z]+(?: [A-Z][A-Za-z]+){0,3}))(?P=run)(?![\w@]|-[\w])"
)
_OPENERS: Final = frozenset(
    (
        *("A", "After", "All", "Also", "An", "And", "As", "At", "Before", "But", "By", "Do", "For"),
        *(
            "From",
            "He",
            "Hey",
            "Hi",
            "How",
            "If",
            "In",
            "Is",
            "It",
            "Its",
            "My",
            "No",
            "Not",
            "Now",
        ),
        *("Oh", "Ok", "On", "One", "Or", "Our", "She", "So", "Some", "Thanks", "That", "The"),
        *("Their", "Then", "There", "These", "They", "This", "Those", "To", "Was", "We", "What"),
        *("When", "Where", "Which", "Who", "Why", "With", "Wow", "Yeah", "Yes", "You", "Your"),
    )
)
"""Words that open a sentence and are nobody's name."""


def kept_identifiers(text: str) -> tuple[Identifier, ...]:
    """The identifiers and names of a text, each once, in order of their kind and place."""
    runs = _ascii_runs(text) if text.isascii() else _runs(text)
    names = dict.fromkeys(bounded(each) for run in runs for each in _spellings(run))
    found = [
        *identifiers_of(text),
        *[Identifier(type=IdentifierType.NAME, canonical=each) for each in names],
    ]
    apart = labelled_numbers(text)
    if not apart:
        return tuple(found)
    codes = [Identifier(type=IdentifierType.CODE, canonical=joined(each)) for each in apart]
    return tuple(dict.fromkeys((*found, *codes)))


def _spellings(run: list[str]) -> list[str]:
    """A run whole, without its first word (which may only open a sentence), and word by word."""
    if len(run) < 2:
        return run
    tail = ["".join(run[1:])] if len(run) > 2 else []
    return ["".join(run), *tail, *run]


def _ascii_runs(text: str) -> list[list[str]]:
    """The runs of capitals of a plain text: most texts, so without a full reading."""
    found = []
    for match in _CAPITALS.finditer(text):
        words = match["run"].split()
        if words[0] in _OPENERS:
            del words[0]
        if words:
            found.append([each.lower() for each in words])
    return found


def _runs(text: str) -> list[list[str]]:
    return [
        [key for word in each.words[:_LONGEST_NAME] if (key := joined(word.written))]
        for each in names_of(text)
        if each.words[0].written not in _OPENERS or len(each.words) > 1
    ]
