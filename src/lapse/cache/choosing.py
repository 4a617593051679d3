"""Choosing among the answers a bank keeps.

Decides which one a question gets: of those that ask the same and are fresh, the most similar, then
the latest; and, where there is none, the reason that a caller can act on. Refuses to fetch it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from lapse.cache.freshness import expired
from lapse.cache.matching import Words, asks_the_same, enough, same_words
from lapse.cache.shelf import Answered
from lapse.model.answer import Miss
from lapse.model.instants import Instant
from lapse.model.policy import CachePolicy


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """What was chosen.

    Attributes:
        chosen: Who may be given, best first; empty for a miss.
        miss: Why nobody is; None where somebody is.
        similarity: Of the nearest question, or None without any.
    """

    chosen: tuple[Answered, ...]
    miss: Miss | None
    similarity: float | None


def choose(
    policy: CachePolicy,
    words: Words,
    entries: Sequence[Answered],
    similarity: Mapping[int, float],
    now: Instant,
) -> Choice:
    """Choose for a question.

    Args:
        words: What is compared of the question.
        entries: Every question that was answered.
        similarity: To each of them, in [0, 1], by the number of its answer.
    """
    likely = {
        each.number: 1.0 if same_words(words, each.words) else similarity[each.number]
        for each in entries
    }
    order = sorted(entries, key=lambda each: (-likely[each.number], -each.put_at, -each.number))
    nearest = round(likely[order[0].number], 6) if order else None
    alike = [each for each in order if enough(likely[each.number], policy.min_similarity)]
    same = [each for each in alike if asks_the_same(words, each.words)]
    fresh = [
        each for each in same if not expired(policy, each.domain, each.put_at, each.expires_at, now)
    ]
    if fresh:
        return Choice(chosen=tuple(fresh), miss=None, similarity=round(likely[fresh[0].number], 6))
    return Choice(chosen=(), miss=_reason(order, alike, same), similarity=nearest)


def _reason(order: Sequence[object], alike: Sequence[object], same: Sequence[object]) -> Miss:
    if same:
        return Miss.EXPIRED
    if alike:
        return Miss.DIFFERENT
    return Miss.UNLIKE if order else Miss.NONE
