"""Answers for tests."""

from lapse.cache.shelf import Answered, answered
from lapse.model.answer import CachedAnswer, KeptAnswer, answer_id
from lapse.model.instants import HOUR, Instant
from lapse.text.normalise import fold

NOW = Instant(1_000 * HOUR)


def kept(
    query: str, number: int = 1, *, hours: float = 24.0, put_at: int = NOW, domain: str = "general"
) -> KeptAnswer:
    """An answer put at an instant, to live for some hours."""
    answer = CachedAnswer(
        id=answer_id(fold(query)),
        query=query,
        answer=f"the answer to {query}",
        domain=domain,
        sources=(),
        put_at=Instant(put_at),
        expires_at=Instant(put_at + round(hours * HOUR)),
    )
    return KeptAnswer(number=number, answer=answer)


def entry(
    query: str, number: int = 1, *, hours: float = 24.0, put_at: int = NOW, domain: str = "general"
) -> Answered:
    """The question's side of such an answer."""
    return answered(kept(query, number, hours=hours, put_at=put_at, domain=domain))
