"""Requests of the verbs that plan what should leave attention, approve it and do it.

Decides the names of the arguments and what they mean. Refuses defaults that the policy should give.
"""

from dataclasses import dataclass, field
from typing import TypedDict

from lapse.faces.operations.fields import From, asked
from lapse.faces.operations.requests import HOST
from lapse.model.instants import InstantLike
from lapse.model.memory import Kind
from lapse.model.plan import PlanVerb
from lapse.model.policy_enums import RetentionScore

_VERB = asked(
    "What would be done; prune destroys what was archived for `retention.prune_after_days`, where "
    "`retention.prune` is on."
)
_SCORE = asked("Score to choose by; the policy's if left out.")
_KINDS = asked("Only these kinds; those that the policy lets plans propose if left out.")
_SESSIONS = asked("Only these sessions.")
_LIMIT = asked("Most memories in the plan; the policy's if left out.")
_BY = asked("Who plans, for the journal.")
_PLAN = asked("Id of the plan.", source=From.POSITION)


class PlannedWhere(TypedDict, total=False):
    """What the memories have in common: `Where` without its session, as `sessions` limit a plan.

    Attributes:
        subject: Whom or what they are about.
        tag: Label they carry.
        key: Claim key they have.
        since, until: When what they tell of happened, or else when they were created; half-open.
        identifier: An address, number, code, date or path that they name, in any spelling.
        entity: A name or identifier: everything about it.
        query: What is meant, in plain words: names, identifiers and words.
    """

    subject: str | None
    tag: str | None
    key: str | None
    since: InstantLike | None
    until: InstantLike | None
    identifier: str | None
    entity: str | None
    query: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanRequest:
    """Memories to plan for, by name, by what they have in common, by a level or by a share."""

    verb: PlanVerb = field(default=PlanVerb.SUPPRESS, metadata=_VERB)
    ids: tuple[str, ...] = field(default=(), metadata=asked("These memories, whatever they score."))
    where: PlannedWhere = field(default_factory=PlannedWhere)
    level: float | None = field(
        default=None,
        metadata=asked("What scores this or less; activation: nats, ages in seconds."),
    )
    percentile: float | None = field(
        default=None,
        metadata=asked("This share of the active memories, in percent, from the lowest score."),
    )
    score: RetentionScore | None = field(default=None, metadata=_SCORE)
    kinds: tuple[Kind, ...] = field(default=(), metadata=_KINDS)
    sessions: tuple[str, ...] = field(default=(), metadata=_SESSIONS)
    limit: int | None = field(default=None, metadata=_LIMIT)
    by: str = field(default=HOST, metadata=_BY)


@dataclass(frozen=True, slots=True, kw_only=True)
class BudgetRequest:
    """How many memories should be left active."""

    max_active: int | None = field(
        default=None, metadata=asked("Active memories that should be left in the bank.")
    )
    keep_fraction: float | None = field(
        default=None, metadata=asked("The same as a share of what is active, 0 to 1.")
    )
    verb: PlanVerb = field(default=PlanVerb.SUPPRESS, metadata=_VERB)
    score: RetentionScore | None = field(default=None, metadata=_SCORE)
    kinds: tuple[Kind, ...] = field(default=(), metadata=_KINDS)
    sessions: tuple[str, ...] = field(default=(), metadata=_SESSIONS)
    limit: int | None = field(default=None, metadata=_LIMIT)
    by: str = field(default=HOST, metadata=_BY)


@dataclass(frozen=True, slots=True, kw_only=True)
class SuggestRequest:
    """Which scores to show."""

    score: RetentionScore | None = field(default=None, metadata=_SCORE)
    kinds: tuple[Kind, ...] = field(default=(), metadata=_KINDS)
    sessions: tuple[str, ...] = field(default=(), metadata=_SESSIONS)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlansRequest:
    """How many plans to list."""

    limit: int = field(default=100, metadata=asked("Most plans, the newest first."))


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanNameRequest:
    """One plan by its id."""

    plan: str = field(metadata=_PLAN)


@dataclass(frozen=True, slots=True, kw_only=True)
class ApproveRequest:
    """A plan to approve, by whom and why."""

    plan: str = field(metadata=_PLAN)
    by: str = field(metadata=asked("Who approves; another than planned, where two are needed."))
    reason: str = field(metadata=asked("Why, for the journal; never the text of a memory."))
    ids: tuple[str, ...] = field(
        default=(), metadata=asked("Only these of its memories; all if left out.")
    )
