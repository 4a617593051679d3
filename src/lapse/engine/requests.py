"""Requests: untyped arguments of a question become values.

Decides which settings a single request may lay over the policy, and under which names. Refuses to
check
their values: the policy does.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from functools import partial
from types import MappingProxyType
from typing import TypedDict

from lapse.errors import Fault, ValidationError, at_position, fault
from lapse.intake.drafts import freeze
from lapse.model.instants import parse_instant
from lapse.model.memory import JsonValue, Kind, parse_kind
from lapse.model.policy import Mode, Scorer
from lapse.model.query import Candidate, Scope


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


def request_of(overrides: Overrides) -> dict[str, object]:
    """The overrides by dotted path of the setting they mean; None is left out.

    Raises:
        ValidationError: A name that no request may use.
    """
    unknown = [
        fault(name, "…", f"no such option; known are {', '.join(_PATHS)}")
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
        ValidationError: An unknown kind.
    """
    return Scope(
        kinds=tuple(parse_kind(each, "kinds") for each in kinds),
        session=session,
        subject=subject,
        tags=tuple(tags),
        metadata=MappingProxyType({key: freeze(each) for key, each in (metadata or {}).items()}),
    )


def read_candidates(given: Iterable[Candidate | Mapping[str, object]]) -> list[Candidate]:
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


def _candidate(given: Mapping[str, object]) -> Candidate:
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
    readers: dict[str, Callable[[object], object]] = {
        "kind": parse_kind,
        "tags": partial(_tuple, "tags"),
        "vector": partial(_tuple, "vector"),
        **{name: partial(parse_instant, field=name) for name in _INSTANTS},
    }
    for name, reader in readers.items():
        try:
            read |= {name: reader(read[name])} if name in read else {}
        except ValidationError as error:
            faults.extend(error.faults)
    if faults:
        raise ValidationError(faults)
    return Candidate(**read)  # type: ignore[arg-type]  # read above; Candidate checks the rest


def _tuple(name: str, value: object) -> tuple[object, ...]:
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise ValidationError.of(name, value, "needs a list")
    return tuple(value)
