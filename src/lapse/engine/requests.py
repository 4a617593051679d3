"""Requests: untyped arguments of a question become values.

Decides which settings a single request may lay over the policy, and under which names. Refuses to
check their values: the policy does.
"""

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from functools import partial
from types import MappingProxyType
from typing import TypedDict, TypeVar

import numpy as np
from numpy.typing import NDArray

from lapse.embed.pooling import unit_rows
from lapse.errors import Fault, ValidationError, at_position, fault, raise_all
from lapse.intake.drafts import freeze
from lapse.model.instants import parse_instant
from lapse.model.memory import JsonValue, Kind, json_faults, parse_kind
from lapse.model.policy import Mode, Scorer
from lapse.model.query import Candidate, Scope
from lapse.model.setting_values import nearest

T = TypeVar("T")


class Overrides(TypedDict, total=False):
    """What one request may lay over the policy.

    Attributes:
        k: Most hits.
        budget_words, budget_tokens: Most words or tokens of all hits together.
        max_age_hours: Inclusive age limit.
        mode: A mode below the one in force.
        scorer: boost, weighted or blend.
        weight_recency, weight_importance, weight_relevance: Weights of the scorer `weighted`.
        blend_recency_weight: Weight of recency in the scorer `blend`.
        explain: Whether exclusions are explained.
    """

    k: int
    budget_words: int
    budget_tokens: int
    max_age_hours: float
    mode: Mode | str
    scorer: Scorer | str
    weight_recency: float
    weight_importance: float
    weight_relevance: float
    blend_recency_weight: float
    explain: bool


_PATHS: Mapping[str, str] = MappingProxyType(
    {
        "k": "recall.k",
        "budget_words": "recall.budget_words",
        "budget_tokens": "recall.budget_tokens",
        "max_age_hours": "recall.max_age_hours",
        "mode": "forgetting.mode",
        "scorer": "scoring.scorer",
        "weight_recency": "scoring.weight_recency",
        "weight_importance": "scoring.weight_importance",
        "weight_relevance": "scoring.weight_relevance",
        "blend_recency_weight": "scoring.blend_recency_weight",
        "explain": "recall.explain",
    }
)

_CANDIDATE_FIELDS = frozenset(each.name for each in fields(Candidate))
_INSTANTS = ("created_at", "occurred_at", "expires_at", "valid_from", "valid_to")


RECALL_FILTERS = ("kinds", "session", "subject", "tags", "metadata", "as_of")
WHY_FILTERS = ("session", "as_of")
RANK_FILTERS = ("query_vector", "session")


def request_of(overrides: Overrides, *, beside: tuple[str, ...] = ()) -> dict[str, object]:
    """The overrides by dotted path of the setting they mean; None is left out.

    Args:
        overrides: By the names that a caller uses.
        beside: Names that the verb takes besides; one of them misspelt ends up here.

    Raises:
        ValidationError: A name that no request may use, with the ones it may.
    """
    known = (*beside, *_PATHS)
    unknown = [
        fault(name, "…", f"no such option{nearest(name, known)}; known are {', '.join(known)}")
        for name in overrides
        if name not in _PATHS
    ]
    if unknown:
        raise ValidationError(unknown)
    return {_PATHS[name]: value for name, value in overrides.items() if value is not None}


def read_scope(
    kinds: Iterable[Kind | str],
    session: str | None,
    subject: str | None,
    tags: Iterable[str],
    metadata: Mapping[str, JsonValue] | None,
) -> Scope:
    """The hard filters of a question.

    Raises:
        ValidationError: Unknown kinds, a single name in place of a list, metadata that is no plain
            JSON; all at once.
    """
    faults: list[Fault] = []
    wanted: list[Kind] = []
    for each in _read(partial(_tuple, "kinds"), kinds, faults) or ():
        kind = _read(partial(parse_kind, name="kinds"), each, faults)
        wanted.extend([] if kind is None else [kind])
    labels = _read(partial(_texts, "tags"), tags, faults)
    holds = _read(_metadata, metadata or {}, faults)
    raise_all(faults)
    return Scope(
        kinds=tuple(wanted),
        session=session,
        subject=subject,
        tags=labels or (),
        metadata=holds or {},
    )


def read_candidates(given: Iterable[object]) -> list[Candidate]:
    """Candidates of another store, in order.

    Raises:
        ValidationError: Faults by position; a repeated id is one.
    """
    candidates: list[Candidate] = []
    faults: list[Fault] = []
    seen: set[str] = set()
    for at, each in enumerate(given):
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
    if not all(map(math.isfinite, numbers)):
        raise ValidationError.of("query_vector", "…", "needs finite numbers")
    rows = unit_rows(np.array([numbers], dtype=np.float64))
    return rows.reshape(-1)


def _candidate(given: object) -> Candidate:
    if not isinstance(given, Mapping):
        raise ValidationError.of("", type(given).__name__, "needs an object")
    faults = [
        fault(name, "…", f"unknown field; known are {', '.join(sorted(_CANDIDATE_FIELDS))}")
        for name in given
        if name not in _CANDIDATE_FIELDS
    ]
    read = {name: value for name, value in given.items() if value is not None}
    faults.extend(
        fault(name, read.get(name), "is required and must be text")
        for name in ("id", "text")
        if not isinstance(read.get(name), str)
    )
    for name, reader in _READERS.items():
        if name in read:
            read[name] = _read(reader, read[name], faults)
    if faults:
        raise ValidationError(faults)
    return Candidate(**read)  # read above; Candidate checks the ranges


def _read(reader: Callable[[object], T], value: object, faults: list[Fault]) -> T | None:
    try:
        return reader(value)
    except ValidationError as error:
        faults.extend(error.faults)
    return None


def _tuple(name: str, value: object) -> tuple[object, ...]:
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise ValidationError.of(name, value, "needs a list")
    return tuple(value)


def _texts(name: str, value: object) -> tuple[str, ...]:
    return tuple(_text(name, each) for each in _tuple(name, value))


def _text(name: str, value: object) -> str:
    if not isinstance(value, str):
        raise ValidationError.of(name, value, "needs text")
    return value


def _number(name: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValidationError.of(name, value, "needs a number")
    return value


def _vector(name: str, value: object) -> tuple[float, ...]:
    return tuple(_number(name, each) for each in _tuple(name, value))


def _metadata(value: object) -> Mapping[str, JsonValue]:
    if not isinstance(value, Mapping):
        raise ValidationError.of("metadata", type(value).__name__, "needs an object")
    raise_all(json_faults("metadata", value))
    return MappingProxyType({key: freeze(each) for key, each in value.items()})


_READERS: Mapping[str, Callable[[object], object]] = MappingProxyType(
    {
        "kind": parse_kind,
        "tags": partial(_texts, "tags"),
        "vector": partial(_vector, "vector"),
        "metadata": _metadata,
        **{name: partial(parse_instant, field=name) for name in _INSTANTS},
        **{name: partial(_number, name) for name in ("score", "importance")},
        **{name: partial(_text, name) for name in ("key", "value", "session", "subject")},
    }
)
