"""The one JSON form of Lapse's values.

Every frozen dataclass of `lapse.model` has exactly one canonical text: keys sorted, no spaces,
instants as ISO 8601 in UTC, bytes in hexadecimal, enums by value, tuples as arrays, absent as null.
What is decoded equals what was encoded.

Decides the form. Refuses NaN, infinities, unknown fields and guesses about types.
"""

import dataclasses
import json
import math
import types
import typing
from collections.abc import Mapping, Sequence
from dataclasses import replace
from enum import Enum
from typing import TypeVar

from lapse.errors import Fault, ValidationError
from lapse.model.decoding import reader
from lapse.model.instants import Instant, to_iso
from lapse.model.query import NumberRow
from lapse.model.shapes import ARRAYS, array_arguments, hints_of, parts_of, present_in, told_by

T = TypeVar("T")

Plain: typing.TypeAlias = "bool | int | float | str | list[Plain] | dict[str, Plain] | None"


def dumps(value: object) -> str:
    """Write a value as canonical JSON text, ASCII only.

    Raises:
        ValidationError: It holds NaN, an infinity, or a type that has no JSON form.
    """
    plain = encode(value)
    return json.dumps(plain, sort_keys=True, separators=(",", ":"), allow_nan=False)


def loads(kind: type[T], text: str | bytes) -> T:
    """Read a value of the given dataclass from JSON text.

    Raises:
        ValidationError: Not JSON, unknown or missing fields, values of another type or out of
            range; all faults at once.
    """
    try:
        plain = json.loads(text, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise ValidationError.of("json", type(error).__name__, "needs valid JSON") from None
    return decode(kind, plain)


def encode(value: object) -> Plain:
    """Turn a value into plain JSON values."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        hints = hints_of(type(value))
        own = {name: _encode_as(hint, getattr(value, name), name) for name, hint in hints.items()}
        return own | {name: _encode_plain(getattr(value, name), name) for name in told_by(value)}
    return _encode_plain(value, "value")


def decode(kind: type[T], plain: object) -> T:
    """Turn plain JSON values into the given dataclass.

    Raises:
        ValidationError: As for `loads`.
    """
    faults: list[Fault] = []
    value = reader(kind)(plain, faults)  # type: ignore[arg-type] # mypy: a type is Hashable
    if faults:
        named = (each if each.field else replace(each, field=kind.__name__) for each in faults)
        raise ValidationError(tuple(named))
    return typing.cast(T, value)  # the reader built exactly `kind`, or there were faults


def _encode_as(hint: object, value: object, name: str) -> Plain:
    if value is None:
        return None
    if hint is Instant:
        return to_iso(typing.cast(Instant, value))  # the field is declared as an Instant
    origin, arguments = parts_of(hint)
    if hint is float and isinstance(value, int | float):
        # Equal values have one text: 1 is written as 1.0, and no zero has a sign.
        return _encode_plain(float(value) + 0.0, name)
    if origin in (typing.Union, types.UnionType):
        return _encode_as(present_in(arguments), value, name)
    if origin in ARRAYS and isinstance(value, Sequence):
        inner = _innerhints_of(array_arguments(origin, arguments), len(value))
        return [_encode_as(each, item, name) for each, item in zip(inner, value, strict=True)]
    return _encode_plain(value, name)


def _encode_plain(value: object, name: str) -> Plain:
    match value:
        case Enum():
            return _encode_plain(value.value, name)
        case None | bool() | int() | str():
            return value
        case float():
            if not math.isfinite(value):
                raise ValidationError.of(name, value, "needs a finite number")
            return value
        case bytes():
            return value.hex()
        case Mapping():
            return _encode_mapping(value, name)
        case tuple() | list():
            return [_encode_plain(each, name) for each in value]
        case _ if dataclasses.is_dataclass(value):
            return encode(value)
        case NumberRow():
            return [_encode_as(float, each, name) for each in value.tolist()]
        case _:
            raise ValidationError.of(name, type(value).__name__, "has no JSON form")


def _encode_mapping(value: Mapping[object, object], name: str) -> Plain:
    plain: dict[str, Plain] = {}
    for key, each in value.items():
        if not isinstance(key, str):
            raise ValidationError.of(name, key, "needs text keys")
        plain[key] = _encode_plain(each, f"{name}.{key}")
    return plain


def _innerhints_of(arguments: tuple[object, ...], length: int) -> tuple[object, ...]:
    if arguments and arguments[-1] is Ellipsis:
        return (arguments[0],) * length
    return arguments


def _refuse_constant(name: str) -> object:
    raise ValueError(name)
