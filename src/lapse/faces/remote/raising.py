"""From a problem of a server back to the error that it was.

Decides that an error has the class, the fields and the words it had at the store; what no server of
this version says is an `UnreachableError`. What was given is not in a problem, so that no fault
shows it either.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Final

from lapse.errors import (
    Fault,
    LapseError,
    LimitError,
    UnreachableError,
    ValidationError,
)
from lapse.faces.remote.steps import Reply

RETRY_AFTER: Final = "retry-after"
_INTERNAL: Final = "InternalError"


def error_in(reply: Reply) -> LapseError:
    """The error that an answer other than 2xx tells of."""
    found = document_in(reply)
    if found is None or not isinstance(found.get("error"), str):
        return unexpected(reply)
    return error_of(found, pause_of(reply))


def error_of(problem: Mapping[str, object], retry_after_s: float | None = None) -> LapseError:
    """The error that a problem describes.

    Args:
        problem: The document, as RFC 9457 has it.
        retry_after_s: Seconds that the answer asked to wait, or None.
    """
    name, detail = str(problem.get("error")), str(problem.get("detail"))
    kind = _kinds().get(name)
    if kind is not None and issubclass(kind, ValidationError):
        error: LapseError = kind(_faults(problem))
    elif kind is not None and issubclass(kind, LimitError):
        error = kind(detail, fields=_texts(problem), retry_after_s=retry_after_s)
    elif kind is not None:
        error = kind(detail, fields=_texts(problem))
    elif name == _INTERNAL:
        error = LapseError(f"the server failed: {detail}", fields={"error": name})
    else:
        error = UnreachableError(f"the server answered {name}: {detail}", fields={"error": name})
    error.add_note(f"request {problem.get('request_id')}")
    return error


def unexpected(reply: Reply) -> UnreachableError:
    """The error for an answer that is none of Lapse's."""
    media = reply.headers.get("content-type", "no media type").partition(";")[0]
    return UnreachableError(
        f"what answered is no Lapse server of this version: status {reply.status}, {media}",
        fields={"status": str(reply.status)},
    )


def document_in(reply: Reply) -> Mapping[str, object] | None:
    """The JSON object that an answer holds, or None."""
    try:
        found: object = json.loads(reply.body)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, Mapping) else None


def told_of(document: Mapping[str, object], name: str) -> dict[str, str]:
    """The texts of a member of an answer.

    Raises:
        UnreachableError: It has no such member.
    """
    found = document.get(name)
    if not isinstance(found, Mapping):
        raise UnreachableError(f"the server's answer is not of this version: {name}")
    return {str(key): str(each) for key, each in found.items()}


def pause_of(reply: Reply) -> float | None:
    """Seconds that an answer asks to wait, or None where it asks for nothing."""
    try:
        return max(float(reply.headers[RETRY_AFTER]), 0.0)
    except (KeyError, ValueError):
        return None


def _faults(problem: Mapping[str, object]) -> Iterator[Fault]:
    told = problem.get("faults")
    for each in told if isinstance(told, list) else []:
        if isinstance(each, Mapping):
            field, said = str(each.get("field")), str(each.get("problem"))
            yield Fault(field=field, value="…", problem=said)


def _texts(problem: Mapping[str, object]) -> dict[str, str]:
    told = problem.get("fields")
    return {str(k): str(v) for k, v in told.items()} if isinstance(told, Mapping) else {}


def _kinds() -> dict[str, type[LapseError]]:
    found: dict[str, type[LapseError]] = {}
    waiting: list[type[LapseError]] = [LapseError]
    while waiting:
        each = waiting.pop()
        found[each.__name__] = each
        waiting.extend(each.__subclasses__())
    return found
