"""From what came over the wire to named values of a request.

Decides how a field is written in a query string and what a body may be: one JSON object, or for
many memories one JSON object a line. Refuses to check what the table's own reading checks.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Final

from lapse.errors import Fault, ValidationError, fault
from lapse.faces.operations.fields import Field, FieldType
from lapse.faces.rest.routes import Method, Route, is_placed, takes_two_calls

JSON: Final = "application/json"
LINES: Final = "application/x-ndjson"
CURSOR: Final = "cursor"
"""Parameter in place of the table's `after`: the same position, opaque."""
POSITIONS: Final = "positions"
"""Preference for the table's own positions, as a cursor's text, in place of sealed cursors."""
_BOOLEANS: Final[Mapping[str, bool]] = {"true": True, "false": False}


def fields_offered(route: Route) -> tuple[Field, ...]:
    """Fields that a caller may give in query or body."""
    two_calls = takes_two_calls(route.operation)
    return tuple(
        each
        for each in route.operation.fields
        if not is_placed(route.operation, each)
        and each.name not in route.fields_in_path
        and not (two_calls and each.name == "yes")
        and each.name != "after"
    )


def pages(route: Route) -> bool:
    """Whether it gives one page after another."""
    return any(each.name == "after" for each in route.operation.fields)


def from_query(route: Route, pairs: Sequence[tuple[str, str]]) -> dict[str, object]:
    """Named values of a query string.

    Raises:
        ValidationError: A value that cannot be read, or several where one is meant; all at once.
    """
    known = {each.name: each for each in fields_offered(route)}
    found: dict[str, object] = {}
    faults: list[Fault] = []
    for name in dict.fromkeys(name for name, _ in pairs):
        values = [value for each, value in pairs if each == name]
        kind = known[name].type if name in known else FieldType.TEXT
        if kind in (FieldType.TEXTS, FieldType.CHOICES):
            found[name] = values
        elif len(values) > 1:
            faults.append(fault(name, len(values), "may be given once"))
        else:
            found[name] = _one(name, kind, values[0], faults)
    if faults:
        raise ValidationError(faults)
    return found


def from_body(route: Route, body: bytes, media_type: str) -> dict[str, object]:
    """Named values of a body; an empty one says nothing.

    Raises:
        ValidationError: Another media type, no JSON, or JSON of another shape.
    """
    if media_type.partition(";")[0].strip().lower() == LINES:
        return _from_lines(route, body)
    return from_json(body, media_type)


def from_json(body: bytes, media_type: str) -> dict[str, object]:
    """Named values of one JSON object; an empty body says nothing.

    Raises:
        ValidationError: Another media type, no JSON, or JSON of another shape.
    """
    kind = media_type.partition(";")[0].strip().lower()
    if not body.strip():
        return {}
    if kind not in (JSON, ""):
        raise ValidationError.of("Content-Type", kind, f"needs {JSON}")
    return _object("body", body)


def ways_in(route: Route) -> bool:
    """Whether its fields come in a body."""
    return route.method not in (Method.GET, Method.DELETE)


def _from_lines(route: Route, body: bytes) -> dict[str, object]:
    many = next((each for each in fields_offered(route) if each.type is FieldType.ITEMS), None)
    if many is None:
        raise ValidationError.of("Content-Type", LINES, f"needs {JSON}")
    lines = [each for each in body.split(b"\n") if each.strip()]
    faults: list[Fault] = []
    items = []
    for at, line in enumerate(lines):
        try:
            items.append(_object(f"{many.name}[{at}]", line))
        except ValidationError as error:
            faults.extend(error.faults)
    if faults:
        raise ValidationError(faults)
    return {many.name: items}


def _object(where: str, text: bytes) -> dict[str, object]:
    try:
        found = json.loads(text, parse_constant=_refuse, object_pairs_hook=_once)
    except (ValueError, RecursionError):
        raise ValidationError.of(where, "…", "needs one valid JSON object") from None
    if not isinstance(found, dict):
        raise ValidationError.of(where, type(found).__name__, "needs one JSON object")
    return found


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        # Which of the two counts would depend on who reads it.
        raise ValueError("a name is given twice")
    return found


def _refuse(name: str) -> object:
    raise ValueError(f"{name} is no JSON number")


def _one(name: str, kind: FieldType, value: str, faults: list[Fault]) -> object:
    match kind:
        case FieldType.BOOLEAN:
            if value in _BOOLEANS:
                return _BOOLEANS[value]
            faults.append(fault(name, value, "needs true or false"))
        case FieldType.INTEGER | FieldType.NUMBER:
            return _number(name, kind, value, faults)
        case FieldType.OBJECT | FieldType.ITEMS | FieldType.NUMBERS:
            faults.append(fault(name, "…", "cannot be given in a query"))
        case _:
            return value
    return None


def _number(name: str, kind: FieldType, value: str, faults: list[Fault]) -> object:
    read = int if kind is FieldType.INTEGER else float
    try:
        # Python would read digits parted by underscores, too.
        return read(value.replace("_", "…"))
    except ValueError:
        word = "a whole number" if kind is FieldType.INTEGER else "a number"
        faults.append(fault(name, value, f"needs {word}"))
        return None
