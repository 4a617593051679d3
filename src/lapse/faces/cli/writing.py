"""How a request is typed: the inverse of `reading`, for the reference and its tests.

Decides the one way that examples are written. Refuses to run them.
"""

import json
import shlex
from collections.abc import Mapping
from dataclasses import dataclass

from lapse.faces.cli.building import command_name, option_name
from lapse.faces.cli.reading import STDIN
from lapse.faces.operations import Operation
from lapse.faces.operations.fields import Field, FieldType, From


@dataclass(frozen=True, slots=True, kw_only=True)
class Typed:
    """A command as somebody types it.

    Attributes:
        arguments: What stands after `lapse`.
        stdin: What is piped in; empty for nothing.
    """

    arguments: tuple[str, ...]
    stdin: str = ""

    def __str__(self) -> str:
        line = shlex.join(["lapse", *self.arguments])
        return f"{line} <<'END'\n{self.stdin}END" if self.stdin else line


def typed_out(operation: Operation, given: Mapping[str, object]) -> Typed:
    """The command that makes the same request."""
    positional: list[str] = []
    options: list[str] = []
    stdin = ""
    for field in operation.fields:
        if field.name not in given:
            continue
        value = given[field.name]
        if field.type is FieldType.ITEMS:
            positional.append(STDIN)
            stdin = _lines(value)
        elif field.source is From.POSITION:
            positional.extend(_members(value))
        else:
            options.extend(_option(field, value))
    name = command_name(operation).split()
    return Typed(arguments=(*name, *positional, *options), stdin=stdin)


def _option(field: Field, value: object) -> list[str]:
    name = option_name(field)
    if value is None:
        absent = f"--no-{field.name.replace('_', '-')}"
        return [absent] if field.required else ["--unset", field.name]
    match field.type:
        case FieldType.BOOLEAN:
            return [name if value else f"--no-{name[2:]}"]
        case FieldType.NUMBERS:
            return [name, ",".join(_members(value))]
        case FieldType.OBJECT:
            return _pairs(name, value)
        case _:
            return [part for each in _members(value) for part in (name, each)]


def _pairs(name: str, value: object) -> list[str]:
    if not isinstance(value, Mapping):
        return [name, str(value)]
    written = []
    for key, each in value.items():
        # A blank value says "not here any more", for which there is an option of its own.
        written += ["--unset", key] if each == "" else [name, f"{key}={each}"]
    return written


def _members(value: object) -> list[str]:
    return [str(each) for each in value] if isinstance(value, list | tuple) else [str(value)]


def _lines(value: object) -> str:
    items = value if isinstance(value, list | tuple) else [value]
    return "".join(json.dumps(each, ensure_ascii=False) + "\n" for each in items)
