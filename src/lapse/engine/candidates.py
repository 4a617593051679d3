"""Candidates of another store: untyped fields and arrays become values.

Decides how each field of a candidate is read, and that arrays are taken as they are: there may be
thousands of candidates. Refuses to check their ranges: `Candidate` does.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from types import MappingProxyType
from typing import Any  # each candidate field has a type of its own, checked by its reader

import numpy as np
from numpy.typing import NDArray

from lapse.embed.pooling import unit_rows
from lapse.engine.untyped import as_metadata, as_number, as_text, as_texts, as_tuple, read
from lapse.errors import Fault, ValidationError, at_position, fault
from lapse.intake.drafts import as_items
from lapse.model.instants import parse_instant
from lapse.model.memory import parse_kind
from lapse.model.query import Candidate

_INSTANTS = ("created_at", "occurred_at", "expires_at", "valid_from", "valid_to")
_TEXTS = ("id", "text", "key", "value", "session", "subject")


def read_candidates(given: Iterable[object]) -> list[Candidate]:
    """Candidates of another store, in order.

    Raises:
        ValidationError: Faults by position; a repeated id is one.
    """
    candidates: list[Candidate] = []
    faults: list[Fault] = []
    seen: set[str] = set()
    for at, each in enumerate(as_items("candidates", given)):
        try:
            candidate = each if isinstance(each, Candidate) else _candidate(each)
        except ValidationError as error:
            faults.extend(at_position(at, error))
            continue
        if candidate.id in seen:
            faults.append(fault(f"[{at}].id", candidate.id, "is repeated"))
        seen.add(candidate.id)
        candidates.append(candidate)
    if faults:
        raise ValidationError(faults)
    return candidates


def read_query_vector(given: object) -> NDArray[np.float32] | None:
    """The query's vector in another store's space, at unit length; None for none.

    Raises:
        ValidationError: Anything but a list of finite numbers.
    """
    if given is None:
        return None
    numbers = _vector("query_vector", given)
    if not np.isfinite(numbers).all():
        raise ValidationError.of("query_vector", "…", "needs finite numbers")
    # In float64: another store's numbers may be beyond what float32 holds.
    return unit_rows(numbers.astype(np.float64).reshape(1, -1)).reshape(-1)


def _candidate(given: object) -> Candidate:
    if not isinstance(given, Mapping):
        raise ValidationError.of("", type(given).__name__, "needs an object")
    faults: list[Fault] = []
    found: dict[str, Any] = {}  # each value by its own field's reader
    for name, value in given.items():
        reader = _READERS.get(name)
        if reader is None:
            known = ", ".join(sorted(_READERS))
            faults.append(fault(name, "…", f"unknown field; known are {known}"))
        elif value is not None:
            found[name] = read(reader, value, faults)
    needed = [name for name in ("id", "text") if name not in found]
    faults += [fault(name, None, "is required and must be text") for name in needed]
    if faults:
        raise ValidationError(faults)
    return Candidate(**found)


def _number(name: str, value: object) -> float:
    if isinstance(value, float):
        return value
    return as_number(name, value.item() if isinstance(value, np.number) else value)


def _vector(name: str, value: object) -> NDArray[np.floating]:
    try:
        row = np.asarray(value if isinstance(value, np.ndarray) else as_tuple(name, value))
    except ValueError:
        raise ValidationError.of(name, "…", "needs a list of numbers") from None
    if row.ndim != 1 or row.dtype.kind not in "fiu":
        raise ValidationError.of(name, "…", "needs a list of numbers")
    return row if row.dtype.kind == "f" else row.astype(np.float64)


_READERS: Mapping[str, Callable[[object], object]] = MappingProxyType(
    {
        "kind": parse_kind,
        "tags": partial(as_texts, "tags"),
        "vector": partial(_vector, "vector"),
        "metadata": as_metadata,
        **{name: partial(parse_instant, field=name) for name in _INSTANTS},
        **{name: partial(_number, name) for name in ("score", "importance")},
        **{name: partial(as_text, name) for name in _TEXTS},
    }
)
