"""How a value that somebody wrote becomes the value of a setting.

Decides how values from the environment, TOML, JSON and the command line are read, which are refused
and with what words. Refuses to know where a value came from and which layer wins
(`policy_layers`).
"""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from enum import StrEnum
from typing import assert_never

from lapse.errors import Fault, PolicyError, fault
from lapse.model.settings import MAX_TEXT, Declared, Spec, Value, ValueType, specs_of

_TRUE = frozenset({"true", "1", "yes", "on"})
_FALSE = frozenset({"false", "0", "no", "off"})
_ABSENT = frozenset({"none", "null"})
_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?", re.ASCII | re.IGNORECASE)
_INTEGER = re.compile(r"[+-]?\d{1,18}", re.ASCII)
_SHOWN = re.compile(r"[\w.,:;%=+/@-]*|[\d.,:;%=+/ -]*")
_LONGEST_SHOWN = 32
_LONGEST_NAME = 80


@dataclass(frozen=True, slots=True, kw_only=True)
class Unfit:
    """Why a value was refused."""

    problem: str


class Section(Declared):
    """Base of the policy's sections: reads and checks every field when one is made.

    Raises:
        PolicyError: Fields that no value of theirs may have, all of them, by dotted path.
    """

    __slots__ = ()

    def __post_init__(self) -> None:
        faults: list[Fault] = []
        for spec in specs_of(type(self)):
            given: object = getattr(self, spec.name)
            value = read(spec, given)
            if isinstance(value, Unfit):
                faults.append(refused(spec.path, given, value.problem))
            else:
                object.__setattr__(self, spec.name, value)
        if faults:
            raise PolicyError(faults)


def is_blank(raw: object) -> bool:
    """Whether a value is blank text, which means "not set here"."""
    return isinstance(raw, str) and not raw.strip()


def refused(field: str, raw: object, problem: str) -> Fault:
    """Describe a value that is not taken. What may be a sentence is told by its length alone.

    A policy may come from anywhere, and its errors go into logs: what somebody wrote in the wrong
    place is not repeated there.
    """
    if _is_shown(raw):
        return fault(field, raw, problem)
    size = f" of {len(raw)}" if isinstance(raw, str | Mapping | list | tuple) else ""
    named = "text" if isinstance(raw, str) else type(raw).__name__
    return Fault(field=field, value=f"{named}{size}", problem=problem)


def shown_name(name: str) -> str:
    """A setting's name as somebody wrote it; its length alone where it is no name."""
    plain = len(name) <= _LONGEST_NAME and all(each.isalnum() or each in "_.-" for each in name)
    return name if plain else f"a name of {len(name)} characters"


def _is_shown(raw: object) -> bool:
    try:
        return _is_plain(raw)
    except RecursionError:  # what holds itself, or is nested a thousand levels deep
        return False


def _is_plain(raw: object) -> bool:
    match raw:
        case str():
            return len(raw) <= _LONGEST_SHOWN and _SHOWN.fullmatch(raw.strip()) is not None
        case Mapping():
            return all(_is_plain(name) and _is_plain(each) for name, each in raw.items())
        case list() | tuple() | set() | frozenset():
            return all(_is_plain(each) for each in raw)
        case _:
            return raw is None or isinstance(raw, bool | int | float)


def nearest(name: str, known: tuple[str, ...]) -> str:
    """The end of a sentence that proposes the known name closest to `name`; empty when none is."""
    close = get_close_matches(name.lower(), known, n=1, cutoff=0.6)
    return f"; did you mean {close[0]}?" if close else ""


def read(spec: Spec, raw: object) -> Value | Unfit:
    """Turn a value that somebody wrote, typed or as text, into the value of a setting.

    Blank text is refused here: a layer leaves it out before it asks.
    """
    if raw is None or (isinstance(raw, str) and _is_absent(spec, raw)):
        return None if spec.setting.special else _unfit(spec, "nothing is no value here")
    match spec.type:
        case ValueType.BOOLEAN:
            return _boolean(spec, raw)
        case ValueType.INTEGER:
            return _integer(spec, raw)
        case ValueType.NUMBER:
            return _number(spec, raw)
        case ValueType.TEXT:
            return _text(spec, raw)
        case ValueType.CHOICE:
            return _choice(spec, raw)
        case ValueType.NUMBERS:
            return _numbers(spec, raw)
        case ValueType.CHOICES:
            return _choices(spec, raw)
        case ValueType.NAMED_NUMBERS:
            return _named_numbers(spec, raw)
        case _:
            assert_never(spec.type)


def _is_absent(spec: Spec, raw: str) -> bool:
    word = raw.strip().lower()
    return bool(spec.setting.special) and word in _ABSENT and word not in spec.choices


def _unfit(spec: Spec, why: str = "") -> Unfit:
    return Unfit(problem=(f"{why}; " if why else "") + f"needs {spec.expected}")


def _boolean(spec: Spec, raw: object) -> Value | Unfit:
    if isinstance(raw, bool):
        return raw
    word = str(raw).strip().lower() if isinstance(raw, str | int) else ""
    if word in _TRUE:
        return True
    return False if word in _FALSE else _unfit(spec)


def _integer(spec: Spec, raw: object) -> Value | Unfit:
    if isinstance(raw, str):
        found = _INTEGER.fullmatch(raw.strip())
        if found is None:
            return _unfit(spec, _written(raw))
        raw = int(found.group())
    if isinstance(raw, bool) or not isinstance(raw, int):
        return _unfit(spec)
    return int(raw) if raw in spec.setting.within else _unfit(spec)


def _number(spec: Spec, raw: object) -> float | Unfit:
    if isinstance(raw, str):
        if not _NUMBER.fullmatch(raw.strip()):
            return _unfit(spec, _written(raw))
        raw = float(raw)
    if isinstance(raw, bool) or not isinstance(raw, int | float):
        return _unfit(spec)
    try:
        value = float(raw)
    except OverflowError:
        return _unfit(spec, "too large")
    if not math.isfinite(value):
        return _unfit(spec, "not a finite number")
    # + 0.0 turns -0.0 into 0.0, so that equal policies have equal fingerprints
    return value + 0.0 if value in spec.setting.within else _unfit(spec)


def _written(raw: str) -> str:
    return "a percentage is refused, write the share" if raw.strip().endswith("%") else ""


def _text(spec: Spec, raw: object) -> Value | Unfit:
    if not isinstance(raw, str):
        return _unfit(spec)
    value = str(raw).strip()
    return value if 0 < len(value) <= MAX_TEXT and value.isprintable() else _unfit(spec)


def _choice(spec: Spec, raw: object) -> StrEnum | Unfit:
    if isinstance(raw, str):
        word = raw.strip().lower().replace("-", "_")
        for choice in spec.choices:
            if choice.value == word:
                return choice
        return Unfit(problem=f"needs {spec.expected}{nearest(word, spec.choices)}")
    return _unfit(spec)


def _items(raw: object) -> tuple[object, ...] | None:
    if isinstance(raw, str):
        return tuple(part.strip() for part in raw.split(","))
    return tuple(raw) if isinstance(raw, list | tuple) else None


def _numbers(spec: Spec, raw: object) -> Value | Unfit:
    items = _items(raw)
    if items is None or spec.setting.length not in (None, len(items)):
        return _unfit(spec)
    values = []
    for item in items:
        value = _number(spec, item)
        if isinstance(value, Unfit):
            return value
        values.append(value)
    return tuple(values)


def _choices(spec: Spec, raw: object) -> Value | Unfit:
    items = _items(raw)
    if not items:
        return _unfit(spec)
    values = []
    for item in items:
        value = _choice(spec, item)
        if isinstance(value, Unfit):
            return value
        values.append(value)
    return tuple(values) if len(set(values)) == len(values) else _unfit(spec, "named twice")


def _named_numbers(spec: Spec, raw: object) -> Value | Unfit:
    pairs = _pairs(raw)
    if pairs is None:
        return _unfit(spec, "write name=number, …")
    values: dict[str, float] = {}
    for name, number in pairs:
        value = _number(spec, number)
        if isinstance(value, Unfit):
            return value
        if not name or name in values or not name.isprintable():
            return _unfit(spec, "blank or repeated name")
        values[name] = value
    return tuple(sorted(values.items()))


def _pairs(raw: object) -> list[tuple[str, object]] | None:
    items: list[object]
    match raw:
        case str():
            items = [part.split("=", 1) for part in raw.split(",")]
        case Mapping():
            items = list(raw.items())
        case list() | tuple():
            items = list(raw)
        case _:
            return None
    pairs: list[tuple[str, object]] = []
    for item in items:
        match item:
            case (str() as name, number):
                pairs.append((name.strip(), number))
            case _:
                return None
    return pairs
