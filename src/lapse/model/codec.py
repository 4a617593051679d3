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
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from enum import Enum
from functools import cache
from types import MappingProxyType
from typing import TypeVar

from lapse.errors import Fault, ValidationError, fault
from lapse.model.instants import Instant, parse_instant, to_iso
from lapse.model.memory import JsonValue
from lapse.model.query import NumberRow

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
        hints = _hints(type(value))
        own = {name: _encode_as(hint, getattr(value, name), name) for name, hint in hints.items()}
        return own | {name: _encode_plain(getattr(value, name), name) for name in _told(value)}
    return _encode_plain(value, "value")


def decode(kind: type[T], plain: object) -> T:
    """Turn plain JSON values into the given dataclass.

    Raises:
        ValidationError: As for `loads`.
    """
    faults: list[Fault] = []
    value = _decode_as(kind, plain, "", faults)
    if faults:
        raise ValidationError(faults)
    return typing.cast(T, value)  # _decode_as built exactly `kind`, or there were faults


# A module that declares a field as `JsonValue` need not know the names in that type's own text.
_ARRAYS = (tuple, Sequence)
_SCALARS = (str, int, bool)
JSON_NAMES = {"Sequence": Sequence, "Mapping": Mapping, "JsonValue": JsonValue}
"""Names in the text of `JsonValue`, for whoever reads the types of a result."""


def _told(kind: object) -> tuple[str, ...]:
    """Properties that a value's class names in `TOLD`: written beside its fields, never read."""
    names: tuple[str, ...] = getattr(kind, "TOLD", ())
    return names


@cache
def _hints(kind: type) -> Mapping[str, object]:
    hints = typing.get_type_hints(kind, localns=JSON_NAMES)
    return {each.name: hints[each.name] for each in dataclasses.fields(kind)}


@cache
def _parts(hint: object) -> tuple[object, tuple[object, ...]]:
    # Asked for every field of every value: a file store reads and writes thousands of them.
    return typing.get_origin(hint), typing.get_args(hint)


@cache
def _required(kind: type) -> tuple[str, ...]:
    return tuple(
        each.name
        for each in dataclasses.fields(kind)
        if each.default is dataclasses.MISSING and each.default_factory is dataclasses.MISSING
    )


@cache
def _members(kind: type[Enum]) -> Mapping[object, Enum]:
    return {each.value: each for each in kind}


def _encode_as(hint: object, value: object, name: str) -> Plain:
    if value is None:
        return None
    if hint is Instant:
        return to_iso(typing.cast(Instant, value))  # the field is declared as an Instant
    origin, arguments = _parts(hint)
    if hint is float and isinstance(value, int | float):
        # Equal values have one text: 1 is written as 1.0, and no zero has a sign.
        return _encode_plain(float(value) + 0.0, name)
    if origin in (typing.Union, types.UnionType):
        return _encode_as(_present(arguments), value, name)
    if origin in _ARRAYS and isinstance(value, Sequence):
        inner = _inner_hints(_array_arguments(origin, arguments), len(value))
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


def _decode_as(hint: object, plain: object, name: str, faults: list[Fault]) -> object:
    origin, arguments = _parts(hint)
    if origin in (typing.Union, types.UnionType):
        return None if plain is None else _decode_as(_present(arguments), plain, name, faults)
    if hint is Instant:
        return _guarded(lambda: parse_instant(plain, name), faults, name)
    if origin in _ARRAYS:
        return _decode_tuple(_array_arguments(origin, arguments), plain, name, faults)
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return _decode_mapping(arguments, plain, name, faults)
    if isinstance(hint, type):
        return _decode_type(hint, plain, name, faults)
    return _frozen(plain, name, faults)


def _decode_type(hint: type, plain: object, name: str, faults: list[Fault]) -> object:
    if type(plain) is hint and hint in _SCALARS:
        return plain
    if dataclasses.is_dataclass(hint):
        return _decode_dataclass(hint, plain, name, faults)
    if issubclass(hint, Enum):
        known = _members(hint)
        if isinstance(plain, str) and plain in known:
            return known[plain]
        faults.append(fault(name, plain, f"needs one of {', '.join(map(str, known))}"))
        return None
    if hint is bytes and isinstance(plain, str):
        return _guarded(lambda: bytes.fromhex(plain), faults, name)
    if hint is float and isinstance(plain, int | float) and not isinstance(plain, bool):
        return _decode_float(plain, name, faults)
    if isinstance(plain, hint) and not (hint is int and isinstance(plain, bool)):
        return plain
    faults.append(fault(name, plain, f"needs {hint.__name__}"))
    return None


def _decode_float(plain: float, name: str, faults: list[Fault]) -> float:
    try:
        number = float(plain)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        faults.append(fault(name, plain, "needs a finite number"))
    return number


def _decode_dataclass(hint: type, plain: object, name: str, faults: list[Fault]) -> object:
    if not isinstance(plain, Mapping):
        faults.append(fault(name or hint.__name__, type(plain).__name__, "needs an object"))
        return None
    hints = _hints(hint)
    prefix = f"{name}." if name else ""
    faults.extend(
        fault(f"{prefix}{key}", "…", f"unknown field; known are {', '.join(hints)}")
        for key in plain
        if key not in hints and key not in _told(hint)
    )
    before = len(faults)
    values = {
        key: _decode_as(each, plain[key], f"{prefix}{key}", faults)
        for key, each in hints.items()
        if key in plain
    }
    faults.extend(
        fault(f"{prefix}{key}", None, "is required") for key in _required(hint) if key not in plain
    )
    return _built(hint, values, prefix, faults) if len(faults) == before else None


def _decode_tuple(
    arguments: tuple[object, ...], plain: object, name: str, faults: list[Fault]
) -> object:
    fixed = bool(arguments) and arguments[-1] is not Ellipsis
    if not isinstance(plain, list | tuple) or (fixed and len(plain) != len(arguments)):
        what = f"an array of {len(arguments)}" if fixed else "an array"
        faults.append(fault(name, plain, f"needs {what}"))
        return ()
    inner = _inner_hints(arguments, len(plain))
    return tuple(
        _decode_as(each, item, f"{name}[{at}]", faults)
        for at, (each, item) in enumerate(zip(inner, plain, strict=True))
    )


def _decode_mapping(
    arguments: tuple[object, ...], plain: object, name: str, faults: list[Fault]
) -> object:
    if not isinstance(plain, Mapping):
        faults.append(fault(name, plain, "needs an object"))
        return MappingProxyType({})
    inner = arguments[1] if len(arguments) == 2 else JsonValue
    return MappingProxyType(
        {key: _decode_as(inner, each, f"{name}.{key}", faults) for key, each in plain.items()}
    )


def _array_arguments(origin: object, arguments: tuple[object, ...]) -> tuple[object, ...]:
    return arguments if origin is tuple else (*arguments, Ellipsis)


def _inner_hints(arguments: tuple[object, ...], length: int) -> tuple[object, ...]:
    if arguments and arguments[-1] is Ellipsis:
        return (arguments[0],) * length
    return arguments


def _present(arguments: tuple[object, ...]) -> object:
    # A union in the model is always `X | None`, but for a tuple that may be given as an array: what
    # is written is the tuple. JsonValue is left as plain values.
    present = [each for each in arguments if each not in (type(None), NumberRow)]
    return present[0] if len(present) == 1 else JsonValue


def _frozen(plain: object, name: str, faults: list[Fault]) -> object:
    match plain:
        case Mapping():
            return MappingProxyType(
                {key: _frozen(each, f"{name}.{key}", faults) for key, each in plain.items()}
            )
        case list() | tuple():
            return tuple(_frozen(each, f"{name}[{at}]", faults) for at, each in enumerate(plain))
        case float():
            return _decode_float(plain, name, faults)
        case _:
            return plain


def _built(hint: type, values: Mapping[str, object], prefix: str, faults: list[Fault]) -> object:
    try:
        return hint(**values)
    except ValidationError as error:
        faults.extend(replace(each, field=prefix + each.field) for each in error.faults)
    return None


def _guarded(build: Callable[[], object], faults: list[Fault], name: str) -> object:
    try:
        return build()
    except ValidationError as error:
        faults.extend(error.faults)
    except ValueError:
        faults.append(fault(name, "…", "has another form"))
    return None


def _refuse_constant(name: str) -> object:
    raise ValueError(name)
