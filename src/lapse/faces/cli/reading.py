"""From what was typed to the named values of a request.

Decides how lists, objects, numbers and files are written on a command line, and that `-` means
standard input. Refuses to judge values: what is no number stays text, and the operation says so
together with everything else that is wrong.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from lapse.errors import Fault, ValidationError, fault
from lapse.faces.operations.fields import Field, FieldType
from lapse.transfer.rows import CSV_SUFFIX, Unreadable, csv_rows, json_rows, loaded, text_of

STDIN = "-"
ReadInput = Callable[[], str]
"""Reads all of standard input."""


_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?", re.ASCII | re.IGNORECASE)
_INTEGER = re.compile(r"[+-]?\d{1,18}", re.ASCII)


def typed(field: Field, value: object, read_input: ReadInput) -> object:
    """The value of a field as JSON would write it.

    Raises:
        ValidationError: A file that cannot be read, or text that is no JSON where it must be.
    """
    match field.type:
        case FieldType.TEXT:
            return _text(str(value), read_input)
        case FieldType.INTEGER:
            return int(str(value)) if _INTEGER.fullmatch(str(value)) else value
        case FieldType.NUMBER:
            return _number(str(value))
        case FieldType.NUMBERS:
            return [_number(each) for each in str(value).strip(" []").split(",")]
        case FieldType.ITEMS:
            return items(str(value), read_input)
        case FieldType.OBJECT:
            return named_values(field.name, _listed(value))
        case FieldType.TEXTS | FieldType.CHOICES:
            return _listed(value)
        case FieldType.BOOLEAN | FieldType.INSTANT | FieldType.CHOICE:
            return value


def items(path: str, read_input: ReadInput) -> list[object]:
    """Objects of a file, or of standard input: a JSON array, or one object on each line.

    A file whose name ends in .csv has a header instead, and texts for values.

    Raises:
        ValidationError: It cannot be read, or lines that are no JSON, all of them at once.
    """
    text = read_input() if path == STDIN else text_of(Path(path))
    name = "standard input" if path == STDIN else path
    rows = csv_rows(text) if path.lower().endswith(CSV_SUFFIX) else json_rows(text)
    found: list[object] = []
    faults: list[Fault] = []
    for number, row in rows:
        if isinstance(row, Unreadable):
            faults.append(Fault(field=f"{name}, line {number}", value="…", problem=row.problem))
        else:
            found.append(row)
    if faults:
        raise ValidationError(faults)
    return found


def named_values(name: str, given: Sequence[str]) -> dict[str, object]:
    """An object written as `key=value` pairs, whose values are text, or as JSON; the later wins.

    Raises:
        ValidationError: What is neither.
    """
    values: dict[str, object] = {}
    faults: list[Fault] = []
    for each in given:
        if each.lstrip().startswith("{"):
            found = _object(name, each)
            if isinstance(found, Fault):
                faults.append(found)
            else:
                values.update(found)
            continue
        key, separator, value = each.partition("=")
        if not separator or not key.strip():
            faults.append(fault(name, each, "needs key=value or a JSON object"))
        values[key.strip()] = value
    if faults:
        raise ValidationError(faults)
    return values


def _text(value: str, read_input: ReadInput) -> str:
    return read_input().removesuffix("\n") if value == STDIN else value


def _number(text: str) -> float | str:
    return float(text) if _NUMBER.fullmatch(text.strip()) else text


def _listed(value: object) -> list[str]:
    return [str(each) for each in value] if isinstance(value, list | tuple) else [str(value)]


def _object(name: str, text: str) -> Mapping[str, object] | Fault:
    found = loaded(text)
    if isinstance(found, Mapping):
        return found
    problem = found.problem if isinstance(found, Unreadable) else "is no JSON object"
    return Fault(field=name, value="…", problem=problem)
