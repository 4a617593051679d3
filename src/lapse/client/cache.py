"""The cache of answers of a bank that is served.

Decides nothing: each method is one operation, asked of the server.
"""

from collections.abc import Callable, Iterable
from typing import TypeVar

from lapse.bank.cache import AnswerCache
from lapse.engine.reading import Stats
from lapse.faces.operations.cache_results import CacheDropped, CachePut
from lapse.model.answer import ANY_DOMAIN, CacheCounts, CachedAnswer, Lookup

T = TypeVar("T")


class RemoteAnswerCache(AnswerCache):
    """The answers that a bank of a served store keeps."""

    def __init__(self, do: Callable[..., object]) -> None:
        """Name what asks for operations; `RemoteBank.cache` does this."""
        self._do = do

    def put(
        self, query: str, answer: str, *, domain: str = ANY_DOMAIN, sources: Iterable[str] = ()
    ) -> CachedAnswer | None:
        """Keep an answer. See `AnswerCache.put`."""
        given = {"query": query, "answer": answer, "domain": domain, "sources": tuple(sources)}
        return _a(CachePut, self._do("cache_put", **given)).kept

    def get(self, query: str) -> Lookup:
        """Give the answer to a question that asks the same. See `AnswerCache.get`."""
        return _a(Lookup, self._do("cache_get", query=query))

    def purge(self) -> int:
        """Drop what is stale. See `AnswerCache.purge`."""
        return _a(CacheDropped, self._do("cache_purge")).answers

    def clear(self) -> int:
        """Drop every answer. See `AnswerCache.clear`."""
        return _a(CacheDropped, self._do("cache_clear")).answers

    def counts(self) -> CacheCounts:
        """How the cache stands, and what the server did with it."""
        return _a(Stats, self._do("stats")).cache


def _a(kind: type[T], value: object) -> T:
    if not isinstance(value, kind):
        raise TypeError(f"the table gives another type than {kind.__name__}")
    return value
