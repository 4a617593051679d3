"""From an operation and its fields to a request.

Decides how values are written for the wire, and which fields are left out because they say nothing.
Refuses to check what the server checks.
"""

import dataclasses
import json
from collections.abc import Iterable, Mapping
from datetime import date
from enum import Enum
from urllib.parse import quote

from lapse.errors import ValidationError
from lapse.faces.operations import Operation
from lapse.faces.remote.steps import Ask
from lapse.faces.rest.reading import CURSOR, JSON, POSITIONS, pages, ways_in
from lapse.faces.rest.routes import ABSENT, BANK, Route, is_placed, route_of
from lapse.model.codec import Plain, encode
from lapse.model.memory import BankRef
from lapse.model.query import NumberRow


def served_route(operation: Operation) -> Route:
    """The route of an operation.

    Raises:
        ValidationError: It has none.
    """
    why = ABSENT.get(operation.name)
    if why is not None:
        raise ValidationError.of(operation.name, "…", f"is not served: {why}")
    return route_of(operation)


def told(operation: Operation, given: Mapping[str, object]) -> dict[str, Plain]:
    """Fields as JSON values, without those that the path says or that say nothing.

    Raises:
        ValidationError: A value that has no JSON form.
    """
    known = {each.name: each for each in operation.fields}
    found: dict[str, Plain] = {}
    for name, value in given.items():
        field = known.get(name)
        if field is not None and is_placed(operation, field):
            continue
        if value is None and not (field is not None and field.null_counts):
            continue
        found[name] = plain(value, name)
    return found


def written(
    route: Route, fields: Mapping[str, Plain], place: BankRef, headers: Mapping[str, str]
) -> Ask:
    """One request for an operation.

    Raises:
        ValidationError: A number that JSON cannot hold, or no name where the path needs one.
    """
    rest = dict(fields)
    path = _placed(route.path, place)
    for name in route.fields_in_path:
        path = path.replace(f"{{{name}}}", segment(_named(name, rest.pop(name, None))))
    told = dict(headers)
    if pages(route):
        told["Prefer"] = ", ".join([POSITIONS, *filter(None, [told.get("Prefer")])])
        after = rest.pop("after", None)
        if after:
            rest[CURSOR] = str(after)
    if not ways_in(route):
        return Ask(method=route.method, path=path, query=_query(rest), headers=told)
    try:
        body = json.dumps(rest, allow_nan=False).encode("ascii")
    except ValueError:
        raise ValidationError.of("body", "…", "needs finite numbers") from None
    return Ask(method=route.method, path=path, headers={**told, "Content-Type": JSON}, body=body)


def bank_path(place: BankRef) -> str:
    """The path under which everything of a bank is asked for."""
    return _placed(BANK, place)


def segment(name: str) -> str:
    """A name as one segment of a path; one of dots alone would be taken for a step upwards."""
    escaped = quote(name, safe="")
    return escaped.replace(".", "%2E") if not escaped.strip(".") else escaped


def plain(value: object, name: str) -> Plain:
    """A value as a caller of the library gives it, as JSON values.

    Raises:
        ValidationError: It has no JSON form.
    """
    match value:
        case Enum():
            return plain(value.value, name)
        case None | bool() | int() | float() | str():
            return value
        case date():
            return value.isoformat()
        case Mapping():
            return {str(key): plain(each, f"{name}.{key}") for key, each in value.items()}
        case NumberRow():
            return [plain(each, name) for each in value.tolist()]
        case _ if dataclasses.is_dataclass(value) and not isinstance(value, type):
            return encode(value)
        case bytes() | bytearray() | memoryview():
            pass
        case Iterable():
            return [plain(each, f"{name}[{at}]") for at, each in enumerate(value)]
        case _:
            pass
    raise ValidationError.of(name, type(value).__name__, "has no JSON form")


def _placed(path: str, place: BankRef) -> str:
    for brace, name in (("{tenant}", place.tenant), ("{bank}", place.name)):
        path = path.replace(brace, segment(name))
    return path


def _named(field: str, value: Plain) -> str:
    if not isinstance(value, str) or not value.strip():
        raise ValidationError.of(field, value, "needs a name")
    return value


def _query(fields: Mapping[str, Plain]) -> tuple[tuple[str, str], ...]:
    return tuple(
        (name, _word(each))
        for name, value in fields.items()
        for each in (value if isinstance(value, list) else [value])
    )


def _word(value: Plain) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
