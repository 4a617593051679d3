"""Reading a memory for selection: its words, names, identifiers and what it claims to be the same.

Decides what of a text can be compared with a wish. Refuses to compare.
"""

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from lapse.model.identifier import IdentifierType
from lapse.model.selector import Passage
from lapse.selecting.cues import CATEGORIES, NEGATION, SAME, STOP
from lapse.text.identifiers.reading import Found, find_identifiers
from lapse.text.identifiers.spelling import plain
from lapse.text.names import Name, Word, mentions, runs_of, spellings_of, words_of

Terms: TypeAlias = Callable[[str], list[str]]
"""From a text to its stemmed terms, as `Tokeniser.terms` gives them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What one memory says, as far as selection compares it.

    Attributes:
        passage: The memory.
        words: Its words.
        terms: Its stemmed terms.
        found: Its identifiers.
        names: Its runs of words that may be names, without what stands inside an identifier.
        keys: The keys of its words.
        foreign: Whether any word is written in another alphabet than the Latin one.
        negated: Whether it says that something is not so.
        same_from: Where a statement that begins with "the same …" goes on after those words; None
            for any other statement.
    """

    passage: Passage
    words: list[Word]
    terms: frozenset[str]
    found: list[Found]
    names: list[Name]
    keys: frozenset[str]
    foreign: bool
    negated: bool
    same_from: int | None

    @property
    def id(self) -> str:
        """The memory's id."""
        return self.passage.id


def read_passage(passage: Passage, terms: Terms) -> Reading:
    """Read one memory."""
    text = plain(passage.text)
    found = find_identifiers(text)
    every = words_of(text)
    words = outside(every, [each for each in found if not _is_joined_words(each)])
    same = SAME.match(text)
    return Reading(
        passage=passage,
        words=words,
        terms=frozenset(terms(text)),
        found=found,
        names=_free_names(every, words, text),
        keys=frozenset(each.key for each in words),
        foreign=any(each.foreign for each in words),
        negated=NEGATION.search(text) is not None,
        same_from=None if same is None else same.end(),
    )


def _is_joined_words(found: Found) -> bool:
    """Whether what could be a code is words joined by hyphens, as some names are: Jean-Luc."""
    letters = not any(map(str.isdigit, found.written)) and "_" not in found.written
    return found.identifier.type is IdentifierType.CODE and letters and "-" in found.written


def names_name(reading: Reading, name: Name) -> bool:
    """Whether a memory mentions a name anywhere."""
    # Most do not, and that is seen at once.
    if not (reading.foreign or name.foreign) and spellings_of(name.words[0]).isdisjoint(
        reading.keys
    ):
        return False
    return bool(mentions(name, reading.words))


def _free_names(every: list[Word], free: list[Word], text: str) -> list[Name]:
    """The names of a text that are not part of an identifier."""
    starts = {each.start for each in free}
    runs = (
        tuple(word for word in each.words if word.start in starts) for each in runs_of(every, text)
    )
    return [Name(words=run) for run in runs if run]


def outside(words: list[Word], found: list[Found]) -> list[Word]:
    """The words that do not stand inside an identifier."""
    ends = [each.end for each in found]
    kept: list[Word] = []
    for word in words:
        at = bisect_right(ends, word.start)
        if at == len(found) or found[at].start >= word.end:
            kept.append(word)
    return kept


def content_words(words: list[Word]) -> list[Word]:
    """The words that say something by themselves, categories among them."""
    return [each for each in words if each.key not in STOP]


def is_category(word: Word) -> bool:
    """Whether a word only says of what kind something is."""
    return word.key in CATEGORIES
