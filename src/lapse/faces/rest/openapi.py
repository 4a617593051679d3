"""The OpenAPI 3.1 document, made from the table of operations.

Decides how operations, fields and errors read there. Refuses to hold a fact about any of them.
"""

from collections.abc import Mapping
from typing import Final

from lapse import __version__
from lapse.errors import (
    AccessError,
    ConflictError,
    LapseError,
    LimitError,
    NotFoundError,
    StoreError,
    StoreFullError,
    TooLargeError,
    UnknownCallerError,
    ValidationError,
)
from lapse.faces.operations import Operation, Subject
from lapse.faces.operations.fields import Field, FieldType
from lapse.faces.rest.brief import brief_schema, can_be_brief
from lapse.faces.rest.consenting import APPROVAL, APPROVE, CONFIRM, wants_two
from lapse.faces.rest.openapi_copies import copy_paths
from lapse.faces.rest.problems import MEDIA_TYPE
from lapse.faces.rest.reading import CURSOR, JSON, LINES, fields_offered, pages, ways_in
from lapse.faces.rest.routes import BANK, Method, Route, may_be_a_job, routes, takes_two_calls
from lapse.faces.rest.schemas import Components, Schema, of_field

_TEXT: Final[Mapping[str, object]] = {"type": "string"}
_ALWAYS: Final[tuple[type[LapseError], ...]] = (
    ValidationError,
    UnknownCallerError,
    AccessError,
    NotFoundError,
    LimitError,
    StoreError,
    StoreFullError,
)
_PREVIEW: Final[Schema] = {
    "type": "object",
    "description": "Of what was only shown: confirm names its id, until it expires.",
    "properties": {"id": _TEXT, "expires_at": {"type": "string", "format": "date-time"}},
    "required": ["id", "expires_at"],
}
_APPROVAL: Final[Schema] = {
    "type": "object",
    "description": "A second person's consent: goes with confirm, as long as the preview holds.",
    "properties": {"id": _TEXT, "by": _TEXT, "preview": _TEXT},
    "required": ["id", "by", "preview"],
}
_PROBLEM: Final[Schema] = {
    "type": "object",
    "description": "RFC 9457. Never holds what was given.",
    "properties": {
        "type": _TEXT,
        "title": _TEXT,
        "status": {"type": "integer"},
        "detail": _TEXT,
        "error": _TEXT,
        "request_id": _TEXT,
        "fields": {"type": "object", "additionalProperties": _TEXT},
        "faults": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"field": _TEXT, "problem": _TEXT},
                "required": ["field", "problem"],
            },
        },
    },
    "required": ["type", "title", "status", "detail", "error", "request_id"],
}
_JOB: Final[Schema] = {
    "type": "object",
    "description": "How long work stands; ask again while it is queued or running.",
    "properties": {
        "id": _TEXT,
        "operation": _TEXT,
        "status": {"enum": ["queued", "running", "done", "failed"]},
        "done": {"type": "integer"},
        "total": {"type": ["integer", "null"]},
        "created_at": {"type": "string", "format": "date-time"},
        "updated_at": {"type": "string", "format": "date-time"},
        "result": {"type": ["object", "null"]},
        "problem": {"type": ["object", "null"]},
    },
    "required": ["id", "operation", "status", "done", "total", "result", "problem"],
}


def document() -> dict[str, object]:
    """The whole document."""
    components = Components()
    paths: dict[str, dict[str, object]] = {}
    for route in routes():
        paths.setdefault(route.path, {})[route.method.lower()] = _operation(route, components)
    paths[f"{BANK}/jobs/{{job}}"] = {"get": _job()}
    paths |= copy_paths()
    schemas = {**components.found, "Problem": _PROBLEM, "Job": _JOB, "Preview": _PREVIEW}
    schemas["Approval"] = _APPROVAL
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Lapse",
            "version": __version__,
            "description": "The forgetting layer for the long-term memory of AI agents.",
        },
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": {"key": {"type": "http", "scheme": "bearer"}},
        },
        "security": [{"key": []}],
    }


def _operation(route: Route, components: Components) -> Schema:
    operation = route.operation
    told: Schema = {
        "operationId": operation.name,
        "summary": operation.summary,
        "description": f"{operation.details} Needs the permission `{operation.permission}`.",
        "parameters": _parameters(route),
        "responses": _responses(route, components),
    }
    if ways_in(route):
        told["requestBody"] = _body(route)
    return told


def _parameters(route: Route) -> list[Schema]:
    found = [_in_path(each) for each in _braces(route.path)]
    if not ways_in(route):
        found += [
            {"name": each.name, "in": "query", "required": each.required, "schema": _in_query(each)}
            for each in fields_offered(route)
        ]
    if pages(route):
        about = "next_cursor of the page before."
        found.append(
            {
                "name": CURSOR,
                "in": "query",
                "required": False,
                "schema": _TEXT,
                "description": about,
            }
        )
    if route.method is not Method.GET:
        about = "The same request under the same key acts once and is answered alike."
        schema = {"type": "string", "minLength": 1, "maxLength": 255}
        found.append(
            {"name": "Idempotency-Key", "in": "header", "schema": schema, "description": about}
        )
    return found


def _in_path(name: str) -> Schema:
    schema = {"type": "string", "minLength": 1, "maxLength": 255}
    return {"name": name, "in": "path", "required": True, "schema": schema}


def _in_query(field: Field) -> Schema:
    schema = of_field(field)
    if field.type in (FieldType.TEXTS, FieldType.CHOICES):
        schema["description"] = f"{schema['description']} May be given several times."
    return schema


def _body(route: Route) -> Schema:
    fields = fields_offered(route)
    properties: Schema = {each.name: of_field(each) for each in fields}
    if takes_two_calls(route.operation):
        about = "Id of the preview to carry out; left out, nothing is done but shown."
        properties[CONFIRM] = {"type": "string", "description": about}
        if wants_two(route.operation):
            about = "Id of somebody else's preview of the same request, to consent to it."
            properties[APPROVE] = {"type": "string", "description": about}
            about = "Beside confirm: the id of the approval that a second person was given."
            properties[APPROVAL] = {"type": "string", "description": about}
    required = [each.name for each in fields if each.required]
    schema: Schema = {
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": False,
    }
    examples = {
        each.says: {"value": _example(route, each.given)} for each in route.operation.examples
    }
    content: Schema = {JSON: {"schema": schema, "examples": examples}}
    if any(each.type is FieldType.ITEMS for each in fields):
        content[LINES] = {"schema": {"type": "string", "description": "One object a line."}}
    return {"required": bool(required), "content": content}


def _example(route: Route, given: Mapping[str, object]) -> dict[str, object]:
    offered = {each.name for each in fields_offered(route)}
    return {name: each for name, each in given.items() if name in offered}


def _responses(route: Route, components: Components) -> Schema:
    operation = route.operation
    schema = _result(route, components)
    found: Schema = {str(route.status): _described("Done.", JSON, schema)}
    if pages(route):
        found[str(route.status)]["content"][LINES] = {"schema": _TEXT}  # type: ignore[index]  # made above
    if route.method is not Method.GET and not can_be_brief(operation):
        found.setdefault("204", {"description": "Done, and asked for minimally."})
    if may_be_a_job(operation):
        found["202"] = _described("Under way.", JSON, {"$ref": "#/components/schemas/Job"})
    found |= _problems(operation, route)
    return found


def _result(route: Route, components: Components) -> Schema:
    whole = components.of(route.operation.result)
    if can_be_brief(route.operation):
        return {"anyOf": [whole, brief_schema(components)]}
    if takes_two_calls(route.operation):
        names = {"preview": "Preview", APPROVAL: "Approval"}
        if not wants_two(route.operation):
            del names[APPROVAL]
        told = {name: {"$ref": f"#/components/schemas/{each}"} for name, each in names.items()}
        return {"allOf": [whole, {"properties": told}]}
    described = components.found[route.operation.result.__name__]
    properties = described["properties"]
    if isinstance(properties, dict) and "next_after" in properties:
        inner = {k: v for k, v in properties.items() if k != "next_after"}
        inner["next_cursor"] = {"type": ["string", "null"]}
        return {"type": "object", "properties": inner, "required": list(inner)}
    return whole


def _problems(operation: Operation, route: Route) -> Schema:
    kinds = [*_ALWAYS, *operation.errors]
    if ways_in(route):
        kinds.append(TooLargeError)
    if takes_two_calls(operation) or route.method is not Method.GET:
        kinds.append(ConflictError)
    if operation.subject is Subject.NOTHING:
        kinds.remove(NotFoundError)
    by_status: dict[int, list[str]] = {}
    for each in kinds:
        by_status.setdefault(each.http_status, []).append(each.__name__)
    schema = {"$ref": "#/components/schemas/Problem"}
    return {
        str(status): _described(", ".join(dict.fromkeys(names)), MEDIA_TYPE, schema)
        for status, names in sorted(by_status.items())
    }


def _job() -> Schema:
    problem = {"$ref": "#/components/schemas/Problem"}
    kinds = (UnknownCallerError, NotFoundError, LimitError, StoreError)
    return {
        "operationId": "job",
        "summary": "How a job stands.",
        "parameters": [_in_path(each) for each in ("tenant", "bank", "job")],
        "responses": {
            "200": _described("Found.", JSON, {"$ref": "#/components/schemas/Job"}),
            **{
                str(each.http_status): _described(each.__name__, MEDIA_TYPE, problem)
                for each in kinds
            },
        },
    }


def _described(text: str, media_type: str, schema: Mapping[str, object]) -> Schema:
    return {"description": text, "content": {media_type: {"schema": schema}}}


def _braces(path: str) -> list[str]:
    return [each[1:-1] for each in path.split("/") if each.startswith("{")]
