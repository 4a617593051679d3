"""Writers of values, made once for each type: a value in the form that `codec` describes.

Decides how what is declared and what is there are written. Refuses to make text of it. An answer to
a question holds thousands of numbers: asking each for its type's parts took longer than the recall.
"""

import dataclasses
import math
import types
import typing
from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from functools import cache
from operator import attrgetter

from lapse.errors import ValidationError
from lapse.model.instants import Instant, to_iso
from lapse.model.query import NumberRow
from lapse.model.shapes import ARRAYS, array_arguments, hints_of, parts_of, present_in, told_by

Plain: typing.TypeAlias = "bool | int | float | str | list[Plain] | dict[str, Plain] | None"

_SIMPLE: typing.Final = frozenset({str, int, bool, str | None, int | None, bool | None})
"""Declared types of what is written as it is."""
_AS_THEY_ARE: typing.Final = frozenset({str, int, bool, type(None)})
_REALS: typing.Final = frozenset({float, float | None})
_FLOATS: typing.Final = frozenset({float})

Writer = Callable[[object, str], Plain]
"""Writes a value; the name is that of the field, for whoever has to be told that it cannot be."""


def plain(value: object, name: str) -> Plain:
    """A value by what it is.

    Raises:
        ValidationError: It holds NaN, an infinity, or a type that has no JSON form.
    """
    if value is None or (isinstance(value, str | int) and not isinstance(value, Enum)):
        return value
    return _writer_of(type(value))(value, name)  # type: ignore[arg-type] # mypy: a type is Hashable


@cache
def _writer_of(kind: type) -> Writer:
    """How values of a class are written."""
    if issubclass(kind, Enum):
        return _member
    if issubclass(kind, float):
        return _number
    if issubclass(kind, bytes):
        return _hexadecimal
    if issubclass(kind, Mapping):
        return _mapping
    if issubclass(kind, tuple | list):
        return _array
    if dataclasses.is_dataclass(kind):
        return _fields_writer(kind)
    return _row if issubclass(kind, NumberRow) else _refuse


def _fields_writer(kind: type) -> Writer:
    # Fields of one kind are taken together: a value of forty fields is written by a few calls.
    declared = hints_of(kind)
    reals = _Together.of([name for name, hint in declared.items() if hint in _REALS])
    simple = _Together.of([name for name, hint in declared.items() if hint in _SIMPLE])
    apart = frozenset(declared) - {*reals.names, *simple.names}
    writers = tuple((name, _declared(declared[name])) for name in declared if name in apart)
    told = told_by(kind)
    in_order = (*declared, *told)

    def write(value: object, _name: str) -> Plain:
        own: dict[str, Plain] = dict.fromkeys(in_order)
        own.update(zip(reals.names, _reals(reals, value), strict=True))
        own.update(zip(simple.names, _simple(simple, value), strict=True))
        for name, writer in writers:
            own[name] = writer(getattr(value, name), name)
        for name in told:
            own[name] = plain(getattr(value, name), name)
        return own

    return write


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class _Together:
    """Fields that are read by one call."""

    names: tuple[str, ...]
    read: Callable[[object], tuple[object, ...]]

    @staticmethod
    def of(names: Sequence[str]) -> "_Together":
        if len(names) > 1:
            return _Together(names=tuple(names), read=attrgetter(*names))
        return _Together(
            names=tuple(names), read=lambda value: tuple(getattr(value, each) for each in names)
        )


def _reals(fields: _Together, value: object) -> Sequence[Plain]:
    """Fields that hold real numbers, or nothing."""
    found = fields.read(value)
    if _FLOATS.issuperset(map(type, found)):
        # The line before looked at the type of each.
        numbers = [each + 0.0 for each in typing.cast(tuple[float, ...], found)]
        if all(map(math.isfinite, numbers)):
            return numbers
    return [
        None if each is None else _real(each, name)
        for each, name in zip(found, fields.names, strict=True)
    ]


def _simple(fields: _Together, value: object) -> Sequence[Plain]:
    """Fields whose values are written as they are, or nothing."""
    found = fields.read(value)
    if _AS_THEY_ARE.issuperset(map(type, found)):
        # As above.
        return typing.cast(tuple[Plain, ...], found)
    return [plain(each, name) for each, name in zip(found, fields.names, strict=True)]


@cache
def _declared(hint: object) -> Writer:
    """How a field of a declared type is written."""
    if hint is Instant:
        return _instant
    if hint is float:
        return _real
    origin, arguments = parts_of(hint)
    if origin in (typing.Union, types.UnionType):
        return _declared(present_in(arguments))
    if origin in ARRAYS:
        return _array_writer(array_arguments(origin, arguments))
    return plain


def _array_writer(arguments: tuple[object, ...]) -> Writer:
    repeated = bool(arguments) and arguments[-1] is Ellipsis
    writers = tuple(_declared(each) for each in (arguments[:1] if repeated else arguments))

    def write(value: object, name: str) -> Plain:
        if not isinstance(value, Sequence):
            return plain(value, name)
        if repeated:
            return [writers[0](each, name) for each in value]
        return [writer(each, name) for writer, each in zip(writers, value, strict=True)]

    return write


def _instant(value: object, name: str) -> Plain:
    return to_iso(Instant(value)) if isinstance(value, int) else plain(value, name)


def _real(value: object, name: str) -> Plain:
    # Equal values have one text: 1 is written as 1.0, and no zero has a sign.
    return (
        _number(float(value) + 0.0, name) if isinstance(value, int | float) else plain(value, name)
    )


def _number(value: object, name: str) -> Plain:
    assert isinstance(value, float)  # noqa: S101 - the writer was chosen by that
    if not math.isfinite(value):
        raise ValidationError.of(name, value, "needs a finite number")
    return value


def _member(value: object, name: str) -> Plain:
    assert isinstance(value, Enum)  # noqa: S101 - as above
    return plain(value.value, name)


def _hexadecimal(value: object, _name: str) -> Plain:
    assert isinstance(value, bytes)  # noqa: S101 - as above
    return value.hex()


def _mapping(value: object, name: str) -> Plain:
    assert isinstance(value, Mapping)  # noqa: S101 - as above
    found: dict[str, Plain] = {}
    for key, each in value.items():
        if not isinstance(key, str):
            raise ValidationError.of(name, key, "needs text keys")
        found[key] = plain(each, f"{name}.{key}")
    return found


def _array(value: object, name: str) -> Plain:
    assert isinstance(value, Sequence)  # noqa: S101 - as above
    return [plain(each, name) for each in value]


def _row(value: object, name: str) -> Plain:
    assert isinstance(value, NumberRow)  # noqa: S101 - as above
    numbers = value.tolist()
    if all(map(math.isfinite, numbers)):
        return [each + 0.0 for each in numbers]
    return [_real(each, name) for each in numbers]


def _refuse(value: object, name: str) -> Plain:
    raise ValidationError.of(name, type(value).__name__, "has no JSON form")
