"""Cached answers: what was answered to a question, from which memories, and until when.

Decides what is kept of an answer, what a write may do to answers, and what asking for one gives.
Refuses to say which question an answer may be given to again and what makes it stale
(`lapse.cache`).
"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from lapse.errors import Fault, fault, raise_all
from lapse.model.instants import Instant
from lapse.model.memory import can_be_kept, name_faults

ANY_DOMAIN = "general"
"""The domain of an answer whose giver names none."""

SOURCES_LIMIT = 1_000
"""Most memories that one answer names as its sources."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CachedAnswer:
    """An answer kept for questions that ask the same.

    Attributes:
        id: Follows from the words of the question (`answer_id`): a bank has one for each.
        query: The question.
        answer: What was answered. Untrusted input, as every text that is read back.
        domain: What it is about, such as `weather`; decides how long it stays fresh.
        sources: Ids of the memories it was made from, each once; it dies with any of them.
        put_at: When it was put.
        expires_at: From when it may not be given again, by the policy of that time and by what its
            sources say of their own end.
    """

    id: str
    query: str
    answer: str
    domain: str
    sources: tuple[str, ...]
    put_at: Instant
    expires_at: Instant

    def __post_init__(self) -> None:
        raise_all(self._faults())

    def _faults(self) -> Iterator[Fault]:
        yield from name_faults("id", self.id)
        yield from name_faults("domain", self.domain)
        for name, text in (("query", self.query), ("answer", self.answer)):
            if not can_be_kept(text) or not text.strip():
                yield fault(name, "…", "needs text that is not blank and can be written as UTF-8")
        for each in self.sources:
            yield from name_faults("sources", each)
        if len(set(self.sources)) < len(self.sources):
            yield fault("sources", self.sources, "names a memory twice")
        if len(self.sources) > SOURCES_LIMIT:
            yield fault("sources", len(self.sources), f"names more than {SOURCES_LIMIT} memories")
        if self.expires_at < self.put_at:
            yield fault("expires_at", self.expires_at, "must not be earlier than put_at")


def answer_id(words: str) -> str:
    """Name of the answer to a question: a digest of its words, 16 hexadecimal digits."""
    return hashlib.sha256(words.encode("utf-8", "surrogatepass")).hexdigest()[:16]


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptAnswer:
    """An answer as it is stored.

    Attributes:
        number: Its place in the order of putting, never used again: whoever has seen all up to one
            number asks for those above it.
    """

    number: int
    answer: CachedAnswer


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerChanges:
    """What a write does to cached answers, in this order.

    Attributes:
        of_sources: Ids of memories; every answer that was made from one of them goes.
        gone: Ids of answers that go; unknown ones are ignored.
        put: Answers to keep, each under a new number; one of the same id is replaced.
    """

    of_sources: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    put: tuple[CachedAnswer, ...] = ()

    @property
    def empty(self) -> bool:
        """Whether no answer changes but with its sources, whose own change is the write."""
        return not (self.gone or self.put)


NO_ANSWERS: Final = AnswerChanges()
"""Nothing becomes of any answer."""


class Miss(StrEnum):
    """Why no answer is given."""

    NONE = "none"
    """The bank keeps no answer."""
    UNLIKE = "unlike"
    """No question that was answered is similar enough."""
    DIFFERENT = "different"
    """A similar question was answered, but a number, a name, a negation or a word differs."""
    EXPIRED = "expired"
    """The same question was answered, too long ago."""
    OFF = "off"
    """The policy lets no answer live: `cache.ttl_hours` is 0."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lookup:
    """What asking the cache gave: an answer, or why there is none.

    Attributes:
        at: When it was asked.
        miss: Why there is no answer; None for a hit.
        answer: The answer with its question and sources; None for a miss.
        similarity: Of the question to the one that was answered, in [0, 1]; for a miss, of the
            nearest one that was looked at, or None where there is none.
        age_s: Seconds since the answer was put, ≥ 0; None for a miss.
    """

    at: Instant
    miss: Miss | None
    answer: CachedAnswer | None = None
    similarity: float | None = None
    age_s: float | None = None

    @property
    def hit(self) -> bool:
        """Whether there is an answer."""
        return self.answer is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class CacheCounts:
    """How the cache of a bank stands, and what this process did with it.

    Attributes:
        answers: Answers kept now, expired ones that were not purged yet among them.
        hits, misses: Lookups of this process by what they gave.
        refusals: Answers that this process was not allowed to keep: a source was gone, or their
            words were erased.
    """

    answers: int = 0
    hits: int = 0
    misses: int = 0
    refusals: int = 0
