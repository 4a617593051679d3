"""The cache of answers for people: the answer with what it rests on, or why there is none.

Decides what is worth a line. Refuses to judge.
"""

from collections.abc import Iterator
from typing import assert_never

from rich.console import RenderableType

from lapse.faces.operations.cache_results import CacheDropped, CachePut
from lapse.faces.tables.shapes import counted, line, moment, pairs
from lapse.model.answer import CachedAnswer, Lookup, Miss

_WHY = {
    Miss.NONE: "no answer is kept",
    Miss.UNLIKE: "no question that was answered is similar enough",
    Miss.DIFFERENT: "a similar question was answered, but it asks for something else",
    Miss.EXPIRED: "the answer that was kept has expired",
    Miss.OFF: "cache.ttl_hours is 0: no answer lives",
}


def parts_of(result: CachePut | Lookup | CacheDropped) -> Iterator[RenderableType]:
    """What is shown of a result of the cache."""
    match result:
        case CachePut():
            yield from _put_parts(result)
        case Lookup():
            yield from _lookup_parts(result)
        case CacheDropped():
            yield line(f"{counted(result.answers, 'answer', 'answers')} dropped")
        case _:
            assert_never(result)


def _put_parts(result: CachePut) -> Iterator[RenderableType]:
    if result.kept is None:
        yield line(f"not kept: {_WHY[Miss.OFF]}")
    else:
        yield pairs(_rows(result.kept))


def _lookup_parts(result: Lookup) -> Iterator[RenderableType]:
    if result.answer is None:
        yield line("miss" if result.miss is None else f"miss: {_WHY[result.miss]}")
        return
    yield line(result.answer.answer)
    near = "–" if result.similarity is None else f"{result.similarity:.3f}"
    yield pairs([*_rows(result.answer), ("similarity", near)])


def _rows(answer: CachedAnswer) -> list[tuple[str, str | None]]:
    return [
        ("question", answer.query),
        ("sources", ", ".join(answer.sources) or None),
        ("domain", answer.domain),
        ("put", moment(answer.put_at)),
        ("expires", moment(answer.expires_at)),
    ]
