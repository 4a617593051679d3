"""Requests: untyped arguments of a question become values.

Decides which settings a single request may lay over the policy, and under which names. Refuses to
check their values: the policy does.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from types import MappingProxyType
from typing import TypedDict, TypeVar

from lapse.engine.untyped import (
    as_count,
    as_metadata,
    as_name,
    as_texts,
    as_tuple,
    check_actor,
    read,
)
from lapse.errors import Fault, ValidationError, fault, raise_all
from lapse.model.memory import JsonValue, Kind, parse_kind
from lapse.model.policy import Mode, Scorer
from lapse.model.query import Scope, text_faults
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
        ValidationError: Unknown kinds, a single name in place of a list, a session or subject that
            is no text, metadata that is no plain JSON; all at once.
    """
    faults: list[Fault] = []
    wanted: list[Kind] = []
    for each in read(partial(as_tuple, "kinds"), kinds, faults) or ():
        kind = read(partial(parse_kind, name="kinds"), each, faults)
        wanted.extend([] if kind is None else [kind])
    labels = read(partial(as_texts, "tags"), tags, faults)
    holds = read(as_metadata, {} if metadata is None else metadata, faults)
    faults.extend(text_faults("session", session))
    faults.extend(text_faults("subject", subject))
    raise_all(faults)
    return Scope(
        kinds=tuple(wanted),
        session=session,
        subject=subject,
        tags=labels or (),
        metadata=holds or {},
    )


def read_told(reader: Callable[[], T], by: object) -> T:
    """What the reader makes of what was told; the faults of who tells it come with its own.

    Raises:
        ValidationError: All faults at once.
    """
    faults: list[Fault] = []
    told = read(lambda _given: reader(), None, faults)
    read(check_actor, by, faults)
    if faults or told is None:
        raise ValidationError(faults)
    return told


def read_target(memory_id: object, if_version: object) -> str:
    """The id of the memory to change, with the version it must have looked at.

    Raises:
        ValidationError: An id that is no name, a version that is no integer.
    """
    faults: list[Fault] = []
    found = read(partial(as_name, "id"), memory_id, faults)
    if if_version is not None:
        read(partial(as_count, "if_version"), if_version, faults)
    raise_all(faults)
    return found or ""
