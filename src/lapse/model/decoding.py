"""Reads values of declared types from plain JSON values.

For each type a reader is made once. It collects faults whose fields are named from itself on; who
called it puts its own name before them. So a value without a fault pays for no name, and a store of
files reads tens of thousands of them when it is opened.

Decides what is accepted for each type. Refuses unknown fields and guesses.
"""

import dataclasses
import math
import types
import typing
from collections.abc import Callable, Mapping
from dataclasses import replace
from enum import Enum
from functools import cache
from types import MappingProxyType
from typing import TypeAlias

from lapse.errors import Fault, ValidationError, fault
from lapse.model.instants import Instant, parse_instant
from lapse.model.memory import JsonValue
from lapse.model.shapes import (
    ARRAYS,
    array_arguments,
    hints_of,
    members_of,
    parts_of,
    present_in,
    required_by,
    told_by,
)

Reader: TypeAlias = Callable[[object, list[Fault]], object]
"""Takes a plain value; what it returns beside a new fault is not to be used."""


class FromLater(list[Fault]):
    """Collects faults of what a later version may have written: what it added is passed over."""


@cache
def reader(hint: object) -> Reader:
    """The reader of a type."""
    origin, arguments = parts_of(hint)
    if origin in (typing.Union, types.UnionType):
        return _optional(reader(present_in(arguments)))
    if hint is Instant:
        return _read_instant
    if origin in ARRAYS:
        return _array(array_arguments(origin, arguments))
    if isinstance(origin, type) and issubclass(origin, Mapping):
        key, value = arguments if len(arguments) == 2 else (str, JsonValue)
        return _mapping(reader(value), _key_reader(key))
    if isinstance(hint, type):
        return _of_type(hint)
    return _read_frozen


def _of_type(hint: type) -> Reader:
    if dataclasses.is_dataclass(hint):
        return _dataclass(hint)
    if issubclass(hint, Enum):
        return _enum(hint)
    if hint is bytes:
        return _read_bytes
    if hint is float:
        return _read_float
    return _instance(hint)


def _optional(inner: Reader) -> Reader:
    return lambda plain, faults: None if plain is None else inner(plain, faults)


def _instance(hint: type) -> Reader:
    def read(plain: object, faults: list[Fault]) -> object:
        if type(plain) is hint or (
            isinstance(plain, hint) and not (hint is int and isinstance(plain, bool))
        ):
            return plain
        faults.append(fault("", plain, f"needs {hint.__name__}"))
        return None

    return read


def _enum(hint: type[Enum]) -> Reader:
    known = members_of(hint)

    def read(plain: object, faults: list[Fault]) -> object:
        if isinstance(plain, str) and plain in known:
            return known[plain]
        faults.append(fault("", plain, f"needs one of {', '.join(map(str, known))}"))
        return None

    return read


def _dataclass(hint: type) -> Reader:
    hints, told, required = hints_of(hint), told_by(hint), required_by(hint)
    fields: list[tuple[str, Reader]] = []

    def read(plain: object, faults: list[Fault]) -> object:
        if not isinstance(plain, Mapping):
            faults.append(fault("", type(plain).__name__, "needs an object"))
            return None
        if not fields:  # not before: a class may have a field of its own kind
            fields[:] = [(name, reader(each)) for name, each in hints.items()]
        before = len(faults)
        if not plain.keys() <= hints.keys() and not isinstance(faults, FromLater):
            faults.extend(
                fault(key, "…", f"unknown field; known are {', '.join(hints)}")
                for key in plain
                if key not in hints and key not in told
            )
        values = {}
        for name, read_field in fields:
            if name in plain:
                known = len(faults)
                values[name] = read_field(plain[name], faults)
                if len(faults) > known:
                    _place(faults, known, name)
        faults.extend(fault(key, None, "is required") for key in required if key not in plain)
        return _built(hint, values, faults) if len(faults) == before else None

    return read


def _array(arguments: tuple[object, ...]) -> Reader:
    fixed = bool(arguments) and arguments[-1] is not Ellipsis
    readers = [reader(each) for each in arguments if each is not Ellipsis]

    def read(plain: object, faults: list[Fault]) -> object:
        if not isinstance(plain, list | tuple) or (fixed and len(plain) != len(readers)):
            what = f"an array of {len(readers)}" if fixed else "an array"
            faults.append(fault("", plain, f"needs {what}"))
            return ()
        found = []
        for at, each in enumerate(plain):
            known = len(faults)
            found.append(readers[at if fixed else 0](each, faults))
            if len(faults) > known:
                _place(faults, known, f"[{at}]")
        return tuple(found)

    return read


def _key_reader(hint: object) -> Reader:
    """Keys are texts in JSON; only those of an enum are something else once they are read."""
    if isinstance(hint, type) and issubclass(hint, Enum):
        return _enum(hint)
    return lambda plain, _: plain


def _mapping(inner: Reader, key_of: Reader) -> Reader:
    def read(plain: object, faults: list[Fault]) -> object:
        if not isinstance(plain, Mapping):
            faults.append(fault("", plain, "needs an object"))
            return MappingProxyType({})
        found = {}
        for key, each in plain.items():
            known = len(faults)
            found[key_of(key, faults)] = inner(each, faults)
            if len(faults) > known:
                _place(faults, known, str(key))
        return MappingProxyType(found)

    return read


def _read_instant(plain: object, faults: list[Fault]) -> object:
    try:
        return parse_instant(plain, "")
    except ValidationError as error:
        faults.extend(error.faults)
    return None


def _read_bytes(plain: object, faults: list[Fault]) -> object:
    if not isinstance(plain, str):
        faults.append(fault("", plain, "needs bytes"))
        return None
    try:
        return bytes.fromhex(plain)
    except ValueError:
        faults.append(fault("", "…", "has another form"))
    return None


def _read_float(plain: object, faults: list[Fault]) -> object:
    if not isinstance(plain, int | float) or isinstance(plain, bool):
        faults.append(fault("", plain, "needs float"))
        return None
    try:
        number = float(plain)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        faults.append(fault("", plain, "needs a finite number"))
    return number


def _read_frozen(plain: object, faults: list[Fault]) -> object:
    match plain:
        case Mapping():
            return _FROZEN_MAPPING(plain, faults)
        case list() | tuple():
            return _FROZEN_ARRAY(plain, faults)
        case float():
            return _read_float(plain, faults)
        case _:
            return plain


def _place(faults: list[Fault], start: int, name: str) -> None:
    """Put a name before the fields of the faults from `start` on."""
    for at in range(start, len(faults)):
        inner = faults[at].field
        dot = "." if inner and not inner.startswith("[") else ""
        faults[at] = replace(faults[at], field=f"{name}{dot}{inner}")


def _built(hint: type, values: Mapping[str, object], faults: list[Fault]) -> object:
    try:
        return hint(**values)
    except ValidationError as error:
        faults.extend(error.faults)
    return None


_FROZEN_MAPPING = _mapping(_read_frozen, _key_reader(str))
_FROZEN_ARRAY = _array((JsonValue, Ellipsis))
