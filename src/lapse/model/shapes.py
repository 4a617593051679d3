"""What the types of a value's fields say, asked once for each type.

Decides how a declared type is taken apart. Refuses to know how a value is written or read.
"""

import dataclasses
import typing
from collections.abc import Mapping, Sequence
from enum import Enum
from functools import cache

from lapse.model.memory import JsonValue
from lapse.model.query import NumberRow

# A module that declares a field as `JsonValue` need not know the names in that type's own text.
JSON_NAMES = {"Sequence": Sequence, "Mapping": Mapping, "JsonValue": JsonValue}
"""Names in the text of `JsonValue`, for whoever reads the types of a result."""

ARRAYS = (tuple, Sequence)
"""Origins of types that are written as arrays."""


def told_by(kind: object) -> tuple[str, ...]:
    """Properties that a value's class names in `TOLD`: written beside its fields, never read."""
    names: tuple[str, ...] = getattr(kind, "TOLD", ())
    return names


@cache
def hints_of(kind: type) -> Mapping[str, object]:
    """The declared type of each field of a dataclass, in order."""
    hints = typing.get_type_hints(kind, localns=JSON_NAMES)
    return {each.name: hints[each.name] for each in dataclasses.fields(kind)}


@cache
def parts_of(hint: object) -> tuple[object, tuple[object, ...]]:
    """Origin and arguments of a type."""
    return typing.get_origin(hint), typing.get_args(hint)


@cache
def required_by(kind: type) -> tuple[str, ...]:
    """Names of the fields that have no default."""
    return tuple(
        each.name
        for each in dataclasses.fields(kind)
        if each.default is dataclasses.MISSING and each.default_factory is dataclasses.MISSING
    )


@cache
def members_of(kind: type[Enum]) -> Mapping[object, Enum]:
    """Members of an enum by value."""
    return {each.value: each for each in kind}


def array_arguments(origin: object, arguments: tuple[object, ...]) -> tuple[object, ...]:
    """Types of an array's items; an ellipsis at the end repeats the first."""
    return arguments if origin is tuple else (*arguments, Ellipsis)


def present_in(arguments: tuple[object, ...]) -> object:
    """The one type of a union that a value is written as."""
    # A union in the model is always `X | None`, but for a tuple that may be given as an array: what
    # is written is the tuple. JsonValue is left as plain values.
    present = [each for each in arguments if each not in (type(None), NumberRow)]
    return present[0] if len(present) == 1 else JsonValue
