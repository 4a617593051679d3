"""The one JSON form of Lapse's values.

Every frozen dataclass of `lapse.model` has exactly one canonical text: keys sorted, no spaces,
instants as ISO 8601 in UTC, bytes in hexadecimal, enums by value, tuples as arrays, absent as null.
What is decoded equals what was encoded.

Decides the form. Refuses NaN, infinities, unknown fields and guesses about types.
"""

import json
import typing
from dataclasses import replace
from typing import TypeVar

from lapse.errors import Fault, ValidationError
from lapse.model.decoding import FromLater, reader
from lapse.model.encoding import Plain, plain

T = TypeVar("T")

__all__ = ["Plain", "decode", "decode_from_later", "dumps", "encode", "loads"]


def dumps(value: object) -> str:
    """Write a value as canonical JSON text, ASCII only.

    Raises:
        ValidationError: It holds NaN, an infinity, or a type that has no JSON form.
    """
    return json.dumps(encode(value), sort_keys=True, separators=(",", ":"), allow_nan=False)


def loads(kind: type[T], text: str | bytes) -> T:
    """Read a value of the given dataclass from JSON text.

    Raises:
        ValidationError: Not JSON, unknown or missing fields, values of another type or out of
            range; all faults at once.
    """
    try:
        found = json.loads(text, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise ValidationError.of("json", type(error).__name__, "needs valid JSON") from None
    return decode(kind, found)


def encode(value: object) -> Plain:
    """Turn a value into plain JSON values.

    Raises:
        ValidationError: It holds NaN, an infinity, or a type that has no JSON form.
    """
    return plain(value, "value")


def decode(kind: type[T], found: object) -> T:
    """Turn plain JSON values into the given dataclass.

    Raises:
        ValidationError: As for `loads`.
    """
    return _decoded(kind, found, [])


def decode_from_later(kind: type[T], found: object) -> T:
    """As `decode`, of what a later version may have written: fields not known here are left out.

    Raises:
        ValidationError: Missing fields, or values of another type or out of range.
    """
    return _decoded(kind, found, FromLater())


def _decoded(kind: type[T], found: object, faults: list[Fault]) -> T:
    value = reader(kind)(found, faults)  # type: ignore[arg-type] # mypy: a type is Hashable
    if faults:
        named = (each if each.field else replace(each, field=kind.__name__) for each in faults)
        raise ValidationError(tuple(named))
    return typing.cast(T, value)  # the reader built exactly `kind`, or there were faults


def _refuse_constant(name: str) -> object:
    raise ValueError(name)
