"""The summary that needs no model: the most informative sentences that say different things.

    score(s)  = importance of s by the heuristic rater, against its own bank
    next      = argmax over what is left of  (1 − λ)·score(s) − λ·max over chosen c of like(s, c)

with λ = 0.3. A sentence that says what a chosen one says (same names, numbers and negations, four
fifths of the words) is no second sentence: its memory becomes a further source of the first. What
is chosen is told in the order in which it was said, one sentence to a line, under its speaker's
name where the memory gives one.

Decides which sentences. Refuses to reword anything: every line stands in a source as it is.

Source: maximal marginal relevance, Carbonell & Goldstein (1998), with informativeness in place of
relevance to a query.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from lapse.importance.heuristic import importance_of
from lapse.importance.signs import said, speaker_of
from lapse.model.memory import Memory
from lapse.model.term_counts import TermCounts
from lapse.reflection.corroborating import Said, Terms, as_said, likeness, says_again
from lapse.text.clauses import sentences_of

REDUNDANCY: Final = 0.3
"""λ: how much being like what is chosen counts against being informative."""

SHARE: Final = 0.4
"""Most of the sentences that are chosen, as a share."""

FEWEST: Final = 3
"""Sentences that may be chosen however few there are."""

LEAST_SCORE: Final = 0.1
"""A sentence that scores no more is chatter and never chosen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """One sentence of a memory.

    Attributes:
        text: As it is told: with its speaker's name, where the memory begins with one.
        memory: Whose it is.
        said: As it is compared.
        score: How informative it is, in [0, 1].
    """

    text: str
    memory: Memory
    said: Said
    score: float


@dataclass(slots=True, kw_only=True)
class Line:
    """A chosen sentence with all memories that say it."""

    place: int
    sentence: Sentence
    sources: list[Memory] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """What is told of many memories.

    Attributes:
        text: One sentence to a line; empty where there is nothing to tell.
        sources: What it rests on, in the order told.
    """

    text: str
    sources: tuple[Memory, ...]


def all_terms(memories: Sequence[Memory], terms: Terms) -> tuple[str, ...]:
    """The distinct terms of memories: what their bank's counts are asked of."""
    return tuple(dict.fromkeys(each for memory in memories for each in terms(memory.text)))


def sentences(memories: Sequence[Memory], terms: Terms, counts: TermCounts) -> list[Sentence]:
    """The sentences of memories in order, scored against their bank."""
    return [
        Sentence(
            text=text,
            memory=memory,
            said=as_said(text, terms),
            score=_score(text, memory, terms, counts),
        )
        for memory in memories
        for text in _told(memory.text)
    ]


def extracted(found: Sequence[Sentence], most: int, longest_bytes: int) -> Summary:
    """The summary of sentences.

    Args:
        found: In order.
        most: Most lines, ≥ 1.
        longest_bytes: Longest text, in bytes of UTF-8.
    """
    limit = min(most, max(FEWEST, math.ceil(SHARE * len(found))))
    left = {at: each for at, each in enumerate(found) if each.score > LEAST_SCORE}
    nearest = dict.fromkeys(left, 0.0)
    lines: list[Line] = []
    room = longest_bytes
    while left and len(lines) < limit:
        at = max(left, key=lambda each: (_worth(left[each], nearest[each]), -each))
        one = left.pop(at)
        room -= len(one.text.encode()) + 1
        if room < 0:
            break
        line = Line(place=at, sentence=one, sources=[one.memory])
        lines.append(line)
        _compare(line, left, nearest)
    lines.sort(key=lambda each: each.place)
    order = {each.memory.id: at for at, each in enumerate(found)}
    sources = {each.id: each for line in lines for each in line.sources}
    return Summary(
        text="\n".join(each.sentence.text for each in lines),
        sources=tuple(sorted(sources.values(), key=lambda each: order[each.id])),
    )


def _compare(line: Line, left: dict[int, Sentence], nearest: dict[int, float]) -> None:
    """Let the sentences left know of a chosen one; those that say the same go to it."""
    for at, other in list(left.items()):
        if says_again(line.sentence.said, other.said):
            line.sources.append(other.memory)
            del left[at]
        else:
            nearest[at] = max(nearest[at], likeness(line.sentence.said, other.said))


def _worth(sentence: Sentence, nearest: float) -> float:
    return round((1.0 - REDUNDANCY) * sentence.score - REDUNDANCY * nearest, 6)


def _score(text: str, memory: Memory, terms: Terms, counts: TermCounts) -> float:
    plain = said(text)
    own = terms(plain)
    named = frozenset(own)
    others = TermCounts(
        memory_count=counts.memory_count,
        frequency={each: counts.frequency.get(each, 0) for each in named},
    ).without(named)
    return importance_of(plain, own, others, role=memory.role)


def _told(text: str) -> list[str]:
    name = speaker_of(text).strip()
    pieces = [text[start:end].strip() for start, end in sentences_of(text)]
    return [
        f"{name} {each}" if name and at and not each.startswith(name) else each
        for at, each in enumerate(pieces)
        if each
    ]


def without(
    found: Sequence[Sentence], refused: Callable[[str], bool]
) -> tuple[list[Sentence], int]:
    """The sentences that may be told, and how many may not: what was erased stays gone."""
    kept = [each for each in found if not refused(each.text)]
    return kept, len(found) - len(kept)
