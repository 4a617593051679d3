"""Reading drafts: untyped fields of a caller become one valid `Draft`, or all their faults at once.

Decides which fields exist and how each is read. Refuses unknown fields and to fill in anything that
the policy or the clock should say.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import TypedDict

from lapse.errors import Fault, ValidationError, at_position, fault, raise_all
from lapse.model.instants import InstantLike, parse_instant
from lapse.model.memory import Draft, JsonValue, Kind, Role, json_faults, parse_kind
from lapse.text.normalise import clean


class RevisionFields(TypedDict, total=False):
    """Fields that `update` may change; they mean what they mean in `Draft`."""

    text: str
    kind: Kind | str
    key: str | None
    value: str | None
    multi: bool
    subject: str | None
    entities: Iterable[str]
    session: str | None
    role: Role | str | None
    source: str | None
    tags: Iterable[str]
    metadata: Mapping[str, JsonValue]
    occurred_at: InstantLike | None
    valid_from: InstantLike | None
    valid_to: InstantLike | None
    confidence: float
    proof_count: int
    expires_at: InstantLike | None
    derived_from: Iterable[str]


class DraftFields(TypedDict, total=False):
    """Everything that can be said of a memory besides its text; see `Draft` for the meanings.

    `exempt` is the reason why the memory must not fade (`exempt_reason` in a draft).
    """

    id: str | None
    kind: Kind | str | None
    key: str | None
    value: str | None
    multi: bool
    subject: str | None
    entities: Iterable[str]
    session: str | None
    role: Role | str | None
    source: str | None
    tags: Iterable[str]
    metadata: Mapping[str, JsonValue] | None
    created_at: InstantLike | None
    occurred_at: InstantLike | None
    valid_from: InstantLike | None
    valid_to: InstantLike | None
    importance: float | None
    confidence: float | None
    proof_count: int
    expires_at: InstantLike | None
    pinned: bool
    exempt: str | None
    audit_evidence: bool
    derived_from: Iterable[str]


class CorrectionFields(TypedDict, total=False):
    """What can be said of a memory that takes the place of another; as in `Draft`.

    What is left out comes from the memory it replaces: kind, subject and tags.
    """

    id: str | None
    kind: Kind | str | None
    value: str | None
    subject: str | None
    entities: Iterable[str]
    session: str | None
    role: Role | str | None
    source: str | None
    tags: Iterable[str]
    metadata: Mapping[str, JsonValue] | None
    created_at: InstantLike | None
    occurred_at: InstantLike | None
    valid_from: InstantLike | None
    valid_to: InstantLike | None
    importance: float | None
    confidence: float | None


FIELDS: frozenset[str] = frozenset({"text", *DraftFields.__annotations__})
"""Names a caller may use."""

_INSTANTS = ("created_at", "occurred_at", "valid_from", "valid_to", "expires_at")
_NAMES = ("id", "key", "value", "subject", "session", "source", "exempt_reason")
_LISTS = ("tags", "entities", "derived_from")


def read_draft(given: Mapping[str, object], max_text_bytes: int) -> Draft:
    """Read one draft from named fields. A field that is None counts as left out.

    Raises:
        ValidationError: Unknown fields, wrong types, values out of range; all of them at once.
    """
    present = {name: value for name, value in given.items() if value is not None}
    faults = [
        fault(name, "…", f"unknown field; known are {', '.join(sorted(FIELDS))}")
        for name in present
        if name not in FIELDS
    ]
    read = {name: value for name, value in present.items() if name in FIELDS}
    if "exempt" in read:
        read["exempt_reason"] = read.pop("exempt")
    _read_each(read, faults, max_text_bytes)
    return _built(read, faults)


def read_drafts(given: Iterable[object], max_text_bytes: int) -> list[Draft]:
    """Read many drafts.

    Raises:
        ValidationError: Faults by position, such as `[3].importance`; all at once.
    """
    drafts: list[Draft] = []
    faults: list[Fault] = []
    for at, each in enumerate(as_items("drafts", given)):
        if not isinstance(each, Mapping):
            faults.append(fault(f"[{at}]", type(each).__name__, "needs an object"))
            continue
        try:
            drafts.append(read_draft(each, max_text_bytes))
        except ValidationError as error:
            faults.extend(at_position(at, error))
    if faults:
        raise ValidationError(faults)
    return drafts


def as_items(name: str, given: object) -> Iterable[object]:
    """Several of anything; the fault shows none of it.

    Raises:
        ValidationError: It is a single one, or nothing.
    """
    if isinstance(given, str | bytes | Mapping) or not isinstance(given, Iterable):
        raise ValidationError.of(name, type(given).__name__, "needs a list of objects")
    return given


def freeze(value: JsonValue) -> JsonValue:
    """Copy a JSON value into mappings and tuples that nobody can change."""
    match value:
        case Mapping():
            return MappingProxyType({key: freeze(each) for key, each in value.items()})
        case list() | tuple():
            return tuple(freeze(each) for each in value)
        case _:
            return value


def _read_each(read: dict[str, object], faults: list[Fault], max_text_bytes: int) -> None:
    if not isinstance(read.get("text"), str):
        faults.append(fault("text", type(read.pop("text", None)).__name__, "needs text"))
    else:
        _replace(read, "text", lambda value: clean(value, "text", max_text_bytes), faults)
    for name, reader in _READERS.items():
        if name in read:
            _replace(read, name, reader, faults)
    _check_names(read, faults)
    _check_numbers(read, faults)


def _replace(
    read: dict[str, object], name: str, reader: Callable[[object], object], faults: list[Fault]
) -> None:
    try:
        read[name] = reader(read[name])
    except ValidationError as error:
        faults.extend(error.faults)
        read.pop(name, None)


def _names(name: str, value: object) -> tuple[str, ...]:
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise ValidationError.of(name, value, "needs a list of texts")
    listed = tuple(value)
    if not all(isinstance(each, str) for each in listed):
        raise ValidationError.of(name, listed, "needs a list of texts")
    return tuple(dict.fromkeys(listed))


def _role(value: object) -> Role:
    if isinstance(value, str) and value in set(Role):
        return Role(value)
    raise ValidationError.of("role", value, f"needs one of {', '.join(Role)}")


def _metadata(value: object) -> JsonValue:
    if not isinstance(value, Mapping):
        raise ValidationError.of("metadata", type(value).__name__, "needs an object")
    raise_all(json_faults("metadata", value))
    return freeze(value)


def _check_names(read: dict[str, object], faults: list[Fault]) -> None:
    wrong = [name for name in _NAMES if not isinstance(read.get(name, ""), str)]
    faults.extend(fault(name, read.pop(name), "needs text") for name in wrong)
    if "key" in wrong:
        # Its value would be blamed for having no key.
        read.pop("value", None)
        if read.get("multi") is True:
            read.pop("multi")


def _check_numbers(read: dict[str, object], faults: list[Fault]) -> None:
    for name in ("importance", "confidence"):
        value = read.get(name, 0.0)
        if isinstance(value, bool) or not isinstance(value, int | float):
            faults.append(fault(name, read.pop(name), "needs a number from 0 to 1"))
    proof = read.get("proof_count", 1)
    if isinstance(proof, bool) or not isinstance(proof, int):
        faults.append(fault("proof_count", read.pop("proof_count"), "needs an integer from 1"))
    faults.extend(
        fault(name, read.pop(name), "needs true or false")
        for name in ("multi", "pinned", "audit_evidence")
        if not isinstance(read.get(name, False), bool)
    )


def _built(read: dict[str, object], faults: list[Fault]) -> Draft:
    try:
        # A stand-in for a missing text lets Draft find what else is wrong.
        draft = Draft(**{"text": "-", **read})  # type: ignore[arg-type]  # types were read above
    except ValidationError as error:
        faults = [*faults, *error.faults]
    if faults:
        raise ValidationError(map(_as_written, faults))
    return draft


def _as_written(told: Fault) -> Fault:
    return replace(told, field="exempt") if told.field == "exempt_reason" else told


_READERS: Mapping[str, Callable[[object], object]] = MappingProxyType(
    {
        "kind": parse_kind,
        "role": _role,
        "metadata": _metadata,
        **{name: partial(parse_instant, field=name) for name in _INSTANTS},
        **{name: partial(_names, name) for name in _LISTS},
    }
)
