"""The fields of a request, in a form that every face can offer.

A request is a frozen dataclass. A field whose type is a `TypedDict` stands for the fields of that
dictionary: callers give them beside the others, so that the names and types the bank takes are
written once.

Decides how a type becomes a kind of field, and how named values become a request. Refuses to check
what the bank checks (ranges, kinds, instants in drafts): it would have to know the rules twice.
"""

import dataclasses
import types
import typing
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import Enum, StrEnum
from functools import cache
from typing import TypeVar

from lapse.errors import Fault, ValidationError, fault
from lapse.faces.operations.field_help import HELP
from lapse.model.instants import parse_instant
from lapse.model.memory import JsonValue

T = TypeVar("T")

_METADATA = "lapse.asked"

# A JSON value is defined by itself, so its name is looked up where it is used.
_FORWARD: dict[str, object] = {"JsonValue": JsonValue, "Mapping": Mapping, "Sequence": Sequence}


class FieldType(StrEnum):
    """How a field's value is written."""

    TEXT = "text"
    INTEGER = "integer"
    NUMBER = "number"
    BOOLEAN = "boolean"
    INSTANT = "instant"
    CHOICE = "choice"
    TEXTS = "list of texts"
    CHOICES = "list of choices"
    NUMBERS = "list of numbers"
    OBJECT = "object"
    ITEMS = "list of objects"


class From(StrEnum):
    """Where a face takes a field from, where it has the choice."""

    POSITION = "position"
    """It is what the operation is about: a command's argument, a body, the first parameter."""
    NAME = "name"
    """A named option."""
    PLACE = "place"
    """It says where: the tenant and bank that a face knows already."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What a request says of one of its own fields."""

    help: str
    source: From = From.NAME


class Null(StrEnum):
    """What null means in a dictionary of fields."""

    LEFT_OUT = "left out"
    EMPTIES = "empties"


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One field that callers give.

    Attributes:
        name: Its name in every face.
        type: How its value is written.
        choices: Values of a choice; other systems' names for them may be taken too.
        required: Whether it has to be given.
        null_counts: Whether null says something else than leaving it out.
        default: Value when it is left out, where that says something.
        help: What it means, with unit and range.
        source: Where a face takes it from.
        group: The dictionary it belongs to, such as `fields`, or empty for the request itself.
    """

    name: str
    type: FieldType
    choices: tuple[str, ...]
    required: bool
    null_counts: bool
    default: object
    help: str
    source: From
    group: str


def asked(
    help: str,  # noqa: A002 - the word for it
    *,
    source: From = From.NAME,
) -> Mapping[str, Asked]:
    """Metadata of a field of a request: `field(metadata=asked("…"))`."""
    return {_METADATA: Asked(help=help, source=source)}


LARGEST = 2**63 - 1
"""Largest whole number, with either sign: no store holds a larger one."""

_EMPTIABLE = frozenset({FieldType.TEXTS, FieldType.OBJECT})


def null_empties() -> Mapping[str, Null]:
    """Metadata of a dictionary of fields in which null empties a field."""
    return {_METADATA: Null.EMPTIES}


def fields_of(request: type) -> tuple[Field, ...]:
    """Fields of a request in the order in which they are declared."""
    # through `type`, because a class whose instances hash is not seen as hashable itself
    plain: type = request
    return _fields_of(plain)


def read_request(request: type[T], given: Mapping[str, object]) -> T:
    """Make a request of named values.

    Raises:
        ValidationError: Unknown, missing or misshapen fields; all of them at once.
    """
    known = {each.name: each for each in fields_of(request)}
    faults = [
        fault(name, "…", f"unknown field; known are {', '.join(known)}")
        for name in given
        if name not in known
    ]
    faults += [
        fault(name, None, "is required")
        for name, each in known.items()
        if each.required and given.get(name) is None and not (each.null_counts and name in given)
    ]
    own: dict[str, object] = {}
    grouped: dict[str, dict[str, object]] = {}
    for name, each in known.items():
        if name not in given:
            continue
        if each.group:
            grouped.setdefault(each.group, {})[name] = given[name]
        elif given[name] is not None or each.null_counts:
            own[name] = _read(each, given[name], faults)
    if faults:
        raise ValidationError(faults)
    return request(**own, **grouped)


@cache
def _fields_of(request: type) -> tuple[Field, ...]:
    return tuple(_walk(request))


def _walk(request: type) -> Iterator[Field]:
    hints = typing.get_type_hints(request, localns=_FORWARD)
    for each in dataclasses.fields(request):
        hint = hints[each.name]
        if typing.is_typeddict(hint):
            yield from _inner(each, hint)
            continue
        about: Asked = each.metadata[_METADATA]
        required = (
            each.default is dataclasses.MISSING and each.default_factory is dataclasses.MISSING
        )
        default = None if each.default is dataclasses.MISSING else each.default
        yield dataclasses.replace(
            _field(each.name, hint, about),
            required=required,
            null_counts=required and type(None) in _members(hint),
            default=default,
        )


def _inner(outer: "dataclasses.Field[object]", dictionary: type) -> Iterator[Field]:
    """The fields of a dictionary, which stands in the request as `outer`."""
    null = outer.metadata.get(_METADATA, Null.LEFT_OUT)
    for name, hint in typing.get_type_hints(dictionary, localns=_FORWARD).items():
        found = _field(name, hint, Asked(help=HELP[dictionary.__name__][name]))
        may_be_empty = type(None) in _members(hint) or found.type in _EMPTIABLE
        empties = null is Null.EMPTIES and may_be_empty
        yield dataclasses.replace(found, group=outer.name, null_counts=empties)


def _field(name: str, hint: object, about: Asked) -> Field:
    kind, choices = _type_of(_members(hint))
    return Field(
        name=name,
        type=kind,
        choices=choices,
        required=False,
        null_counts=False,
        default=None,
        help=about.help,
        source=about.source,
        group="",
    )


def _members(hint: object) -> tuple[object, ...]:
    if typing.get_origin(hint) in (typing.Union, types.UnionType):
        return typing.get_args(hint)
    return (hint,)


def _type_of(members: tuple[object, ...]) -> tuple[FieldType, tuple[str, ...]]:
    """The kind of field of a union, and its choices."""
    if datetime in members:
        return FieldType.INSTANT, ()
    for each in members:
        if isinstance(each, type) and issubclass(each, Enum):
            return FieldType.CHOICE, tuple(str(one.value) for one in each)
    hint = next(each for each in members if each is not type(None))
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin is not None and issubclass(origin, Mapping):
        return FieldType.OBJECT, ()
    if origin is not None and issubclass(origin, Iterable):
        return _list_type_of(arguments[0])
    plain = {
        str: FieldType.TEXT,
        bool: FieldType.BOOLEAN,
        int: FieldType.INTEGER,
        float: FieldType.NUMBER,
    }
    for known, kind in plain.items():
        if hint is known:
            return kind, ()
    raise TypeError(f"a field of a request cannot be of type {hint!r}")


def _list_type_of(item: object) -> tuple[FieldType, tuple[str, ...]]:
    kind, choices = _type_of(_members(item))
    lists = {
        FieldType.TEXT: FieldType.TEXTS,
        FieldType.NUMBER: FieldType.NUMBERS,
        FieldType.CHOICE: FieldType.CHOICES,
        FieldType.OBJECT: FieldType.ITEMS,
    }
    return lists[kind], choices


def _read(each: Field, value: object, faults: list[Fault]) -> object:
    """Check the shape of a field of the request itself; the bank reads the grouped ones."""
    if value is None:
        return None
    match each.type:
        case FieldType.INSTANT:
            return _instant(each.name, value, faults)
        case FieldType.TEXTS | FieldType.CHOICES:
            return _listed(each, value, str, "needs a list of texts", faults)
        case FieldType.NUMBERS:
            return _listed(each, value, (int, float), "needs a list of numbers", faults)
        case FieldType.ITEMS:
            # The bank says by position what is wrong with members, all of it at once.
            return _listed(each, value, object, "needs a list of objects", faults)
        case _:
            wanted, problem = _SHAPES[each.type]
    fits = isinstance(value, wanted) and (each.type is FieldType.BOOLEAN) == isinstance(value, bool)
    if not fits:
        shown = value if isinstance(value, bool | int | float | str) else type(value).__name__
        faults.append(fault(each.name, shown, problem))
    elif isinstance(value, int) and abs(value) > LARGEST:
        faults.append(fault(each.name, "…", f"needs a whole number up to {LARGEST}"))
    return value


_SHAPES: Mapping[FieldType, tuple[type | tuple[type, ...], str]] = types.MappingProxyType(
    {
        FieldType.TEXT: (str, "needs text"),
        FieldType.CHOICE: (str, "needs text"),
        FieldType.INTEGER: (int, "needs a whole number"),
        FieldType.NUMBER: ((int, float), "needs a number"),
        FieldType.BOOLEAN: (bool, "needs true or false"),
        FieldType.OBJECT: (Mapping, "needs an object"),
    }
)


def _instant(name: str, value: object, faults: list[Fault]) -> object:
    try:
        return parse_instant(value, name)
    except ValidationError as error:
        faults.extend(error.faults)
        return None


def _listed(
    each: Field,
    value: object,
    wanted: type | tuple[type, ...],
    problem: str,
    faults: list[Fault],
) -> tuple[object, ...]:
    if isinstance(value, str | Mapping) or not isinstance(value, Iterable):
        faults.append(fault(each.name, type(value).__name__, problem))
        return ()
    listed = tuple(value)
    # A member may be what somebody told: it is named by position and never shown.
    wrong = [at for at, one in enumerate(listed) if not isinstance(one, wanted)]
    faults.extend(fault(f"{each.name}[{at}]", type(listed[at]).__name__, problem) for at in wrong)
    if each.required and not listed:
        faults.append(fault(each.name, listed, "needs at least one"))
    return listed
