"""Plans: what would be done with which memories, written down before anything is done.

A plan is a proposal with a name of its own: SHA-256 over what it proposes, for whom and under which
policy. Whoever approves a name approves exactly that, and a plan that was altered since no longer
has its name. What becomes of it (an approval, an application) is kept beside it and enters no name.

Decides what a plan holds and how it is named. Refuses to choose (`lapse.lifecycle.planning`) and to
act (`lapse.engine.applying`).
"""

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Final

from lapse.errors import Fault, fault, raise_all
from lapse.model.guards import Basis, Choice, Guard, Planned
from lapse.model.instants import Instant
from lapse.model.memory import BankRef, Kind
from lapse.model.plan_progress import Application, Approval
from lapse.model.policy_enums import RetentionScore
from lapse.model.retention import Lifecycle
from lapse.model.verbs import Verb

EXAMPLES: Final = 5
"""Most memories named as examples of what a guard spared."""

_SCHEME: Final = "lapse plan 1"


class PlanVerb(StrEnum):
    """What a plan would do with its memories."""

    SUPPRESS = "suppress"
    ARCHIVE = "archive"
    PRUNE = "prune"

    @property
    def act(self) -> Verb:
        """The verb that the guards are asked about."""
        return Verb(self.value)


class PlanBy(StrEnum):
    """How the memories of a plan were chosen."""

    IDS = "ids"
    LEVEL = "level"
    PERCENTILE = "percentile"
    BUDGET = "budget"
    ARCHIVED = "archived"
    """By how long they have been in the archive: what is to be pruned."""


class PlanStatus(StrEnum):
    """What has become of a plan."""

    PLANNED = "planned"
    APPROVED = "approved"
    APPLYING = "applying"
    APPLIED = "applied"
    EXPIRED = "expired"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanAsk:
    """What was asked for.

    Attributes:
        by: How the memories are chosen.
        score: Score that chose, or None for named ones.
        level: Level of the score; None for the policy's own, and where no level chose.
        percentile: Share of the active memories from the lowest score, in percent, or None.
        max_active: Most active memories that should be left, or None.
        kinds, sessions: Only these; no sessions for all.
        limit: Most memories in the plan.
    """

    by: PlanBy
    score: RetentionScore | None = None
    level: float | None = None
    percentile: float | None = None
    max_active: int | None = None
    kinds: tuple[Kind, ...] = ()
    sessions: tuple[str, ...] = ()
    limit: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreParts:
    """What the scores of one memory are made of, at the instant of the plan.

    Attributes:
        retrievability: R in [0, 1].
        need: Calibrated probability of use within 30 days.
        activation: Base level in nats, ages in seconds.
        importance: In [0, 1].
        use_recency: In [0, 1]; 1 just after the last use.
        informativeness: Percentile among the memories considered, in (0, 1).
    """

    retrievability: float
    need: float
    activation: float
    importance: float
    use_recency: float
    informativeness: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanItem:
    """One memory of a plan, as it was when it was chosen.

    Attributes:
        memory_id: Its id.
        verb: What would be done with it.
        content_version: Its content version.
        current: Whether nothing had taken its place and it was not taken back.
        reinforcement_count, last_counted_at: Its counted uses and the latest of them.
        lifecycle: Where it stood.
        score: The score that chose it, or None for a named one.
        parts: What scores are made of, or None for a named one.
        below_since: From when its grace period counted, or None for a named one.
        days_below: Days from then to the plan, or None.
        words: Words of its text.
        created_at: When it was created.
        importance, confidence: In [0, 1]; the policy's default importance put in.
    """

    memory_id: str
    verb: PlanVerb
    content_version: int
    current: bool
    reinforcement_count: int
    last_counted_at: Instant | None
    lifecycle: Lifecycle
    score: float | None
    parts: ScoreParts | None
    below_since: Instant | None
    days_below: float | None
    words: int
    created_at: Instant
    importance: float
    confidence: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Sparing:
    """What one guard spared of what would have been chosen.

    Attributes:
        guard: The first guard that objected.
        count: How many memories.
        examples: Ids of the first few.
    """

    guard: Guard
    count: int
    examples: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanTotals:
    """The memories of a plan, counted.

    Attributes:
        count: How many.
        words: Words of their texts together.
        oldest: When the oldest of them was created, or None in an empty plan.
        mean_importance, mean_confidence: Means in [0, 1], or None in an empty plan.
    """

    count: int
    words: int
    oldest: Instant | None
    mean_importance: float | None
    mean_confidence: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CanaryShift:
    """What the plan would change in the answer to one canary query.

    Attributes:
        canary: Id of the canary.
        recall_before, recall_after: Share of its expected memories among the first k.
        leaving: Ids that would leave the first k.
        entering: Ids that would come up in their place.
    """

    canary: str
    recall_before: float
    recall_after: float
    leaving: tuple[str, ...]
    entering: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanHead:
    """A plan without its items: what a list of plans shows.

    Attributes:
        id: Its name: 64 hexadecimal digits.
        ref: Its bank; it is of no use in any other.
        verb: What it would do.
        by: Who planned.
        ask: What was asked for.
        policy: Fingerprint of the policy it was made under.
        created_at: When it was made.
        expires_at: From when it can no longer be approved or applied.
        considered: Active memories that were looked at; archived ones where they would be pruned.
        left_out: Memories that qualified and did not fit under the limit.
        totals: Its memories, counted.
        spared: What each guard spared, in the order in which guards are asked.
        canaries: What would change in the answers to the canary queries.
        approval, application: Who approved it and how far it was applied, or None.
    """

    id: str
    ref: BankRef
    verb: PlanVerb
    by: str
    ask: PlanAsk
    policy: str
    created_at: Instant
    expires_at: Instant
    considered: int
    left_out: int
    totals: PlanTotals
    spared: tuple[Sparing, ...] = ()
    canaries: tuple[CanaryShift, ...] = ()
    approval: Approval | None = None
    application: Application | None = None

    def status(self, now: Instant) -> PlanStatus:
        """What has become of it; what was begun in time no longer expires."""
        if self.application is not None:
            ended = self.application.ended_at is not None
            return PlanStatus.APPLIED if ended else PlanStatus.APPLYING
        if now >= self.expires_at:
            return PlanStatus.EXPIRED
        return PlanStatus.PLANNED if self.approval is None else PlanStatus.APPROVED

    @property
    def choice(self) -> Choice:
        """How its memories were chosen: by name or by a score."""
        return Choice.NAMED if self.ask.by is PlanBy.IDS else Choice.SCORED

    @property
    def basis(self) -> Basis:
        """What their score was held against."""
        dated = self.ask.by is PlanBy.LEVEL and self.ask.level is None
        return Basis.DATED if dated else Basis.SET


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan(PlanHead):
    """A plan, whole.

    Attributes:
        items: Its memories, in the order in which they would be moved.

    Raises:
        ValidationError: A memory stands in it twice, or is to be done something else with.
    """

    items: tuple[PlanItem, ...]

    def __post_init__(self) -> None:
        raise_all(self._faults())

    def _faults(self) -> Iterator[Fault]:
        if len({each.memory_id for each in self.items}) < len(self.items):
            yield fault("items", len(self.items), "names a memory twice")
        if any(each.verb is not self.verb for each in self.items):
            yield fault("items", self.verb.value, "holds an item of another verb")

    @property
    def true_id(self) -> str:
        """The name that its contents have; another than `id` where somebody altered it."""
        return plan_id(self, self.items)

    @property
    def approved(self) -> tuple[PlanItem, ...]:
        """The items that were approved, in order; all of them unless a part was named."""
        if self.approval is None:
            return ()
        part = self.approval.memory_ids
        if part is None:
            return self.items
        wanted = frozenset(part)
        return tuple(each for each in self.items if each.memory_id in wanted)

    @property
    def waiting(self) -> tuple[PlanItem, ...]:
        """Approved items that were neither moved nor skipped yet, in order."""
        if self.application is None:
            return self.approved
        done = {*self.application.applied, *(each.memory_id for each in self.application.skipped)}
        return tuple(each for each in self.approved if each.memory_id not in done)

    @property
    def head(self) -> PlanHead:
        """The plan without its items."""
        values = {each.name: getattr(self, each.name) for each in fields(PlanHead)}
        return PlanHead(**values)

    def planned(self, item: PlanItem) -> Planned:
        """What a memory was when it was chosen, as the guards want to be told."""
        return Planned(
            content_version=item.content_version,
            current=item.current,
            reinforcement_count=item.reinforcement_count,
            last_counted_at=item.last_counted_at,
            basis=self.basis,
        )


def plan_id(head: PlanHead, items: Iterable[PlanItem]) -> str:
    """Name a plan: SHA-256, in hexadecimal, over canonical JSON of strings and integers only.

    No float enters, so equal contents, clock and policy give the same name on every machine and in
    every store. What decides which guards are asked (named or scored, dated or set) and when the
    plan expires are part of the name, so that neither can be altered unseen.

    Args:
        head: Its `id`, its counts and what became of it do not enter.
        items: What it proposes, in order.
    """
    body = [
        _SCHEME,
        head.ref.tenant,
        head.ref.name,
        head.verb.value,
        head.choice.value,
        head.basis.value,
        head.policy,
        head.created_at,
        head.expires_at,
        [
            [
                each.memory_id,
                each.content_version,
                int(each.current),
                each.reinforcement_count,
                each.last_counted_at,
                each.lifecycle,
            ]
            for each in items
        ],
    ]
    text = json.dumps(body, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def totals_of(items: Iterable[PlanItem]) -> PlanTotals:
    """Count the memories of a plan."""
    found = tuple(items)
    count = len(found)
    if not count:
        return PlanTotals(count=0, words=0, oldest=None, mean_importance=None, mean_confidence=None)
    return PlanTotals(
        count=count,
        words=sum(each.words for each in found),
        oldest=min(each.created_at for each in found),
        mean_importance=round(sum(each.importance for each in found) / count, 9),
        mean_confidence=round(sum(each.confidence for each in found) / count, 9),
    )
