"""Reading a statement for what it claims: who, what, how much, and what it denies.

Decides which words of a clause are asserted and which denied, what it is about, and whether a
sentence claims anything at all. Refuses to compare two statements: that is `comparing`.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from lapse.text import cues
from lapse.text.clauses import Clause, clauses_of, sentences_of
from lapse.text.listing import listed
from lapse.text.tokens import Tokeniser
from lapse.text.verbs import PASTS
from lapse.truth.tallies import Tally, tallies_of
from lapse.truth.words import HOLLOW, SELF, Word, words_of

_DENIALS: Final = cues.NEGATIONS | listed(
    "dislikes dislike hates hate avoids avoid refuses refuse rejects reject stopped quit quits left"
    " sold departed dropped cancel cancelled canceled ended abandoned cannot rather unlike lacks"
    " lost resigned ceased"
)
"""What opens a denial; it reaches to the next comma, to one of `_DENIAL_ENDS`, or to the end."""

_PARTED: Final = frozenset(
    {
        *(("gave", "up"), ("gives", "up"), ("given", "up"), ("giving", "up"), ("hung", "up")),
        *(("got", "rid"), ("swore", "off"), ("sworn", "off"), ("cut", "out"), ("threw", "out")),
        *(("dropped", "out"), ("backed", "out"), ("opted", "out"), ("moved", "out")),
        *(("turned", "down"), ("stepped", "down")),
    }
)
"""Two words that together open a denial."""

_DENIAL_ENDS: Final = listed("but instead while whereas to")

_WISHES: Final = listed(
    "look think wonder tri need want help recommend hope curious plan consid excit interest"
    " appreci thank check know sure like'd would"
)
"""Verb stems of asking, wishing and thanking: a sentence with no other verb claims nothing."""

_AIMS: Final = listed("need want hope plan aim goal")
"""Verb stems of what is not yet: a number after one counts nothing that is there."""

_LINKS: Final = listed(
    "is are was were be been being am has have had having do does did will would can could may"
    " might also both often once only all just still always usually now i'm i've we're we've he's"
    " she's they're they've it's actually definitely really currently recently thinking"
)
"""Auxiliaries, copulas and adverbs that stand before the verb that matters."""

_PAST_STATES: Final = listed(
    "lived worked owned liked loved preferred used was were had moved switched changed"
)
"""Past forms that tell of a state, or of its change, and not of an event among others."""

_YEAR: Final = re.compile(r"(?:19|20)\d\d")

_PARTICLES: Final = listed("in on at by for with from to as of about into")
_PARTICLE_REACH: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """What one clause claims.

    Attributes:
        clause: The clause.
        subject: Stems of who or what it is about.
        asserted: Stems that it says hold, without the subject's and hollow words.
        denied: Stems that it says do not hold, or no longer.
        verb: Stem of its verb, past copulas and auxiliaries; None without one.
        phrase: The verb with the particle after it, which may be "", or None without a verb.
        folded: All its words, folded.
    """

    clause: Clause
    subject: frozenset[str]
    asserted: frozenset[str]
    denied: frozenset[str]
    verb: str | None
    phrase: tuple[str, str] | None
    folded: frozenset[str]

    @property
    def said(self) -> frozenset[str]:
        """All its stems, whichever side they stand on."""
        return self.asserted | self.denied | self.subject


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """What one sentence claims: its clauses taken together.

    Attributes:
        claims: Of its clauses, in order.
        subject, asserted, denied, said, folded: As in `Claim`, of all clauses.
        verbs, phrases: Of all clauses.
        names: Stems of words with a capital of their own.
        tallies: What it counts.
        times: Days, months and years it names.
        joint: Whether its subject is several: "Ann and Bob".
        past: Whether it tells of an event: its first verb is in the past and no state.
        claiming: False for a question, a wish, thanks: they can be neither replaced nor replacing.
        asking: True for a question.
    """

    claims: tuple[Claim, ...]
    subject: frozenset[str]
    asserted: frozenset[str]
    denied: frozenset[str]
    said: frozenset[str]
    folded: frozenset[str]
    verbs: frozenset[str]
    phrases: frozenset[tuple[str, str]]
    names: frozenset[str]
    tallies: tuple[Tally, ...]
    times: frozenset[str]
    past: bool
    joint: bool
    claiming: bool
    asking: bool


def read(text: str, tokeniser: Tokeniser) -> tuple[Sentence, ...]:
    """The sentences of a text, in order."""
    bounds = sentences_of(text)
    found: list[Sentence] = []
    for number, clauses in groupby(clauses_of(text), key=lambda each: each.sentence):
        start, end = bounds[number]
        asking = "?" in text[start:end].rstrip("\"'”’) ")[-1:]
        found.append(_sentence(tuple(clauses), tokeniser, asking=asking))
    return tuple(found)


def _sentence(clauses: Sequence[Clause], tokeniser: Tokeniser, *, asking: bool) -> Sentence:
    words = [list(words_of(each.text, tokeniser)) for each in clauses]
    claims = tuple(
        _claim(clause, own, tokeniser) for clause, own in zip(clauses, words, strict=True)
    )
    verbs = frozenset(each.verb for each in claims if each.verb is not None)
    return Sentence(
        claims=claims,
        subject=_union(each.subject for each in claims),
        asserted=_union(each.asserted for each in claims),
        denied=_union(each.denied for each in claims),
        said=_union(each.said for each in claims),
        folded=_union(each.folded for each in claims),
        verbs=verbs,
        phrases=frozenset(each.phrase for each in claims if each.phrase is not None),
        names=frozenset(each.stem for own in words for each in own if each.named),
        tallies=tuple(
            tally
            for claim, own in zip(claims, words, strict=True)
            if claim.verb not in _AIMS
            for tally in tallies_of(own)
        ),
        times=frozenset(each.folded for own in words for each in own if _is_time(each)),
        joint=any(" and " in each.clause.subject for each in claims),
        past=_is_past(clauses[0]),
        claiming=not asking and not _wishes(claims),
        asking=asking,
    )


def _wishes(claims: Sequence[Claim]) -> bool:
    """Whether the speaker only asks, wishes or thanks: what others wish is told of them."""
    verbs = {each.verb for each in claims if each.verb is not None}
    own = all(each.subject <= {SELF} for each in claims)
    return bool(verbs) and own and verbs <= _WISHES


def _is_time(word: Word) -> bool:
    return word.folded in cues.DATES or _YEAR.fullmatch(word.folded) is not None


def _is_past(clause: Clause) -> bool:
    if clause.verb_at is None:
        return False
    verb = (clause.text[clause.verb_at :].split() or [""])[0].casefold()
    return (verb.endswith("ed") or verb in PASTS) and verb not in _PAST_STATES


def _claim(clause: Clause, words: Sequence[Word], tokeniser: Tokeniser) -> Claim:
    subject = frozenset(_subject(clause.subject, tokeniser))
    asserted, denied = _sides(words)
    verb, particle = _verb(clause, words)
    return Claim(
        clause=clause,
        subject=subject,
        asserted=frozenset(asserted) - subject,
        denied=frozenset(denied) - subject,
        verb=verb,
        phrase=None if verb is None else (verb, particle),
        folded=frozenset(each.folded for each in words),
    )


def _subject(text: str, tokeniser: Tokeniser) -> Iterator[str]:
    """Stems of a subject as written, without who is said not to be it: "Ann, not Bob,"."""
    words = list(words_of(text, tokeniser))
    asserted, _ = _sides(words)
    for word in words:
        if word.stem == SELF or word.stem in asserted:
            yield word.stem


def _sides(words: Sequence[Word]) -> tuple[list[str], list[str]]:
    """The stems asserted and those denied."""
    asserted: list[str] = []
    denied: list[str] = []
    denying = False
    for word, following in zip(words, [*words[1:], None], strict=False):
        if word.folded in _DENIAL_ENDS:
            denying = False
        parted = following is not None and (word.folded, following.folded) in _PARTED
        if parted or word.folded in _DENIALS or word.folded.endswith("n't"):
            denying = True
        elif word.folded not in HOLLOW and word.stem != SELF:
            (denied if denying else asserted).append(word.stem)
        if word.closes:
            denying = False
    return asserted, denied


def _verb(clause: Clause, words: Sequence[Word]) -> tuple[str | None, str]:
    """The verb that matters and the particle within reach of it, as in "graduate" and "from"."""
    if clause.verb_at is None:
        return None, ""
    after = [
        each for each in words if each.at >= clause.verb_at and each.folded not in cues.NEGATIONS
    ]
    at = 0
    while at < len(after) - 1 and after[at].folded in _LINKS:
        at += 1
    if not after:
        return None, ""
    reach = after[at + 1 : at + 2 + _PARTICLE_REACH]
    particle = next(
        (
            each.folded
            for each, following in zip(reach, [*reach[1:], None], strict=False)
            if each.folded in _PARTICLES and not _of_duration(each, following)
        ),
        "",
    )
    return after[at].stem, particle


def _of_duration(particle: Word, following: Word | None) -> bool:
    """Whether it says how long, as in "for nine years"."""
    return particle.folded == "for" and following is not None and following.stem[:1].isdigit()


def _union(sets: Iterable[frozenset[str]]) -> frozenset[str]:
    return frozenset().union(*sets)
