"""Calls of the cache of answers.

Decides how a request becomes a call. Refuses every rule.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from lapse.bank import Bank
from lapse.faces.operations.cache_requests import CacheGetRequest, CachePutRequest
from lapse.faces.operations.cache_results import CacheDropped, CachePut
from lapse.faces.operations.requests import NothingRequest
from lapse.model.answer import Lookup


def cache_put(bank: Bank, request: CachePutRequest) -> CachePut:
    """Keep an answer."""
    kept = bank.cache.put(
        request.query, request.answer, domain=request.domain, sources=request.sources
    )
    return CachePut(kept=kept)


def cache_get(bank: Bank, request: CacheGetRequest) -> Lookup:
    """Give an answer again."""
    return bank.cache.get(request.query)


def cache_purge(bank: Bank, request: NothingRequest) -> CacheDropped:  # noqa: ARG001 - it asks nothing
    """Drop what is stale."""
    return CacheDropped(answers=bank.cache.purge())


def cache_clear(bank: Bank, request: NothingRequest) -> CacheDropped:  # noqa: ARG001 - it asks nothing
    """Drop every answer."""
    return CacheDropped(answers=bank.cache.clear())


CACHE_CALLS: Mapping[str, Callable[..., object]] = MappingProxyType(
    {
        "cache_put": cache_put,
        "cache_get": cache_get,
        "cache_purge": cache_purge,
        "cache_clear": cache_clear,
    }
)
"""The function of each of these operations, by its name in the table."""
