"""What the OpenAPI document says of exports and imports, which are streams and no calls.

Decides that. Refuses what they do (`copying`).
"""

from collections.abc import Mapping
from typing import Final

from lapse.errors import (
    AccessError,
    ConflictError,
    KeyMissingError,
    LapseError,
    LimitError,
    NotFoundError,
    StoreError,
    StoreFullError,
    TooLargeError,
    UnknownCallerError,
    ValidationError,
)
from lapse.faces.operations import TABLE
from lapse.faces.rest.copying import EXPORTS, IMPORTS
from lapse.faces.rest.problems import MEDIA_TYPE
from lapse.faces.rest.reading import JSON, LINES
from lapse.faces.rest.routes import BANK
from lapse.faces.rest.schemas import Schema

_TEXT: Final[Mapping[str, object]] = {"type": "string"}
_BY: Final = "Who does it, for the journal: the key's owner, or left out."
_REASON: Final = "Why, for the journal; never the text of a memory."
_FAILURES: Final[tuple[type[LapseError], ...]] = (
    UnknownCallerError,
    AccessError,
    NotFoundError,
    ConflictError,
    TooLargeError,
    ValidationError,
    LimitError,
    StoreError,
    StoreFullError,
    KeyMissingError,
)


def copy_paths() -> dict[str, Schema]:
    """Both paths."""
    return {
        f"{BANK}/{EXPORTS}": {"post": _export()},
        f"{BANK}/{IMPORTS}": {"post": _import()},
    }


def _export() -> Schema:
    words = {"by": {**_TEXT, "description": _BY}, "reason": {**_TEXT, "description": _REASON}}
    schema = {"type": "object", "properties": words, "additionalProperties": False}
    lines = {"description": "The bank.", "content": {LINES: {"schema": _TEXT}}}
    return {
        **_named("export"),
        "requestBody": {"required": False, "content": {JSON: {"schema": schema}}},
        "responses": {"200": lines, **_failures()},
    }


def _import() -> Schema:
    done = {"type": "object"}
    named = _named("import")
    words = [
        {"name": name, "in": "query", "required": False, "schema": _TEXT, "description": about}
        for name, about in (("by", _BY), ("reason", _REASON))
    ]
    job = {"$ref": "#/components/schemas/Job"}
    parameters = named["parameters"]
    assert isinstance(parameters, list)  # noqa: S101 - made below
    return {
        **named,
        "parameters": [*parameters, *words],
        "requestBody": {"required": True, "content": {LINES: {"schema": _TEXT}}},
        "responses": {
            "200": {"description": "Taken in.", "content": {JSON: {"schema": done}}},
            "202": {"description": "Under way.", "content": {JSON: {"schema": job}}},
            **_failures(),
        },
    }


def _named(name: str) -> Schema:
    operation = TABLE[name]
    schema = {"type": "string", "minLength": 1, "maxLength": 255}
    return {
        "operationId": name,
        "summary": operation.summary,
        "description": f"{operation.details} Needs the permission `{operation.permission}`.",
        "parameters": [
            {"name": each, "in": "path", "required": True, "schema": schema}
            for each in ("tenant", "bank")
        ],
    }


def _failures() -> Schema:
    by_status: dict[int, list[str]] = {}
    for each in _FAILURES:
        by_status.setdefault(each.http_status, []).append(each.__name__)
    schema = {"$ref": "#/components/schemas/Problem"}
    return {
        str(status): {
            "description": ", ".join(names),
            "content": {MEDIA_TYPE: {"schema": schema}},
        }
        for status, names in sorted(by_status.items())
    }
