"""Reading a text for what it says, whatever it looks like: the words of each sentence.

Decides what a sentence is, which of its words count, where a statement may begin and end within it,
and which of its words a slip of the pen may change without changing the statement. Refuses to judge
two texts: it reads one.

Words are read without case, accents, invisible characters and look-alikes (`lookalikes.plain`);
numbers spelled out become digits; contractions are resolved; words that say nothing are left out.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import IntEnum
from itertools import chain
from typing import Final

from lapse.erasure.lookalikes import plain
from lapse.erasure.squeezing import squeezed
from lapse.erasure.typesetting import without_setting
from lapse.text import cues, scripts

_CHUNK: Final = re.compile(r"\S+|\n")
_OPENING: Final = "\"'`«‹„“‘‚([{<¿¡*_…,;:–—"
_CLOSING: Final = "\"'`»›”’“)]}>*_…,;:.!?。、！？；：؟،۔।–—"
_SENTENCE_END: Final = re.compile(r"[.!?…。！？؟۔।][\"'`»›”’)\]}*_]*$")
_INNER_SIGN: Final = re.compile(r"[@#+:/\\_=&]|\w\.\w")
_PIECES: Final = re.compile(f"{scripts.UNSPACED.pattern}|{scripts.SPACED}\\W_]+")


def _words(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


_ABBREVIATIONS: Final = _words(
    "dr mr mrs ms prof st jr sr vs etc eg ie nr inc ltd co bzw usw ca approx dept fig vol"
)
_PARTING: Final = _words(
    "and but because which who or while so that und aber weil dass oder et mais que y pero e ma"
)

# What people say to each other whatever they talk about.
_PHATIC: Final = _words(
    "thanks thank wow yeah yep yup yay hmm haha lol aw aww ah ha bye goodbye welcome congrats"
    " congratulations sorry sure cool awesome amazing great good nice fine glad happy lovely"
    " wonderful fantastic excellent perfect exciting excited interesting definitely absolutely"
    " totally exactly agreed indeed course sounds sound looks look seems way go going gonna problem"
    " worries worry time long see talk hear hearing know think mean care luck day night morning"
    " evening afternoon weekend soon guys guy man buddy friend let lets got get make makes keep"
    " take much lot lots bit love like appreciate proud hope cheers fun nope merci gracias danke"
)
_ENDINGS: Final = {"m": "am", "re": "are", "ve": "have", "ll": "will", "d": "would"}
_JOINED: Final = {
    "cant": ("can", "not"),
    "cannot": ("can", "not"),
    "wont": ("will", "not"),
    "shant": ("shall", "not"),
    "aint": ("not",),
} | {
    f"{stem}nt": (stem, "not")
    for stem in _words("do does did is are was were would should could has have had must need")
}

_SHORTEST_SLIP: Final = 5
_LONGEST_SLIP: Final = 15
_APOSTROPHES: Final = str.maketrans(dict.fromkeys("‘’ʹʼ՚`´", "'"))
_UNSPACED_END: Final = re.compile("[。！？]")


class Trait(IntEnum):
    """What a word is, as far as comparing goes.

    `LINKS` relates others; `PLAIN` says something; `SIGN` is a name, a number, a date or an
    identifier, and never nearly the same as another; `TURNS` is a negation.
    """

    LINKS = 0
    PLAIN = 1
    SIGN = 2
    TURNS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """One sentence.

    Attributes:
        words: Its words in canonical form, in order, without those that say nothing.
        traits: What each is.
        lower: For each, whether it was written without a capital.
        starts: Where in `words` a statement may begin, ascending.
        ends: Where one may end, exclusive, ascending.
        squeezed: Its letters and digits alone, so that spacing and punctuation make no difference.
    """

    words: tuple[str, ...]
    traits: tuple[Trait, ...]
    lower: tuple[bool, ...]
    starts: tuple[int, ...]
    ends: tuple[int, ...]
    squeezed: str

    @property
    def weight(self) -> int:
        """How many of its words say something.

        A number or an identifier counts twice, a character of an unspaced script half.
        """
        single = sum(len(each) == 1 and not each.isascii() for each in self.words)
        figures = sum(
            trait is Trait.SIGN and not word.isalpha()
            for word, trait in zip(self.words, self.traits, strict=True)
        )
        return sum(map(_says, self.words, self.traits)) + figures - single // 2

    @property
    def telling(self) -> bool:
        """Whether it holds a name, a number or an identifier."""
        return Trait.SIGN in self.traits


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A text as it is compared.

    Attributes:
        sentences: Those that hold any word or sign, in order.
        squeezed: The whole text's letters and digits.
        cased: Whether capitals can be trusted to mark names: it begins with one and has both.
    """

    sentences: tuple[Sentence, ...]
    squeezed: str
    cased: bool

    @property
    def whole(self) -> Sentence:
        """The whole text as if it were one sentence."""
        if len(self.sentences) == 1:
            return self.sentences[0]
        words = tuple(chain.from_iterable(each.words for each in self.sentences))
        return Sentence(
            words=words,
            traits=tuple(chain.from_iterable(each.traits for each in self.sentences)),
            lower=tuple(chain.from_iterable(each.lower for each in self.sentences)),
            starts=(0,),
            ends=(len(words),),
            squeezed=self.squeezed,
        )


def read(text: str) -> Reading:
    """Read a text whose line breaks may fall anywhere, in time linear in its length."""
    return _read(text, line_ends_sentence=_NEVER)


def read_lines(text: str) -> Reading:
    """Read a text whose line breaks end sentences, as in a list."""
    return _read(text, line_ends_sentence=_ALWAYS)


def may_slip(word: str, trait: Trait) -> bool:
    """Whether a word one letter off is the same word written badly."""
    long_enough = _SHORTEST_SLIP <= len(word) <= _LONGEST_SLIP
    return trait is Trait.PLAIN and long_enough and word.isalpha()


def may_be_slip(word: str, trait: Trait) -> bool:
    """Whether a word may be one that slips, written badly: with a letter more or less."""
    long_enough = _SHORTEST_SLIP - 1 <= len(word) <= _LONGEST_SLIP + 1
    return trait is Trait.PLAIN and long_enough and word.isalpha()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Known:
    """What a listed word becomes, and whether statements are parted at it."""

    words: tuple[tuple[str, Trait], ...]
    parts: bool


def _known() -> dict[str, _Known]:
    found: dict[str, tuple[tuple[str, Trait], ...]] = {}
    found |= {each: ((each, Trait.LINKS),) for each in cues.RELATIONS | cues.UNITS | _PARTING}
    found |= {each: ((each, Trait.TURNS),) for each in cues.NEGATIONS}
    found |= {each: ((each, Trait.SIGN),) for each in cues.DATES}
    found |= {each: ((digits, Trait.SIGN),) for each, digits in cues.NUMBER_WORDS.items()}
    nothing: dict[str, tuple[tuple[str, Trait], ...]] = {}
    nothing |= dict.fromkeys(cues.FILLERS | {"is"}, ())
    for joined, words in _JOINED.items():
        told = (each for each in words if each not in nothing)
        found[joined] = tuple(
            (each, Trait.TURNS if each == "not" else Trait.LINKS) for each in told
        )
    return {
        word: _Known(words=words, parts=word in _PARTING)
        for word, words in (found | nothing).items()
    }


_KNOWN: Final = _known()

_NEVER: Final = ""
_ALWAYS: Final = "\n"


def _says(word: str, trait: Trait) -> bool:
    return trait in (Trait.PLAIN, Trait.SIGN) and word not in _PHATIC


def _read(text: str, *, line_ends_sentence: str) -> Reading:
    formless = without_setting(text)
    if not formless.isascii():
        # Where no spaces part words, none part sentences either.
        formless = _UNSPACED_END.sub(r"\g<0> ", formless.translate(_APOSTROPHES))
    reader = _Reader()
    for match in _CHUNK.finditer(formless):
        chunk = match.group()
        if chunk != "\n":
            reader.take(chunk)
        elif line_ends_sentence:
            reader.end_sentence()
        else:
            reader.part()
    reader.end_sentence()
    sentences = tuple(reader.sentences)
    first = next(filter(str.isalpha, formless[:200]), "")
    cased = first.isupper() and not formless.isupper()
    return Reading(
        sentences=sentences,
        squeezed="".join(each.squeezed for each in sentences),
        cased=cased,
    )


@dataclass(slots=True)
class _Reader:
    """Collects sentences, chunk by chunk of what white space parts."""

    sentences: list[Sentence] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    traits: list[Trait] = field(default_factory=list)
    lower: list[bool] = field(default_factory=list)
    starts: list[int] = field(default_factory=lambda: [0])
    ends: list[int] = field(default_factory=list)
    chunks: list[str] = field(default_factory=list)

    def take(self, chunk: str) -> None:
        self.chunks.append(chunk)
        if chunk.isascii() and chunk.isalpha():  # most words: nothing to look for around them
            self._word(chunk)
            return
        if chunk[0] in _OPENING:
            self.part()
        inner = chunk.lstrip(_OPENING).rstrip(_CLOSING)
        for run in self._runs(inner):
            self._run(run)
        if chunk[-1] in _CLOSING:
            if self._ends_sentence(chunk, inner):
                self.end_sentence()
            else:
                self.part()

    def part(self) -> None:
        """A statement may end here and another begin."""
        self._end_at(len(self.words))
        self._start_at(len(self.words))

    def end_sentence(self) -> None:
        if self.chunks:
            self._end_at(len(self.words))
            sentence = Sentence(
                words=tuple(self.words),
                traits=tuple(self.traits),
                lower=tuple(self.lower),
                starts=tuple(self.starts),
                ends=tuple(self.ends),
                squeezed=squeezed(" ".join(self.chunks)),
            )
            if sentence.words or sentence.squeezed:
                self.sentences.append(sentence)
        self.words, self.traits, self.lower = [], [], []
        self.starts, self.ends, self.chunks = [0], [], []

    def _runs(self, inner: str) -> Iterable[str]:
        if not inner:
            return ()
        if inner.isascii():
            return (inner,)
        return (each for each in _unspaced_apart(inner) if each)

    def _run(self, run: str) -> None:
        if scripts.UNSPACED.match(run) is not None:
            for character in run:
                self._put(character, Trait.SIGN, lower=True)
        elif any(map(str.isnumeric, run)) or _INNER_SIGN.search(run) is not None:
            self._put(_canonical(run), Trait.SIGN, lower=True)
        else:
            for word in _PIECES.findall(run.replace("'", "")) if "'" not in run else [run]:
                self._word(word)

    def _word(self, word: str) -> None:
        folded = plain(word)
        lower = folded == word or (word[0] == word[0].lower() and word[1:] == word[1:].lower())
        if "'" in folded:
            for each in _resolved(folded):
                self._put_word(each, lower=lower)
        else:
            self._put_word(folded, lower=lower)

    def _put_word(self, folded: str, *, lower: bool) -> None:
        known = _KNOWN.get(folded)
        if known is None:
            named = not lower and bool(self.words)
            self._put(folded, Trait.SIGN if named else Trait.PLAIN, lower=lower)
            return
        if known.parts:
            self._end_at(len(self.words))
        for word, trait in known.words:
            self._put(word, trait, lower=True)
        if known.parts:
            self._start_at(len(self.words))

    def _put(self, word: str, trait: Trait, *, lower: bool) -> None:
        self.words.append(word)
        self.traits.append(trait)
        self.lower.append(lower)

    def _start_at(self, at: int) -> None:
        if self.starts[-1] != at:
            self.starts.append(at)

    def _end_at(self, at: int) -> None:
        if at and (not self.ends or self.ends[-1] != at):
            self.ends.append(at)

    def _ends_sentence(self, chunk: str, inner: str) -> bool:
        if _SENTENCE_END.search(chunk) is None:
            return False
        full_stop = chunk.rstrip("\"'`»›”’)]}*_").endswith(".")
        # "Dr. Smith", "J. Smith": no sentence ends with a title or an initial.
        return not (full_stop and (len(inner) == 1 or inner.lower() in _ABBREVIATIONS))


def _unspaced_apart(inner: str) -> Iterator[str]:
    at = 0
    for match in scripts.UNSPACED.finditer(inner):
        yield inner[at : match.start()]
        yield match.group()
        at = match.end()
    yield inner[at:]


def _resolved(folded: str) -> tuple[str, ...]:
    """The words of a contraction."""
    stem, _, ending = folded.partition("'")
    if ending == "s":
        return (stem,)
    if ending in _ENDINGS:
        return (stem, _ENDINGS[ending])
    return (stem + ending.replace("'", ""),)


def _canonical(run: str) -> str:
    """One form for digits of any script, a true minus and a plus that says nothing."""
    if not run.isascii():
        run = "".join(
            str(unicodedata.decimal(each)) if each.isdecimal() else each for each in run
        ).replace("−", "-")
    return plain(run.lstrip("+"))
