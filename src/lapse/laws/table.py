"""What a policy's law does to a few default memories: numbers to see before planning by levels.

Decides which memories are shown and what is read off them. Refuses to print or plot.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lapse.laws import (
    NEVER,
    CountedUse,
    FloatArray,
    Held,
    Law,
    Seed,
    columns_of,
    effective_decay,
    law_for,
)
from lapse.laws.strength import last_counted
from lapse.model.instants import DAY, Instant
from lapse.model.memory import Kind
from lapse.model.policy import LawName, Policy
from lapse.model.retention import UseSource

AGES_DAYS: tuple[float, ...] = (1 / 24, 1.0, 7.0, 30.0, 180.0, 730.5)
"""1 h, 1 d, 7 d, 30 d, 180 d and 2 years since the telling or the last use."""

IMPORTANCES: tuple[float, ...] = (0.0, 0.5, 1.0)
USES: tuple[int, ...] = (0, 1, 3, 10)
SPACING_DAYS = 7.0
"""Days between the uses shown; each counts as cited."""

_TOLD_AT = Instant(0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """A memory of nothing in particular.

    Attributes:
        kind: Kind of memory.
        importance: In [0, 1].
        uses: Cited uses since it was told, a week apart.
    """

    kind: Kind = Kind.SEMANTIC
    importance: float = 0.5
    uses: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What the law says of an example at one age.

    Attributes:
        age_days: Days since the last use, or the telling.
        retrievability: R in [0, 1].
        need: Probability of use within the next 30 days.
    """

    age_days: float
    retrievability: float
    need: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Fall:
    """When an example falls to a level.

    Attributes:
        level: Retrievability.
        after_days: Days since the last use, or the telling; None for not within 100 years. Negative
            where it was below before its last use, which happens when age counts from creation.
    """

    level: float
    after_days: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One example under the law.

    Attributes:
        example: Which memory.
        readings: One for each age, youngest first.
        half_life_days: Days from the last use until R is half; inf beyond 100 years.
        falls: One for each level, highest first.
    """

    example: Example
    readings: tuple[Reading, ...]
    half_life_days: float
    falls: tuple[Fall, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LawTable:
    """All examples under one policy.

    Attributes:
        law: The law in force.
        levels: Levels whose fall is dated, highest first: where a memory fades for recall, and
            where it is due.
        rows: Kinds in order, in each importances, in each uses.
    """

    law: LawName
    levels: tuple[float, ...]
    rows: tuple[Row, ...]


def law_table(
    policy: Policy,
    kinds: Sequence[Kind] = tuple(Kind),
    importances: Sequence[float] = IMPORTANCES,
    uses: Sequence[int] = USES,
) -> LawTable:
    """Read the law of a policy off its examples.

    Args:
        policy: Any policy.
        kinds: Kinds of memory to show.
        importances: Each in [0, 1].
        uses: Numbers of spaced uses, each ≥ 0.

    Raises:
        DomainError: The policy's FSRS weights are outside the published bounds.
    """
    law, levels = law_for(policy.law), levels_of(policy)
    examples = [
        Example(kind=kind, importance=importance, uses=count)
        for kind in kinds
        for importance in importances
        for count in uses
    ]
    rows = tuple(_row(law, policy, example, levels) for example in examples)
    return LawTable(law=law.name, levels=levels, rows=rows)


def law_curve(policy: Policy, example: Example, ages_days: FloatArray) -> FloatArray:
    """Retrievability of an example over its age since the last use, shape (n,), for a plot."""
    law = law_for(policy.law)
    held = _held(law, policy, example)
    columns, start = columns_of([held]), last_counted(held)
    instants = [Instant(start + round(age * DAY)) for age in ages_days.tolist()]
    return np.array([law.retrievability(columns, now)[0] for now in instants])


def levels_of(policy: Policy) -> tuple[float, ...]:
    """Levels that the policy acts on, highest first: for recall and for what is due."""
    due = law_for(policy.law).archive_level
    recalled = policy.forgetting.recall_threshold
    acted_on = {each for each in (due, recalled) if each is not None and each > 0}
    return tuple(sorted(acted_on, reverse=True))


def _row(law: Law, policy: Policy, example: Example, levels: tuple[float, ...]) -> Row:
    held = _held(law, policy, example)
    columns, start = columns_of([held]), last_counted(held)
    readings = []
    for age_days in AGES_DAYS:
        now = Instant(start + round(age_days * DAY))
        recall, need = law.retrievability(columns, now)[0], law.need(columns, now)[0]
        readings.append(Reading(age_days=age_days, retrievability=float(recall), need=float(need)))
    crossings = [int(law.crossing(columns, level)[0]) for level in levels]
    falls = [
        Fall(level=level, after_days=None if at == NEVER else (at - start) / DAY)
        for level, at in zip(levels, crossings, strict=True)
    ]
    return Row(
        example=example,
        readings=tuple(readings),
        half_life_days=float(law.half_life_days(columns)[0]),
        falls=tuple(falls),
    )


def _held(law: Law, policy: Policy, example: Example) -> Held:
    seed = Seed(created_at=_TOLD_AT, kind=example.kind, importance=example.importance)
    strength = law.initial(seed)
    for number in range(example.uses):
        at = Instant(_TOLD_AT + round((number + 1) * SPACING_DAYS * DAY))
        weight = policy.reinforcement.weight_cited
        if weight > 0:
            use = CountedUse(at=at, source=UseSource.CITED, weight=weight)
            strength = law.reinforce(strength, use)
    decay = effective_decay(
        policy.law, seed.importance, seed.confidence, seed.proof_count, seed.entity_count
    )
    return Held(
        created_at=_TOLD_AT, strength=strength, importance=example.importance, decay=float(decay)
    )
