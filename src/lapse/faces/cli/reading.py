"""From what was typed to the named values of a request.

Decides how lists, objects, numbers and files are written on a command line, and that `-` means
standard input. Refuses to judge values: what is no number stays text, and the operation says so
together with everything else that is wrong.
"""

import csv
import json
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from lapse.errors import Fault, ValidationError, fault
from lapse.faces.operations.fields import Field, FieldType

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
    text = _content(path, read_input).strip()
    if path.lower().endswith(".csv"):
        return list(csv.DictReader(text.splitlines()))
    name = "standard input" if path == STDIN else path
    if text.startswith("["):
        return _array(text, name)
    found: list[object] = []
    faults: list[Fault] = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            found.append(_loads(line))
        except ValueError as error:
            faults.append(_no_json(f"{name}, line {number}", error))
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
            try:
                values.update(_object(each))
            except ValueError as error:
                faults.append(_no_json(name, error))
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


def _content(path: str, read_input: ReadInput) -> str:
    if path == STDIN:
        return read_input()
    try:
        return Path(path).read_text(encoding="utf-8-sig")
    except OSError as error:
        raise ValidationError.of("file", path, f"cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise ValidationError.of("file", path, "needs to be UTF-8 text") from None


def _array(text: str, name: str) -> list[object]:
    try:
        found = _loads(text)
    except ValueError as error:
        raise ValidationError([_no_json(name, error)]) from None
    return list(found) if isinstance(found, list) else [found]


def _object(text: str) -> Mapping[str, object]:
    found = _loads(text)
    if not isinstance(found, Mapping):
        raise ValueError("no object")  # noqa: TRY004 - the same as other JSON that does not fit
    return found


def _loads(text: str) -> object:
    try:
        found: object = json.loads(text, parse_constant=_refuse)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    return found


def _refuse(name: str) -> object:
    raise ValueError(f"{name} is no JSON number")


def _no_json(place: str, error: ValueError) -> Fault:
    said = error.msg if isinstance(error, json.JSONDecodeError) else str(error)
    return Fault(field=place, value="…", problem=f"is not valid JSON: {said}")
