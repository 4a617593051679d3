"""Names as they are written: runs of words that name somebody or something.

Decides which words may be names and when two spellings are one name, across alphabets. Refuses to
know any name, and to tell people from places. Case counts: "Frank" may be a name, "frank" is not.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Final

from lapse.text.identifiers.spelling import folded, joined, plain
from lapse.text.scripts import UNSPACED

_WORD: Final = re.compile(r"[^\W\d_]+(?:['’.-](?=[^\W\d_])[^\W\d_]+)*")
_POSSESSIVE: Final = re.compile(r"['’]s?$")
_SENTENCE_END: Final = re.compile(r"[.!?:;…。！？：；\n\"“‘(]\s*$")
_BETWEEN: Final = re.compile(r" {1,2}|")
_SOUNDS: Final = {
    sound: letter
    for letter, sounds in {
        "b": "bfpvw",
        "k": "cgjkqsxz",
        "t": "dt",
        "l": "l",
        "m": "mn",
        "r": "r",
    }.items()
    for sound in sounds
}
_ALIKE: Final = 0.75
_UMLAUT: Final = re.compile("[äöüÄÖÜ]")
_WRITTEN_OUT: Final = re.compile("([aou])e")


@dataclass(frozen=True, slots=True, kw_only=True)
class Word:
    """One word of a text.

    Attributes:
        written: As it stands, without a possessive ending.
        key: Folded into plain Latin letters.
        capital: Whether it is written as a name: with a capital, or in an alphabet without any.
        head: Whether it opens a sentence, so that its capital proves nothing.
        uncased: Whether its alphabet has no capitals.
        foreign: Whether it is written in another alphabet than the Latin one.
        owner: Whether it ends in a possessive.
        start, end: Where it stands in `spelling.plain` of the text.
    """

    written: str
    key: str
    capital: bool
    head: bool
    uncased: bool
    foreign: bool
    owner: bool
    start: int
    end: int


def words_of(text: str) -> list[Word]:
    """The words of a text in order; digits and signs are none."""
    readable = plain(text)
    found: list[Word] = []
    for match in _WORD.finditer(readable):
        written = _POSSESSIVE.sub("", match[0])
        owner = written != match[0] or readable[match.end() : match.end() + 1] in {"'", "’"}
        first = next((each for each in written if each.isalpha()), written[0])
        uncased = first.upper() == first.lower()
        found.append(
            Word(
                written=written,
                key=written.casefold() if written.isascii() else folded(written),
                capital=uncased or first.isupper(),
                head=not found
                or _SENTENCE_END.search(readable[max(0, match.start() - 8) : match.start()])
                is not None,
                uncased=uncased,
                foreign=not written.isascii() and _is_foreign(written),
                owner=owner,
                start=match.start(),
                end=match.start() + len(written),
            )
        )
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Name:
    """A run of neighbouring words that together are one name."""

    words: tuple[Word, ...]

    @property
    def written(self) -> str:
        """The name as it stands."""
        return " ".join(each.written for each in self.words)

    @property
    def key(self) -> str:
        """Without spaces, for alphabets that set none between the parts of a name."""
        return joined(self.written)

    @property
    def foreign(self) -> bool:
        """Whether it is written in another alphabet than the Latin one."""
        return any(each.foreign for each in self.words)


def names_of(text: str) -> list[Name]:
    """Every run of words that may be a name, longest runs whole, in order."""
    readable = plain(text)
    return runs_of(words_of(readable), readable)


def runs_of(words: Iterable[Word], readable: str) -> list[Name]:
    """The names that words of a text are, which `spelling.plain` has made readable."""
    runs: list[list[Word]] = []
    for word in words:
        if not word.capital:
            continue
        last = runs[-1][-1] if runs else None
        neighbours = (
            last is not None
            and not last.owner
            and _BETWEEN.fullmatch(readable[last.end : word.start]) is not None
            and last.foreign == word.foreign
        )
        if neighbours:
            runs[-1].append(word)
        else:
            runs.append([word])
    return [Name(words=tuple(each)) for each in runs]


def mentions(name: Name, words: list[Word]) -> list[tuple[int, int]]:
    """Where a name stands among the words of a text: positions, half-open.

    Whole words only, in the case of a name, spelled alike once accents and alphabets are undone.
    """
    count = len(name.words)
    found = [
        (at, at + count)
        for at in range(len(words) - count + 1)
        if all(_same_word(name.words[i], words[at + i]) for i in range(count))
    ]
    return found or _across_alphabets(name, words)


def likeness(one: Name, other: Name) -> float:
    """How alike two names in different alphabets may sound, consonant by consonant.

    Vowels are left out, since many alphabets do. In [0, 1]; 0 for what is too unlike to say, and
    for names in the same alphabet, which are compared letter by letter.
    """
    if one.foreign == other.foreign:
        return 0.0
    a, b = _sounds(one.key), _sounds(other.key)
    if min(len(a), len(b)) < 2:
        return 0.0
    ratio = SequenceMatcher(None, a, b).ratio()
    return ratio if ratio >= _ALIKE else 0.0


def spellings_of(word: Word) -> frozenset[str]:
    """The keys under which a word may stand: where umlauts are hard to type, an e follows."""
    keys = {word.key, _WRITTEN_OUT.sub(r"\1", word.key)}
    if _UMLAUT.search(word.written) is not None:
        keys.add(folded(_UMLAUT.sub(r"\g<0>e", word.written)))
    return frozenset(keys)


def _is_foreign(written: str) -> bool:
    letters = [each for each in written if each.isalpha() and ord(each) >= 0x0370]
    # Latin letters with two accents have a block of their own, far above the others.
    return any(not "\u1e00" <= each <= "\u1eff" for each in letters)


def _same_word(asked: Word, told: Word) -> bool:
    if asked.key == told.key:
        return _cased_alike(asked, told)
    if asked.key[:1] != told.key[:1]:
        return False
    umlaut = _UMLAUT.search(asked.written) or _UMLAUT.search(told.written)
    alike = umlaut is not None and spellings_of(asked) & spellings_of(told)
    return bool(alike) and _cased_alike(asked, told)


def _cased_alike(asked: Word, told: Word) -> bool:
    return asked.capital == told.capital or told.uncased or asked.uncased


def _across_alphabets(name: Name, words: list[Word]) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    foreign = name.foreign
    if not foreign and not any(each.foreign for each in words):
        return found
    for at, word in enumerate(words):
        if not (word.capital and (word.foreign or foreign)):
            continue
        spelled = ""
        for end in range(at, min(at + 4, len(words))):
            if not words[end].capital:
                break
            spelled += joined(words[end].written)
            if spelled == name.key:
                found.append((at, end + 1))
                break
    return found


def _sounds(key: str) -> str:
    spoken = [_SOUNDS[each] for each in key if each in _SOUNDS]
    return "".join(each for at, each in enumerate(spoken) if at == 0 or spoken[at - 1] != each)


def within_unspaced(name: Name, text: str) -> bool:
    """Whether a name in a script without spaces stands anywhere in a text."""
    return any(UNSPACED.search(each.written) for each in name.words) and name.written in plain(text)
