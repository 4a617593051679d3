"""What a setting is: its type, unit, range, default and one sentence.

Decides how a field of a section is declared, and what may be told about it. Refuses to read values
(`setting_values`), to know any setting by name (the sections do), or which layer wins
(`policy_layers`).
"""

import math
import re
from dataclasses import MISSING, dataclass, field, fields
from enum import StrEnum
from functools import cache
from types import NoneType, UnionType
from typing import ClassVar, TypeAlias, TypeVar, Union, assert_never, get_args, get_origin
from typing import get_type_hints as hints_of

T = TypeVar("T")

Value: TypeAlias = (
    bool
    | int
    | float
    | str
    | tuple[float, ...]
    | tuple[StrEnum, ...]
    | tuple[tuple[str, float], ...]
    | None
)
"""What a setting may hold; a member of a `StrEnum` counts as `str`."""

_METADATA = "lapse.setting"
_INTERVAL = re.compile(r"([\[(])\s*(\S+)\s*,\s*(\S+?)\s*([\])])")
MAX_TEXT = 255
"""Longest text of a setting, in characters."""


class ValueType(StrEnum):
    """How a setting's value is written and read."""

    BOOLEAN = "boolean"
    INTEGER = "integer"
    NUMBER = "number"
    TEXT = "text"
    CHOICE = "choice"
    NUMBERS = "numbers"
    CHOICES = "choices"
    NAMED_NUMBERS = "named numbers"


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """Range of a number; an open end is excluded.

    Attributes:
        low: Lower end, or -inf.
        high: Upper end, or inf.
        low_open: The lower end itself is refused.
        high_open: The upper end itself is refused.
    """

    low: float = -math.inf
    high: float = math.inf
    low_open: bool = False
    high_open: bool = False

    def __contains__(self, value: float) -> bool:
        above = value > self.low if self.low_open else value >= self.low
        below = value < self.high if self.high_open else value <= self.high
        return above and below

    def __str__(self) -> str:
        low, high = f"{self.low:.15g}", f"{self.high:.15g}"
        if math.isinf(self.low) and math.isinf(self.high):
            return "any finite"
        if math.isinf(self.high):
            return f"above {low}" if self.low_open else f"at least {low}"
        if not self.low_open and not self.high_open:
            return f"from {low} to {high}"
        start = f"above {low}" if self.low_open else f"at least {low}"
        return f"{start} and " + (f"below {high}" if self.high_open else f"at most {high}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """What a section says about one of its fields.

    Attributes:
        help: One sentence.
        unit: Unit of the number, as in the field's name; empty when dimensionless.
        within: Range of each number.
        length: Exact number of values in a list, or None.
        special: What an absent value (`none`) means; empty where absence is not allowed.
    """

    help: str
    unit: str
    within: Interval
    length: int | None
    special: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Spec:
    """A setting in its place in the tree.

    Attributes:
        path: Dotted path such as `law.decay`.
        name: The last part of the path.
        type: How its value is written.
        choices: Members of its enum; empty for other types.
        default: Value in an untouched policy.
        setting: Unit, range and sentence.
    """

    path: str
    name: str
    type: ValueType
    choices: tuple[StrEnum, ...]
    default: Value
    setting: Setting

    @property
    def unit(self) -> str:
        """Unit of the number; empty when dimensionless."""
        return self.setting.unit

    @property
    def within(self) -> Interval:
        """Range of each number."""
        return self.setting.within

    @property
    def help(self) -> str:
        """One sentence on what it does."""
        return self.setting.help

    @property
    def expected(self) -> str:
        """What a right value looks like, with range and unit, as the end of a sentence."""
        within, unit = self.setting.within, self.setting.unit
        number = f"{within}" + (f" ({unit})" if unit else "")
        match self.type:
            case ValueType.BOOLEAN:
                text = "true or false (also 1/0, yes/no, on/off)"
            case ValueType.INTEGER:
                text = f"a whole number {number}"
            case ValueType.NUMBER:
                text = f"a number {number}"
            case ValueType.TEXT:
                text = f"text of 1 to {MAX_TEXT} printable characters"
            case ValueType.CHOICE:
                text = "one of " + ", ".join(self.choices)
            case ValueType.NUMBERS:
                text = f"{self.setting.length or 'some'} numbers, each {number}"
            case ValueType.CHOICES:
                text = "a list without repeats of " + ", ".join(self.choices)
            case ValueType.NAMED_NUMBERS:
                text = f"names with a number each, {number}"
            case _:
                assert_never(self.type)
        return text + (f", or none = {self.setting.special}" if self.setting.special else "")


def setting(
    *,
    default: T,
    help: str,  # noqa: A002 - the word for it
    within: str = "(-inf, inf)",
    unit: str = "",
    length: int | None = None,
    special: str = "",
) -> T:
    """Declare a field of a section.

    Args:
        default: Value in an untouched policy.
        help: One sentence on what it does.
        within: Range in interval notation, such as `(0, 1]`; round means excluded.
        unit: Unit of the number.
        length: Exact number of values of a list.
        special: What `None` means, where the field may be `None`.
    """
    found = Setting(help=help, unit=unit, within=interval(within), length=length, special=special)
    return field(default=default, metadata={_METADATA: found})


def interval(text: str) -> Interval:
    """Read interval notation: `[0, 1)` holds 0 and not 1; ends may be `-inf` and `inf`.

    Raises:
        ValueError: The text is no interval.
    """
    found = _INTERVAL.fullmatch(text.strip())
    if found is None:
        raise ValueError(f"{text!r} is no interval; write for example [0, 1)")
    left, low, high, right = found.groups()
    return Interval(low=float(low), high=float(high), low_open=left == "(", high_open=right == ")")


class Declared:
    """A dataclass all of whose fields are made by `setting()`.

    Attributes:
        section: First part of the paths of its fields.
    """

    __slots__ = ()
    section: ClassVar[str]


def specs_of(section: type[Declared]) -> tuple[Spec, ...]:
    """Settings of a section, in the order in which they are declared."""
    # through `type`, because a class whose instances hash is not seen as hashable itself
    plain: type = section
    return _specs_of(plain)


@cache
def _specs_of(section: type[Declared]) -> tuple[Spec, ...]:
    hints = hints_of(section)
    found = []
    for each in fields(section):  # type: ignore[arg-type]  # every section is one
        declared = each.metadata.get(_METADATA)
        if not isinstance(declared, Setting) or each.default is MISSING:
            raise TypeError(f"{section.__name__}.{each.name} is not declared by setting()")
        kind, choices = _type_of(hints[each.name])
        path = f"{section.section}.{each.name}"
        found.append(
            Spec(
                path=path,
                name=each.name,
                type=kind,
                choices=choices,
                default=each.default,
                setting=declared,
            )
        )
    return tuple(found)


def _type_of(hint: object) -> tuple[ValueType, tuple[StrEnum, ...]]:
    if get_origin(hint) in (Union, UnionType):
        (hint,) = (each for each in get_args(hint) if each is not NoneType)
    if get_origin(hint) is tuple:
        return _list_type_of(get_args(hint)[0])
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return ValueType.CHOICE, tuple(hint)
    plain = {
        bool: ValueType.BOOLEAN,
        int: ValueType.INTEGER,
        float: ValueType.NUMBER,
        str: ValueType.TEXT,
    }
    for known, kind in plain.items():
        if hint is known:
            return kind, ()
    raise TypeError(f"a setting cannot be of type {hint!r}")


def _list_type_of(item: object) -> tuple[ValueType, tuple[StrEnum, ...]]:
    if isinstance(item, type) and issubclass(item, StrEnum):
        return ValueType.CHOICES, tuple(item)
    return (ValueType.NUMBERS if item is float else ValueType.NAMED_NUMBERS), ()
