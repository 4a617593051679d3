"""What operations are asked with and what they give, as JSON Schema.

Decides how the types of requests and results are written in JSON Schema 2020-12; the form is that
of `lapse.model.codec`. Refuses to check anything: requests are read by the operation, which names
all faults at once.
"""

import dataclasses
import types
import typing
from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from types import MappingProxyType

from lapse.faces.operations.fields import Field, FieldType
from lapse.model.instants import Instant
from lapse.model.memory import JsonValue

Schema: typing.TypeAlias = dict[str, JsonValue]

DATE_TIME = "date-time"
DEFINITIONS = "$defs"

_INSTANT = "ISO 8601, such as 2026-03-01T09:00:00Z; without a zone it is UTC."

_ITEM: Mapping[FieldType, str] = MappingProxyType(
    {
        FieldType.TEXTS: "string",
        FieldType.CHOICES: "string",
        FieldType.NUMBERS: "number",
        FieldType.ITEMS: "object",
    }
)
_PLAIN: Mapping[FieldType, str] = MappingProxyType(
    {
        FieldType.TEXT: "string",
        FieldType.CHOICE: "string",
        FieldType.INSTANT: "string",
        FieldType.INTEGER: "integer",
        FieldType.NUMBER: "number",
        FieldType.BOOLEAN: "boolean",
        FieldType.OBJECT: "object",
    }
)
_SCALARS: Mapping[type, str] = MappingProxyType(
    {str: "string", bool: "boolean", int: "integer", float: "number", bytes: "string"}
)

# A JSON value is defined by itself, so its name is looked up where it is used.
_FORWARD: dict[str, object] = {"JsonValue": JsonValue, "Mapping": Mapping, "Sequence": Sequence}


def schema_of_fields(fields: Iterable[Field]) -> Schema:
    """Schema of an object that holds these fields and no others."""
    known = tuple(fields)
    required: list[JsonValue] = [each.name for each in known if each.required]
    schema: Schema = {
        "type": "object",
        "properties": {each.name: schema_of_field(each) for each in known},
        "additionalProperties": False,
    }
    return schema | {"required": required} if required else schema


def schema_of_field(field: Field) -> Schema:
    """Schema of one field, with what it means."""
    about = field.help if field.type is not FieldType.INSTANT else f"{field.help} {_INSTANT}"
    choices: Schema = {"enum": list(field.choices)} if field.choices else {}
    if field.type in _ITEM:
        inner: Schema = {"type": _ITEM[field.type], **choices}
        schema: Schema = {"type": "array", "items": inner}
        if field.required:
            schema["minItems"] = 1
    else:
        kind = _PLAIN[field.type]
        schema = {"type": [kind, "null"] if field.null_counts else kind, **choices}
    return schema | {"description": about} | _default(field)


def schema_of(kind: type) -> Schema:
    """Schema of what the codec writes for a dataclass, its parts under `$defs`.

    No part is required, because a face may leave out what is empty.
    """
    definitions: dict[str, Schema] = {}
    root = _object(kind, definitions)
    return root | {DEFINITIONS: dict(definitions)} if definitions else root


def parts_of(kind: type) -> frozenset[type]:
    """The dataclasses that a dataclass is made of, itself among them."""
    found: set[type] = set()
    waiting: list[object] = [kind]
    while waiting:
        hint = waiting.pop()
        if isinstance(hint, type) and dataclasses.is_dataclass(hint) and hint not in found:
            found.add(hint)
            waiting.extend(_hints(hint).values())
        else:
            waiting.extend(typing.get_args(hint))
    return frozenset(found)


def _default(field: Field) -> Schema:
    given = field.default
    if isinstance(given, Enum):
        return {"default": str(given.value)}
    return {"default": given} if isinstance(given, bool | int | float | str) else {}


def _object(kind: type, definitions: dict[str, Schema]) -> Schema:
    properties: dict[str, JsonValue] = {
        name: _schema(hint, definitions) for name, hint in _hints(kind).items()
    }
    told: tuple[str, ...] = getattr(kind, "TOLD", ())
    properties.update({name: {} for name in told})
    return {"type": "object", "properties": properties}


def _schema(hint: object, definitions: dict[str, Schema]) -> Schema:
    if hint is Instant:
        return {"type": "string", "format": DATE_TIME}
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        present = [each for each in arguments if each is not type(None)]
        return {"anyOf": [_schema(each, definitions) for each in present] + [{"type": "null"}]}
    if origin in (tuple, Sequence):
        return {"type": "array", "items": _schema(arguments[0], definitions)}
    if origin is not None and isinstance(origin, type) and issubclass(origin, Mapping):
        return {"type": "object"}
    return _named(hint, definitions) if isinstance(hint, type) else {}


def _named(kind: type, definitions: dict[str, Schema]) -> Schema:
    if dataclasses.is_dataclass(kind):
        if kind.__name__ not in definitions:
            definitions[kind.__name__] = {}  # holds the place, for a type that contains itself
            definitions[kind.__name__] = _object(kind, definitions)
        return {"$ref": f"#/{DEFINITIONS}/{kind.__name__}"}
    if issubclass(kind, Enum):
        return {"type": "string", "enum": [str(each.value) for each in kind]}
    return {"type": _SCALARS[kind]} if kind in _SCALARS else {}


def _hints(kind: type) -> Mapping[str, object]:
    hints = typing.get_type_hints(kind, localns=_FORWARD)
    return {each.name: hints[each.name] for each in dataclasses.fields(kind)}
