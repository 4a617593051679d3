"""Reading what a correction is of.

Decides that exactly one way of naming it is used. Refuses to look anything up.
"""

from collections.abc import Iterable, Mapping

from lapse.engine.correcting import Target
from lapse.engine.untyped import as_name, as_names
from lapse.errors import ValidationError


def read_target(old: "str | Iterable[str] | None", key: str | None, query: str | None) -> Target:
    """What is to be replaced.

    Raises:
        ValidationError: Not exactly one of them is given, or it is no name.
    """
    given = {"old": old, "key": key, "query": query}
    _check_one(given)
    if key is not None:
        return Target(key=as_name("key", key))
    if query is not None:
        return Target(query=_words(query))
    return Target(ids=_ids("old", old))


def read_named(ids: "str | Iterable[str]", query: str | None) -> Target:
    """Memories by id or in words.

    Raises:
        ValidationError: Both or neither are given, or they are no names.
    """
    named = _ids("ids", ids)
    _check_one({"ids": named or None, "query": query})
    return Target(ids=named) if query is None else Target(query=_words(query))


def _check_one(given: Mapping[str, object]) -> None:
    present = [name for name, value in given.items() if value is not None]
    if len(present) != 1:
        names = ", ".join(given)
        raise ValidationError.of(names, ", ".join(present), f"give exactly one of {names}")


def _ids(name: str, given: object) -> tuple[str, ...]:
    return (as_name(name, given),) if isinstance(given, str) else as_names(name, given)


def _words(query: object) -> str:
    if not isinstance(query, str) or not query.strip():
        raise ValidationError.of("query", type(query).__name__, "needs words")
    return query
