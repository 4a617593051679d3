"""Texts to terms: what the text arm of recall matches on.

Decides what a word is in any script, which words count as the same (case, width, stem, accents),
and how scripts written without spaces are cut. Refuses to weigh terms or to leave any out because
they are frequent: that is what the ranking's IDF is for, and dropping stop words made the fused
ranking no better on the public conversation corpus.
"""

import re
import threading
import unicodedata
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Final

from lapse.errors import ValidationError
from lapse.text import scripts
from lapse.text.stemming import LANGUAGES, stemmer_for, stemmer_id

# Raised whenever the same text would give other terms than before: stored terms are then stale.
_RULES_VERSION: Final = 3

_LONGEST_TERM: Final = 64
_LONGEST_CACHED_PIECE: Final = 32
_CACHED_PIECES: Final = 100_000

# One unspaced run, or one word with what may cling to it. An apostrophe parts words ("l'eau",
# "O'Brien") unless one of English's clitics follows, which mean nothing alone: "can't" is one word.
# The signs of C++, C# and F# belong to their word; elsewhere + and # are punctuation.
_RUN: Final = re.compile(
    f"{scripts.UNSPACED.pattern}"
    f"|{scripts.SPACED}'+#]+(?:'(?:t|d|m|ll|re|ve)(?![^'+#]))?(?:(?:\\+\\+|#)(?![^'+#]))?"
)
_POSSESSIVE: Final = re.compile(r"(?<=[^'+#])'s(?![^'+#])")
_APOSTROPHES: Final = "'\u2018\u2019\u02b9\u02bc\u055a"


class _Separation(dict[int, str | None]):
    """What each character becomes before a text is split at white space; filled as they turn up."""

    def __missing__(self, code: int) -> str | None:
        self[code] = result = _separated(chr(code))
        return result


class Tokeniser:
    """Cuts the texts of one bank into terms.

    Words are stemmed by the Snowball algorithm of the bank's language; other languages in the same
    bank are found by words that the same stemmer treats alike. Scripts written without spaces are
    cut into pairs of characters. Punctuation is only punctuation: nothing is a query operator.

    Thread-safe. Instances with equal `id` give equal terms on every machine.
    """

    def __init__(self, language: str = "english") -> None:
        """Choose the stemmer.

        Args:
            language: A member of `stemming.LANGUAGES`; "none" leaves words as they stand.

        Raises:
            ValidationError: There is no stemmer of that name.
        """
        if language not in LANGUAGES:
            known = ", ".join(sorted(LANGUAGES))
            raise ValidationError.of("language", language, f"must be one of {known}")
        self._language = language
        self._stem = stemmer_for(language)
        # Snowball stemmers keep the word they work on in themselves.
        self._stemming = threading.Lock()
        self._separation = _Separation()
        self._cache: dict[str, tuple[str, ...]] = {}

    @cached_property
    def id(self) -> str:
        """Identity of all that shapes a term: rules, stemmer and Unicode tables.

        Where it differs from the one stored terms were made under, they no longer fit queries.
        """
        unicode = unicodedata.unidata_version
        return f"rules{_RULES_VERSION}-{stemmer_id(self._language)}-unicode{unicode}"

    def terms(self, text: str) -> list[str]:
        """The terms of a text to be stored, in order, with repeats.

        An unspaced run gives each character and each pair of neighbours, so that a query of one
        character finds it too.
        """
        found: list[str] = []
        cache = self._cache
        for each in self._pieces(text):
            found += cache.get(each) or self._of_piece(each)
        return found

    def query_terms(self, text: str) -> list[str]:
        """The terms of a query, in order, with repeats: some of those that `terms` gives.

        An unspaced run of two or more characters gives its pairs only: single characters would
        match too much. A query without a word or a pictograph gives none.
        """
        return [term for each in self._pieces(text) for term in self._of_query_piece(each)]

    def _pieces(self, text: str) -> list[str]:
        if self._language == "turkish":
            # Unicode's own case folding would make the dotted and the dotless letter one.
            text = text.replace("İ", "i").replace("I", "ı")
        if text.isascii():
            text = text.lower()
        else:
            # Case folding can undo the normal form, and the normal form can bring back capitals.
            text = unicodedata.normalize("NFKC", text).casefold()
            text = unicodedata.normalize("NFKC", text)
        return text.translate(self._separation).split()

    def _of_piece(self, piece: str) -> tuple[str, ...]:
        known = self._cache.get(piece)
        if known is None:
            known = tuple(self._cut(piece, scripts.all_grams))
            self._remember(piece, known)
        return known

    def _of_query_piece(self, piece: str) -> tuple[str, ...]:
        if scripts.UNSPACED.search(piece) is None:
            return self._of_piece(piece)
        return tuple(self._cut(piece, scripts.pairs))

    def _remember(self, piece: str, terms: tuple[str, ...]) -> None:
        if len(piece) > _LONGEST_CACHED_PIECE:
            return
        if len(self._cache) >= _CACHED_PIECES:
            # A new dictionary, not clear(): another thread may be about to write to the old one.
            self._cache = {}
        self._cache[piece] = terms

    def _cut(self, piece: str, grams: Callable[[str], Iterator[str]]) -> Iterator[str]:
        for run in _RUN.findall(_POSSESSIVE.sub("", piece)):
            if scripts.UNSPACED.match(run) is not None:
                yield from grams(run)
                continue
            word = run.rstrip("+#")
            yield scripts.without_accents(self._stemmed(word[:_LONGEST_TERM]))
            if word != run:
                yield run[-_LONGEST_TERM:]

    def _stemmed(self, word: str) -> str:
        if any(map(str.isdigit, word)):
            # A code, a version, a year: no language's endings apply.
            return word
        with self._stemming:
            # A stemmer may eat a word whole; the word is still what was said.
            return self._stem(word) or word


def _separated(character: str) -> str | None:
    """What a character becomes: itself, nothing, or white space; a pictograph stands alone."""
    if character in _APOSTROPHES:
        return "'"
    if character in "+#":
        return character
    category = unicodedata.category(character)
    if category == "Cf" or scripts.is_variation_selector(character):
        return None
    if category == "So":
        return f" {character} "
    if category == "Nd":
        return str(unicodedata.decimal(character))
    return character if category[0] in "LMN" else " "
