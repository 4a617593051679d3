"""Which cached answer may be given to a question.

Decides that two questions ask the same if they are the same words, or if they are as similar as the
policy wants and nothing keeps them apart: a number, a name, an identifier, a negation, the order of
what they share, or one word in the place of another in questions that are otherwise the same ("the
weather in paris" is not "the weather in rome", whatever their vectors say). A wrong answer given
again costs more than one made anew. Refuses to measure similarity.
"""

from collections import Counter
from collections.abc import Sequence
from math import sqrt
from typing import Final

from lapse.text.distinctions import Distinctions, same_distinctions
from lapse.text.normalise import fold

_DECIMALS: Final = 6


def same_words(query: str, other: str) -> bool:
    """Whether two questions differ in case, spacing and width at most."""
    return " ".join(fold(query).split()) == " ".join(fold(other).split())


def asks_the_same(one: Distinctions, other: Distinctions) -> bool:
    """Whether nothing keeps two similar questions apart. Symmetric."""
    return same_distinctions(one, other) and not _exchanged(one.words, other.words)


def enough(similarity: float, least: float) -> bool:
    """Whether a similarity reaches the policy's, inclusive, apart from rounding."""
    return round(similarity, _DECIMALS) >= round(least, _DECIMALS)


def likeness(one: Sequence[str], other: Sequence[str]) -> float:
    """Cosine of two lists of terms, in [0, 1]: for questions without vectors.

    cos = Σ a_t·b_t / √(Σ a_t² · Σ b_t²), with a_t and b_t how often a term occurs.
    """
    left, right = Counter(one), Counter(other)
    shared = sum(count * right[term] for term, count in left.items())
    norms = sum(n * n for n in left.values()) * sum(n * n for n in right.values())
    return shared / sqrt(norms) if norms else 0.0


def _exchanged(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether the same question is asked with other words in some of its places."""
    if len(one) != len(other):
        return False
    return any(a != b for a, b in zip(one, other, strict=True))
