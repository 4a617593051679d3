"""Requests of the cache of answers.

Decides the names of the arguments and what they mean.
"""

from dataclasses import dataclass, field

from lapse.faces.operations.fields import From, asked
from lapse.model.answer import ANY_DOMAIN


@dataclass(frozen=True, slots=True, kw_only=True)
class CachePutRequest:
    """An answer to keep."""

    query: str = field(metadata=asked("The question.", source=From.POSITION))
    answer: str = field(metadata=asked("What was answered."))
    sources: tuple[str, ...] = field(
        default=(),
        metadata=asked("Ids of the memories it was made from; it dies with any of them."),
    )
    domain: str = field(
        default=ANY_DOMAIN,
        metadata=asked("What it is about, such as weather; decides how long it stays fresh."),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class CacheGetRequest:
    """A question that may have been answered."""

    query: str = field(metadata=asked("The question.", source=From.POSITION))
