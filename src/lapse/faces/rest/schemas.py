"""JSON schemas of what goes in and out, read off the table and the types of results.

Decides how a field and a type are described (JSON Schema 2020-12, as OpenAPI 3.1 has it). Refuses
to hold a fact about any operation.
"""

import dataclasses
import types
import typing
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Final

from lapse.faces.operations.fields import Field, FieldType
from lapse.model.instants import Instant
from lapse.model.query import NumberRow
from lapse.model.shapes import JSON_NAMES

Schema = dict[str, object]

_INSTANT: Final[Mapping[str, object]] = {
    "type": "string",
    "description": "ISO 8601; UTC where no zone is named.",
}
_PLAIN: Final[Mapping[FieldType, Mapping[str, object]]] = {
    FieldType.TEXT: {"type": "string"},
    FieldType.INTEGER: {"type": "integer"},
    FieldType.NUMBER: {"type": "number"},
    FieldType.BOOLEAN: {"type": "boolean"},
    FieldType.INSTANT: _INSTANT,
    FieldType.CHOICE: {"type": "string"},
    FieldType.TEXTS: {"type": "array", "items": {"type": "string"}},
    FieldType.CHOICES: {"type": "array", "items": {"type": "string"}},
    FieldType.NUMBERS: {"type": "array", "items": {"type": "number"}},
    FieldType.OBJECT: {"type": "object"},
    FieldType.ITEMS: {"type": "array", "items": {"type": "object"}},
}


def of_field(field: Field) -> Schema:
    """Schema of a field that a caller gives.

    Null counts as leaving it out, so it is described where it says something of its own only.
    """
    schema: Schema = {**_PLAIN[field.type]}
    if field.null_counts:
        schema["type"] = [schema["type"], "null"]
    text = field.help
    if field.choices:
        text += f" One of {', '.join(field.choices)}."
    schema["description"] = text
    return schema


class Components:
    """Schemas of results by the name of their type, collected while they are asked for."""

    def __init__(self) -> None:
        self.found: dict[str, Schema] = {}

    def of(self, kind: type) -> Schema:
        """A reference to the schema of a dataclass."""
        name = kind.__name__
        if name not in self.found:
            self.found[name] = {}  # a type may hold itself
            self.found[name] = self._described(kind)
        return {"$ref": f"#/components/schemas/{name}"}

    def _described(self, kind: type) -> Schema:
        hints = typing.get_type_hints(kind, localns=JSON_NAMES)
        names = [each.name for each in dataclasses.fields(kind)]
        told: tuple[str, ...] = getattr(kind, "TOLD", ())
        doc = (kind.__doc__ or "").partition("\n")[0]
        return {
            "type": "object",
            "description": doc,
            "properties": {name: self._hint(hints[name]) for name in names}
            | {name: {} for name in told},
            "required": names,
        }

    def _hint(self, hint: object) -> Schema:
        origin, arguments = typing.get_origin(hint), typing.get_args(hint)
        if origin in (typing.Union, types.UnionType):
            return self._union(arguments)
        if hint is Instant:
            return {"type": "string", "format": "date-time"}
        if origin is not None and isinstance(origin, type):
            return self._generic(origin, arguments)
        if isinstance(hint, type):
            return self._type(hint)
        return {}

    def _union(self, arguments: tuple[object, ...]) -> Schema:
        present = [each for each in arguments if each not in (type(None), NumberRow)]
        if len(present) != 1:
            return {}
        inner = self._hint(present[0])
        return {"anyOf": [inner, {"type": "null"}]} if type(None) in arguments else inner

    def _generic(self, origin: type, arguments: tuple[object, ...]) -> Schema:
        if issubclass(origin, Mapping):
            inner = self._hint(arguments[1]) if len(arguments) == 2 else {}
            return {"type": "object", "additionalProperties": inner}
        if issubclass(origin, tuple | Sequence):
            if len(arguments) == 2 and arguments[1] is not Ellipsis:
                return {"type": "array", "prefixItems": [self._hint(each) for each in arguments]}
            members = [each for each in arguments if each is not Ellipsis]
            if len(members) == 1:
                return {"type": "array", "items": self._hint(members[0])}
            return {"type": "array"}
        return {}

    def _type(self, hint: type) -> Schema:
        if dataclasses.is_dataclass(hint):
            return self.of(hint)
        if issubclass(hint, Enum):
            return {"enum": [each.value for each in hint]}
        for known, name in ((bool, "boolean"), (int, "integer"), (float, "number")):
            if hint is known:
                return {"type": name}
        return {"type": "string"} if hint in (str, bytes) else {}
