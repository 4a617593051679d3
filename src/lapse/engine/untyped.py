"""Single values that a caller gave without a type.

Decides what counts as a list, a text, a number, an object. Refuses to know what they are for.
"""

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import TypeVar

from lapse.errors import Fault, ValidationError, fault, raise_all
from lapse.intake.drafts import freeze
from lapse.model.memory import JsonValue, json_faults, line_faults, name_faults

T = TypeVar("T")


def read(reader: Callable[[object], T], value: object, faults: list[Fault]) -> T | None:
    """What the reader makes of a value; None, with the faults collected, when it refuses it."""
    try:
        return reader(value)
    except ValidationError as error:
        faults.extend(error.faults)
    return None


def require(name: str, value: object, methods: tuple[str, ...], problem: str) -> None:
    """Make sure that something can do what will be asked of it.

    Raises:
        ValidationError: It lacks one of the methods.
    """
    if not all(callable(getattr(value, each, None)) for each in methods):
        raise ValidationError.of(name, type(value).__name__, problem)


def as_tuple(name: str, value: object) -> tuple[object, ...]:
    """A list of anything. A text is none: its characters were not meant.

    Raises:
        ValidationError: It is no list.
    """
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise ValidationError.of(name, value, "needs a list")
    return tuple(value)


def as_texts(name: str, value: object) -> tuple[str, ...]:
    """A list of texts.

    Raises:
        ValidationError: It is no list, or holds something else.
    """
    return tuple(as_text(name, each) for each in as_tuple(name, value))


def as_text(name: str, value: object) -> str:
    """A text.

    Raises:
        ValidationError: It is none.
    """
    if not isinstance(value, str):
        raise ValidationError.of(name, value, "needs text")
    return value


def as_name(name: str, value: object) -> str:
    """A name, such as an id.

    Raises:
        ValidationError: It is no text of 1 to 255 characters, blank, or cannot be kept.
    """
    raise_all(name_faults(name, value))
    return as_text(name, value)


def as_names(name: str, value: object) -> tuple[str, ...]:
    """Names without repeats, in order.

    Raises:
        ValidationError: It is no list, or some are no names; all of them, by position.
    """
    listed = as_tuple(name, value)
    raise_all(one for at, each in enumerate(listed) for one in name_faults(f"{name}[{at}]", each))
    return tuple(dict.fromkeys(as_text(name, each) for each in listed))


def as_given(name: str, value: object, otherwise: T) -> T:
    """A value of the same class as `otherwise`, which stands in for None.

    Raises:
        ValidationError: It is of another class.
    """
    if value is None:
        return otherwise
    wanted = type(otherwise)
    if not isinstance(value, wanted):
        raise ValidationError.of(name, value, f"needs a value of {wanted.__name__}")
    return value


def as_number(name: str, value: object) -> float:
    """A number. True and false are none.

    Raises:
        ValidationError: It is none.
    """
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValidationError.of(name, value, "needs a number")
    return value


def as_count(name: str, value: object, *, least: int = 1) -> int:
    """An integer from 1, or from `least`. True is none.

    Raises:
        ValidationError: It is none.
    """
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise ValidationError.of(name, value, f"needs an integer from {least}")
    return value


def as_metadata(value: object) -> Mapping[str, JsonValue]:
    """A plain JSON object, copied into what nobody can change.

    Raises:
        ValidationError: It is none.
    """
    if not isinstance(value, Mapping):
        raise ValidationError.of("metadata", type(value).__name__, "needs an object")
    raise_all(json_faults("metadata", value))
    return MappingProxyType({key: freeze(each) for key, each in value.items()})


def check_actor(by: object, reason: object = None, approved_by: object = None) -> None:
    """Make sure that who acts, why, and who else stands for it, can be journalled.

    Raises:
        ValidationError: A name or reason that is blank or cannot be kept.
    """
    faults = list(name_faults("by", by))
    if isinstance(reason, str):
        faults.extend(line_faults("reason", reason))
    elif reason is not None:
        faults.append(fault("reason", reason, "needs text"))
    if approved_by is not None:
        faults.extend(name_faults("approved_by", approved_by))
    raise_all(faults)
