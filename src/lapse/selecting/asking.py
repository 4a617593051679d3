"""Reading a wish in plain words: "everything about Alice", "card 5500-0000-0000-0004".

Decides what in it names a thing (identifiers, names), what only says of what kind it is, and what
narrows it. Refuses to look at any memory.
"""

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from lapse.model.identifier import Identifier, IdentifierType
from lapse.selecting.cues import ABOUT, CATEGORIES, COMMAND, EVERYTHING, GENERIC, NEGATION, STOP
from lapse.selecting.reading import Terms, content_words, is_category, outside
from lapse.text.identifiers.apart import labelled_numbers
from lapse.text.identifiers.reading import Found, find_identifiers
from lapse.text.identifiers.spelling import bounded, joined, plain
from lapse.text.names import Name, Word, names_of, words_of

_OR: Final = re.compile(r"\s/\s|\s*[,;]\s+|\s+(?:or|and|as well as)\s+", re.IGNORECASE)
_LOOSE: Final = frozenset({IdentifierType.DATE, IdentifierType.TIME, IdentifierType.AMOUNT})
_SHORT_NUMBER: Final = 5
_TRIMMED: Final = 2
_TAIL: Final = re.compile(r" ([A-Z][a-z]+|[A-Z])\b")
_ACRONYM: Final = re.compile(r"[A-Z]{2,5}s?")


class Breadth(StrEnum):
    """How far beyond equality a wish goes."""

    EQUAL = "equal"
    """Only what names it."""
    MEANT = "meant"
    """Also what statements say is the same, and a longer code where nothing names it whole."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """One thing that a wish names, beside others joined by "or", "and" or a stroke.

    Attributes:
        name: Whom or what; None when no name is given.
        also: Further names that must be there as well.
        narrowing: Words that narrow it down; terms.
    """

    name: Name | None
    also: tuple[Name, ...]
    narrowing: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A wish, read.

    Attributes:
        exact: Identifiers that name one thing by themselves.
        tails: For each of these the word with a capital right behind it, or "": "GX-5 Pro".
        loose: Short numbers, dates, times and sums: they name a thing only together with words.
        wanted: The things named by names or by words alone.
        words: All words that say something, as terms; categories among them.
        everything: Whether all there is about them is meant.
        negated: Whether the wish says that something is not so.
        apart: Codes that it may spell in two words, such as "RE 204", if any memory names one.
        breadth: How far beyond equality it goes.
    """

    exact: tuple[Found, ...]
    loose: tuple[Found, ...]
    wanted: tuple[Wanted, ...]
    words: frozenset[str]
    everything: bool
    negated: bool
    apart: tuple[Found, ...] = ()
    breadth: Breadth = Breadth.MEANT
    tails: tuple[str, ...] = ()


def read_wish(query: str, terms: Terms) -> Asked:
    """Read a wish."""
    query = " ".join(plain(query).split())
    text = COMMAND.sub("", query)
    everything = EVERYTHING.search(text) is not None or ABOUT.match(text.lstrip()) is not None
    if COMMAND.match(query) and re.search(r"\babout\b", query):
        everything = True
    text = ABOUT.sub(" ", EVERYTHING.sub(" ", text))
    found = find_identifiers(text)
    exact = tuple(each for each in found if is_exact(each))
    loose = tuple(each for each in found if each not in exact and _is_loose(each))
    named = [*exact, *loose]
    said = content_words(outside(words_of(text), named))
    text_of_wish, text = text, _blanked(text, named)
    return Asked(
        exact=exact,
        tails=tuple(tail_of(each, text_of_wish) for each in exact),
        loose=loose,
        wanted=tuple(_wanted(part, terms, everything=everything) for part in _OR.split(text)),
        words=frozenset(_terms_of(said, terms)),
        everything=everything,
        negated=NEGATION.search(text) is not None,
        apart=tuple(_as_code(each) for each in labelled_numbers(query)),
    )


def read_entity(entity: str, terms: Terms) -> Asked:
    """Read a name or an identifier, all of which is the name: nothing in it commands or narrows."""
    text = " ".join(plain(entity).split())
    found = tuple(each for each in find_identifiers(text) if is_exact(each))
    words = outside(words_of(text), list(found))
    name = Name(words=tuple(words)) if words and not found else None
    return Asked(
        exact=found,
        loose=(),
        wanted=(Wanted(name=name, also=(), narrowing=()),),
        words=frozenset(_terms_of(words, terms)),
        everything=True,
        negated=False,
    )


def read_identifier(identifier: str) -> Asked:
    """Read an identifier, all of which names one thing by itself.

    Where it has no shape that is known, it is taken as a code.
    """
    return Asked(
        exact=identifiers_asked(identifier),
        loose=(),
        wanted=(),
        words=frozenset(),
        everything=True,
        negated=False,
        breadth=Breadth.EQUAL,
    )


def identifiers_asked(identifier: str) -> tuple[Found, ...]:
    """What a given identifier may be read as; empty where it has no letter and no digit."""
    text = " ".join(plain(identifier).split())
    found = find_identifiers(text)
    if len(found) == 1 and len(found[0].written) >= len(text) - _TRIMMED:
        return tuple(found)
    return (*found, _as_code(text)) if joined(text) else tuple(found)


def tail_of(found: Found, text: str) -> str:
    """The word with a capital that goes on where an identifier of no fixed shape ends, or ""."""
    if found.identifier.type not in {IdentifierType.CODE, IdentifierType.NUMBER}:
        return ""
    after = _TAIL.match(text, found.end)
    return "" if after is None else after[1].casefold()


def _as_code(text: str) -> Found:
    identity = Identifier(type=IdentifierType.CODE, canonical=bounded(joined(text)))
    return Found(identifier=identity, written=text, start=0, end=len(text))


def is_exact(found: Found) -> bool:
    """Whether an identifier says by itself which thing is meant."""
    canonical = found.identifier.canonical
    match found.identifier.type:
        case IdentifierType.NUMBER:
            version = canonical.count(".") > 1
            return version or sum(map(str.isdigit, canonical)) >= _SHORT_NUMBER
        case IdentifierType.CODE:
            # Hyphens join ordinary words too; underscores do not.
            return "-" not in canonical or "_" in found.written or _has_digit(canonical)
        case kind:
            return kind not in _LOOSE


def _blanked(text: str, named: list[Found]) -> str:
    """The text without its identifiers, in which a comma divides nothing."""
    for each in named:
        text = f"{text[: each.start]}{' ' * (each.end - each.start)}{text[each.end :]}"
    return text


def _is_loose(found: Found) -> bool:
    return found.identifier.type in _LOOSE or found.identifier.type is IdentifierType.NUMBER


def _has_digit(text: str) -> bool:
    return any(map(str.isdigit, text))


def _wanted(part: str, terms: Terms, *, everything: bool) -> Wanted:
    names = [each for run in names_of(part) if (each := _real(run)) is not None]
    taken = {word.start for each in names for word in each.words}
    words = [each for each in words_of(part) if each.start not in taken]
    if not names:
        narrowing = [each for each in content_words(words) if not is_category(each)]
        return Wanted(name=None, also=(), narrowing=_terms_of(narrowing, terms))
    first = names[0]
    begin, end = first.words[0].start, first.words[-1].end
    before = [each for each in words if each.start < begin]
    after = [each for each in words if each.start >= end]
    # The word right before a name says what it is ("guest Sato Ken"), not what is asked.
    before = [each for each in before if each is not before[-1] or each.key in STOP]
    if everything:
        before = []
        after = after if first.words[-1].owner else []
    # "Nora's address": what is owned is asked for, even if it only names a kind elsewhere.
    idle = GENERIC if first.words[-1].owner else CATEGORIES
    kept = [each for each in content_words([*before, *after]) if each.key not in idle]
    return Wanted(
        name=first,
        also=() if everything else tuple(names[1:]),
        narrowing=_terms_of(kept, terms),
    )


def _real(run: Name) -> Name | None:
    """A run of capitals without its words that cannot be a name."""
    kept = [each for each in run.words if not _is_no_name(each)]
    return Name(words=tuple(kept)) if kept else None


def _is_no_name(word: Word) -> bool:
    if word.key in CATEGORIES or word.key in STOP:
        return True
    return _ACRONYM.fullmatch(word.written) is not None


def _terms_of(words: list[Word], terms: Terms) -> tuple[str, ...]:
    return tuple(dict.fromkeys(term for each in words for term in terms(each.written)))
