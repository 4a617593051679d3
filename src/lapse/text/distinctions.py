"""What keeps two texts apart however alike they are.

Decides, for texts that a vector finds nearly the same, whether one may stand for the other. Refuses
to judge likeness itself. Where it cannot tell, it keeps them apart: showing a thing twice costs
room, losing one of two facts costs the fact.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from lapse.text import cues, scripts
from lapse.text.normalise import without_forms

_CHUNK: Final = re.compile(r"\S+|\n")
_OPENING: Final = "\"'`«‹„“‘‚([{<¿¡*_…,;:"
_CLOSING: Final = "\"'`»›”’“)]}>*_…,;:.!?。、！？；：؟،۔।"
_SENTENCE_END: Final = re.compile(r"[.!?:…。！？：؟۔।][\"'`»›”’)\]}*_]*$")
_RUNS: Final = re.compile(f"{scripts.UNSPACED.pattern}|{scripts.SPACED}]+")

_IDENTIFIER: Final = re.compile(r"[@#]\w|\w[@+#]|://|[/\\_]|\w\.\w")
_MEASURE: Final = re.compile(r"([-−+]?[$€£¥₹]?\d[\d.,]*)([^\W\d_]+)")
_DECIMAL: Final = re.compile(r"([-+]?[$€£¥₹]?\d+)[.,](\d{1,2}|\d{4,})")
_GROUPED: Final = re.compile(r"[-+]?[$€£¥₹]?\d{1,3}(?:,\d{3}){2,}(?:\.\d+)?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Name:
    """A word that may name somebody or something.

    Attributes:
        word: Without case.
        certain: False for a capital that only the head of a sentence may have given it.
    """

    word: str
    certain: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Distinctions:
    """What one text says that a similar one may say differently, each in the order of the text.

    Attributes:
        numbers: Digits of any script, numerals and dates spelled in English, each with its unit,
            currency and sign. "1,000" and "1.000" stay as written, since languages disagree.
        identifiers: Addresses, paths, codes: whatever holds both letters and digits, or signs
            within.
        names: Words with capitals, and every word of a script that has none.
        negations: What each "not" applies to: the next word with a meaning of its own.
        words: All words with a meaning of their own, without case; characters in unspaced scripts.
        relations: The words of `cues.RELATIONS` in it.
        lower: The words that occur without a capital.
        cased: Whether capitals can be trusted: the text has both, and begins with one.
    """

    numbers: tuple[str, ...]
    identifiers: tuple[str, ...]
    names: tuple[Name, ...]
    negations: tuple[str, ...]
    words: tuple[str, ...]
    relations: frozenset[str]
    lower: frozenset[str]
    cased: bool


def distinctions_of(text: str) -> Distinctions:
    """Read the distinctions of a text, in time linear in its length."""
    reader = _Reader()
    for match in _CHUNK.finditer(without_forms(text)):
        reader.read(match.group())
    return reader.result()


def same_distinctions(a: Distinctions, b: Distinctions) -> bool:
    """Whether two nearly equal texts say the same of the same things.

    Equal must be the numbers, the identifiers, the names and what is negated, each in order, and
    the order of the words they share: "Ann owes Bob" is not "Bob owes Ann", nor is tea rather than
    coffee the same as coffee rather than tea. No pronoun, preposition or tense may stand in place
    of another. Where capitals cannot be trusted any word may be a name, so all must be equal.

    Symmetric; true for a text and itself.
    """
    alike = (
        a.numbers == b.numbers
        and a.identifiers == b.identifiers
        and a.negations == b.negations
        and _names_beside(a, b) == _names_beside(b, a)
        and (a.relations <= b.relations or b.relations <= a.relations)
    )
    if not alike:
        return False
    if not (a.cased and b.cased):
        return a.words == b.words
    shared = set(a.words) & set(b.words)
    return [each for each in a.words if each in shared] == [
        each for each in b.words if each in shared
    ]


def _names_beside(own: Distinctions, other: Distinctions) -> list[str]:
    """Names of `own`, without capitals that the other text shows to be of the sentence only."""
    return [name.word for name in own.names if name.certain or name.word not in other.lower]


@dataclass(slots=True)
class _Reader:
    """Collects the distinctions of one text, chunk by chunk of what white space parts."""

    numbers: list[str] = field(default_factory=list)
    identifiers: list[str] = field(default_factory=list)
    names: list[Name] = field(default_factory=list)
    negations: list[str] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    relations: set[str] = field(default_factory=set)
    lower: set[str] = field(default_factory=set)
    first_letter: str = ""
    at_head: bool = True  # of a sentence
    after_number: bool = False
    open_negations: int = 0

    def read(self, chunk: str) -> None:
        if chunk == "\n":
            self.at_head = True
            return
        # A quotation may begin with a capital of its own.
        self.at_head = self.at_head or chunk[0] in _OPENING
        inner = chunk.lstrip(_OPENING).rstrip(_CLOSING)
        for run in [inner] if inner.isascii() else _RUNS.findall(inner):
            self._read_run(run)
        if _SENTENCE_END.search(chunk) is not None:
            self.at_head = True
        if chunk[-1] in _CLOSING:
            self.after_number = False

    def result(self) -> Distinctions:
        return Distinctions(
            numbers=tuple(self.numbers),
            identifiers=tuple(self.identifiers),
            names=tuple(self.names),
            negations=(*self.negations, *[""] * self.open_negations),
            words=tuple(self.words),
            relations=frozenset(self.relations),
            lower=frozenset(self.lower),
            cased=self.first_letter.isupper() and bool(self.lower),
        )

    def _read_run(self, run: str) -> None:
        if not run:
            return
        self.first_letter = self.first_letter or next(filter(str.isalpha, run), "")
        if run.isascii() and run.isalpha():  # most words: no need to look for anything else
            self._read_word(run)
        elif scripts.UNSPACED.match(run) is not None:
            for character in run:
                self._take_word(character, name=Name(word=character, certain=True))
        elif any(map(str.isnumeric, run)):
            self._read_digits(run)
        elif _IDENTIFIER.search(run) is not None:
            self._take_identifier(run)
        else:
            for word in _words(run):
                self._read_word(word)

    def _read_digits(self, run: str) -> None:
        measure = _MEASURE.fullmatch(run)
        if measure is not None and measure[2].casefold() in cues.UNITS:
            self._take_number(f"{_canonical_number(measure[1])} {measure[2].casefold()}")
        elif not any(map(str.isalpha, run)):
            self._take_number(_canonical_number(run))
            self.after_number = True
        elif run.lstrip("-−+")[0].isnumeric():
            self._take_number(run.casefold())
        else:
            self._take_identifier(run)

    def _read_word(self, word: str) -> None:
        folded = word.casefold().removesuffix("'s")
        stem, apostrophe, rest = folded.partition("'")
        if stem == "n" and apostrophe:  # French: "n'aime"
            self.open_negations += 1
            folded = rest
        if self.after_number and folded in cues.UNITS:
            self.numbers[-1] += f" {folded}"
        elif folded in cues.NUMBER_WORDS:
            self.numbers.append(cues.NUMBER_WORDS[folded])
        elif folded in cues.DATES:
            self.numbers.append(folded)
        elif folded in cues.NEGATIONS or folded.endswith("n't"):
            self.open_negations += 1
        elif stem in cues.RELATIONS:
            # "I'm" and "I am" have the same pronoun.
            self.relations.add(stem)
        elif folded not in cues.FILLERS:
            self._take_word(folded, name=_name(word, folded, at_head=self.at_head))
        if word == word.lower():
            self.lower.add(folded)
        self.at_head = self.after_number = False

    def _take_number(self, number: str) -> None:
        self.numbers.append(number)
        self.at_head = self.after_number = False

    def _take_identifier(self, run: str) -> None:
        self.identifiers.append(_canonical_identifier(run))
        self.at_head = self.after_number = False

    def _take_word(self, folded: str, *, name: Name | None) -> None:
        self.words.append(folded)
        self.negations.extend([folded] * self.open_negations)
        self.open_negations = 0
        if name is not None:
            self.names.append(name)
        self.at_head = self.after_number = False


def _name(word: str, folded: str, *, at_head: bool) -> Name | None:
    """The name a word may be: it has a capital, or its script has none to give."""
    cased = any(each.isupper() or each.islower() for each in word)
    if cased and word == word.lower():
        return None
    # A capital within ("iPhone", "NATO") is not the sentence's.
    of_sentence = at_head and cased and word[1:] == word[1:].lower()
    return Name(word=folded, certain=not of_sentence)


def _words(run: str) -> Iterator[str]:
    """Letters with their marks and inner apostrophes, and single pictographs."""
    return filter(None, (each.strip("'") for each in "".join(map(_kept, run)).split()))


def _kept(character: str) -> str:
    if character in "'’":
        return "'"
    match unicodedata.category(character):
        case "So":
            return f" {character} "
        case category if category[0] in "LM":
            return character
        case _:
            return " "


def _canonical_number(written: str) -> str:
    """One form for 1.5, 1.50 and 1,5; digits of any script; a true minus; no grouping if sure."""
    ascii_digits = "".join(
        str(unicodedata.decimal(each)) if each.isdecimal() else each for each in written
    )
    number = ascii_digits.replace("−", "-").removeprefix("+")
    if _GROUPED.fullmatch(number) is not None:
        number = number.replace(",", "")
    decimal = _DECIMAL.fullmatch(number)
    if decimal is None:
        return number
    fraction = decimal[2].rstrip("0")
    return f"{decimal[1]}.{fraction}" if fraction else decimal[1]


def _canonical_identifier(written: str) -> str:
    """Without case, except for what a path may tell apart by it."""
    scheme, mark, rest = written.partition("://")
    if mark:
        host, slash, path = rest.partition("/")
        return f"{scheme.lower()}://{host.lower()}{slash}{path}"
    return written if any(sign in written for sign in "/\\") else written.casefold()
