"""Errors as RFC 9457 problems.

Decides what is told of an error: its class, its fields, what would be right. Refuses to show what
was given: it may be the text of a memory; and anything of an error that is not Lapse's own.
"""

import math
from dataclasses import dataclass, field

from lapse.errors import (
    LapseError,
    LimitError,
    NotFoundError,
    StoreBusyError,
    StoreError,
    StoreFullError,
    UnknownCallerError,
    ValidationError,
)
from lapse.faces.naming_faults import shown_field

MEDIA_TYPE = "application/problem+json"
_BUSY_S = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One error, ready to be sent.

    Attributes:
        status: Of the answer.
        body: Members of the document.
        headers: What goes with it, such as Retry-After.
    """

    status: int
    body: dict[str, object]
    headers: dict[str, str] = field(default_factory=dict)


def problem_of(error: Exception, request_id: str) -> Problem:
    """What is told of an error."""
    if not isinstance(error, LapseError):
        return plain(
            500, "InternalError", "a fault in Lapse; report it with its request_id", request_id
        )
    status = error.http_status
    body = _members(type(error).__name__, status, _detail(error), request_id)
    if isinstance(error, ValidationError):
        body["faults"] = [
            {"field": shown_field(each.field), "problem": each.problem} for each in error.faults
        ]
    else:
        # A store's fields name where it lies on the server.
        hidden = {"path"} if isinstance(error, StoreError) else set()
        body["fields"] = {name: each for name, each in error.fields.items() if name not in hidden}
    return Problem(status=status, body=body, headers=_headers(error))


def plain(status: int, kind: str, detail: str, request_id: str) -> Problem:
    """A problem that is no error of Lapse's, such as a method that a path does not have."""
    return Problem(status=status, body=_members(kind, status, detail, request_id))


def _members(kind: str, status: int, detail: str, request_id: str) -> dict[str, object]:
    return {
        "type": f"urn:lapse:error:{kind}",
        "title": _spaced(kind),
        "status": status,
        "detail": detail,
        "error": kind,
        "request_id": request_id,
    }


def _detail(error: LapseError) -> str:
    if isinstance(error, ValidationError):
        # A fault shows what was given, which may be what somebody told.
        return "; ".join(f"{shown_field(each.field)}: {each.problem}" for each in error.faults)
    if isinstance(error, StoreError):
        # Its own words may name a path of the server.
        if isinstance(error, StoreBusyError):
            return "others write to the store for too long; nothing was written. Try again"
        if isinstance(error, StoreFullError):
            return "no room is left where the store is kept; nothing of it was written"
        return "the store could not do it; nothing of it was written"
    return str(error)


def _headers(error: LapseError) -> dict[str, str]:
    if isinstance(error, UnknownCallerError):
        return {"WWW-Authenticate": 'Bearer realm="lapse"'}
    if isinstance(error, LimitError) and error.retry_after_s is not None:
        return {"Retry-After": str(max(math.ceil(error.retry_after_s), 1))}
    if isinstance(error, StoreBusyError):
        return {"Retry-After": str(_BUSY_S)}
    return {}


def _spaced(kind: str) -> str:
    words = "".join(f" {each.lower()}" if each.isupper() else each for each in kind).strip()
    return words.removesuffix(" error")


def not_there() -> NotFoundError:
    """The one answer to a path that leads nowhere."""
    return NotFoundError("nothing is served here; /openapi.json lists what is")
