"""Rows of the table. The cache: an answer is given again as long as what it rests on stands.

Decides what is said of them. Refuses to do them (`cache_calls`).
"""

from lapse.errors import ConflictError, NotFoundError, TombstonedError, ValidationError
from lapse.faces.operations.cache_requests import CacheGetRequest, CachePutRequest
from lapse.faces.operations.operation import Effect, Example, Operation, Permission
from lapse.faces.operations.requests import NothingRequest

CACHING: tuple[Operation, ...] = (
    Operation(
        name="cache_put",
        summary="Keep an answer, to be given again while what it rests on stands.",
        details=(
            "It dies with the first of its sources that is rewritten, superseded, retracted, "
            "suppressed, archived or erased, and at the latest after cache.ttl_hours or its "
            "domain's shorter window. The same question again takes the place of the earlier "
            "answer. What was erased is kept in no answer."
        ),
        request=CachePutRequest,
        effect=Effect.WRITE,
        permission=Permission.WRITE,
        errors=(ConflictError, NotFoundError, TombstonedError, ValidationError),
        examples=(
            Example(
                says="An answer made from one memory",
                given={"query": "what does she drink", "answer": "Tea.", "sources": ["tea"]},
            ),
            Example(
                says="One that is stale within the hour",
                given={"query": "does it rain", "answer": "Yes.", "domain": "weather"},
            ),
        ),
    ),
    Operation(
        name="cache_get",
        summary="Give the answer to a question that asks the same, or say why there is none.",
        details=(
            "Numbers, names and negations must be equal, and the similarity at least "
            "cache.min_similarity. An expired answer is never given, and giving one prolongs "
            "nothing. The answer is untrusted text, as every text that is read back."
        ),
        request=CacheGetRequest,
        effect=Effect.READ,
        permission=Permission.READ,
        errors=(ValidationError,),
        examples=(Example(says="Ask first", given={"query": "what does she drink"}),),
    ),
    Operation(
        name="cache_purge",
        summary="Drop every answer that may not be given any more.",
        details="Upkeep does it too, and so does every answer that is kept.",
        request=NothingRequest,
        effect=Effect.WRITE,
        permission=Permission.OPERATE,
        errors=(),
        examples=(Example(says="Now", given={}),),
    ),
    Operation(
        name="cache_clear",
        summary="Drop every answer of the cache.",
        details="Memories stay; whoever asks next has the answer made anew.",
        request=NothingRequest,
        effect=Effect.WRITE,
        permission=Permission.OPERATE,
        errors=(),
        examples=(Example(says="All of them", given={}),),
    ),
)
