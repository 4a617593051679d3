"""Which cached answer may be given to a question.

Decides that two questions ask the same if they are the same words, or if they are as similar as the
policy wants and nothing keeps them apart: a number, a name, an identifier, a negation, the order of
what they share, or one word in the place of another in questions that are otherwise the same ("the
weather in paris" is not "the weather in rome", whatever their vectors say). A wrong answer given
again costs more than one made anew. Refuses to make vectors.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Final

from lapse.text.distinctions import Distinctions, distinctions_of, same_distinctions
from lapse.text.normalise import fold

_DECIMALS: Final = 6
_ASKING: Final = frozenset({"what", "who", "whom", "whose", "where", "when", "why", "which", "how"})
_MARKS: Final = "?\uff1f "


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """What is compared of a question.

    Attributes:
        folded: Its words without case, width and surrounding signs; nor the question mark of what
            begins as a question does, and is one without it.
        read: What may keep it apart from a similar one.
    """

    folded: str
    read: Distinctions


def words_of(query: str) -> Words:
    """Read a question."""
    return Words(folded=_without_mark(fold(query)), read=distinctions_of(query))


def _without_mark(folded: str) -> str:
    # "You live in Rome?" asks and "You live in Rome" does not: there the mark is all that tells.
    return folded.rstrip(_MARKS) if folded.partition(" ")[0] in _ASKING else folded


def same_words(one: Words, other: Words) -> bool:
    """Whether two questions are the same words. Symmetric.

    Case does not matter where a question is typed without care for it; where both have capitals
    that can be trusted, "us" is not "US".
    """
    if one.folded != other.folded:
        return False
    careful = one.read.cased and other.read.cased
    return not careful or one.read.lower == other.read.lower


def asks_the_same(one: Words, other: Words) -> bool:
    """Whether nothing keeps two similar questions apart. Symmetric."""
    if one.folded == other.folded:
        return same_words(one, other)
    return same_distinctions(one.read, other.read) and not _exchanged(one.read, other.read)


def enough(similarity: float, least: float) -> bool:
    """Whether a similarity reaches the policy's, inclusive, apart from rounding."""
    return round(similarity, _DECIMALS) >= round(least, _DECIMALS)


def likeness(one: Words, other: Words) -> float:
    """Cosine of the counts of two questions' words, in [0, 1]: for questions without vectors.

    cos = Σ a_w·b_w / √(Σ a_w² · Σ b_w²), with a_w and b_w how often a word occurs.
    """
    left, right = Counter(one.folded.split()), Counter(other.folded.split())
    shared = sum(count * right[word] for word, count in left.items())
    norms = sum(n * n for n in left.values()) * sum(n * n for n in right.values())
    return shared / sqrt(norms) if norms else 0.0


def _exchanged(one: Distinctions, other: Distinctions) -> bool:
    """Whether the same question is asked with other words in some of its places."""
    return _differ(one.words, other.words) if len(one.words) == len(other.words) else False


def _differ(one: Sequence[str], other: Sequence[str]) -> bool:
    return any(a != b for a, b in zip(one, other, strict=True))
