"""Cached answers: what was answered to a question, from which memories, and until when.

Decides what is kept of an answer. Refuses to say which question it may answer again and what makes
it stale (`lapse.cache`).
"""

from collections.abc import Iterator
from dataclasses import dataclass

from lapse.errors import Fault, fault, raise_all
from lapse.model.instants import Instant
from lapse.model.memory import line_faults, name_faults


@dataclass(frozen=True, slots=True, kw_only=True)
class CachedAnswer:
    """An answer kept for questions that ask the same.

    Attributes:
        id: Follows from question and domain: the same question put again takes its place.
        query: The question.
        answer: What was answered.
        domain: What it is about, such as `weather`; decides how long it stays fresh.
        sources: Ids of the memories it was made from; it dies with any of them.
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
        yield from line_faults("query", self.query)
        yield from line_faults("answer", self.answer)
        for each in self.sources:
            yield from name_faults("sources", each)
        if self.expires_at < self.put_at:
            yield fault("expires_at", self.expires_at, "must not be earlier than put_at")
