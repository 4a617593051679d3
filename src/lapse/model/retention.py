"""How strongly a memory is held: its retention state, and the events of use that change it.

Decides which values describe strength and lifecycle and what they may be. Refuses to compute
anything
from them: the laws do (`lapse.laws`), and retrievability is never stored.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from lapse.errors import Fault, fault, raise_all
from lapse.model.instants import Instant

TRACE_COUNT = 10
"""Number of exponential traces that stand for a whole history of use."""


class Lifecycle(StrEnum):
    """Where a memory stands on the axis of attention."""

    ACTIVE = "active"
    SUPPRESSED = "suppressed"
    ARCHIVED = "archived"
    ERASED = "erased"


class UseSource(StrEnum):
    """What an event of use is evidence of, strongest first; `REJECTED` is evidence against."""

    EXPLICIT = "explicit"
    CITED = "cited"
    RECONFIRMED = "reconfirmed"
    EVIDENCE = "evidence"
    RETURNED = "returned"
    REJECTED = "rejected"


class ImportanceSource(StrEnum):
    """Who rated the importance."""

    DEFAULT = "default"
    CALLER = "caller"
    HEURISTIC = "heuristic"
    AWAITED = "awaited"
    """The heuristic, until the model's rating takes its place."""
    MODEL = "model"
    FALLBACK = "fallback"
    """The heuristic for good: the model was asked and named no rating."""
    VERIFIED = "verified"


@dataclass(frozen=True, slots=True, kw_only=True)
class Strength:
    """What the laws know of one memory.

    Attributes:
        traces: Ten sums E_q = Σ_j w_j·exp(−(traces_at − t_j)/τ_q) over the counted uses, creation
            included; each ≥ 0.
        traces_at: Instant at which the traces are aligned: creation or the latest event folded in.
        stability_days: S of the law in force, > 0 (meaning: that law's R(S)).
        difficulty: FSRS difficulty in [1, 10]; other laws leave it as it is.
        last_counted_at: Instant of the latest counted use, or None when only creation counted.
        access_count: Distinct use events seen, counted or not.
        reinforcement_count: Counted uses; the only count that enters a law.
    """

    traces: tuple[float, ...]
    traces_at: Instant
    stability_days: float
    difficulty: float
    last_counted_at: Instant | None = None
    access_count: int = 0
    reinforcement_count: int = 0

    def __post_init__(self) -> None:
        raise_all(self._faults())

    def _faults(self) -> Iterator[Fault]:
        if len(self.traces) != TRACE_COUNT:
            yield fault("traces", len(self.traces), f"needs {TRACE_COUNT} numbers")
        if not (all(map(math.isfinite, self.traces)) and min(self.traces, default=0.0) >= 0):
            yield fault("traces", self.traces, "needs finite numbers from 0")
        if not (math.isfinite(self.stability_days) and self.stability_days > 0):
            yield fault("stability_days", self.stability_days, "needs a finite number above 0")
        if not 1 <= self.difficulty <= 10:
            yield fault("difficulty", self.difficulty, "needs a number from 1 to 10")
        if self.access_count < 0:
            yield fault("access_count", self.access_count, "needs an integer from 0")
        if self.reinforcement_count < 0:
            yield fault("reinforcement_count", self.reinforcement_count, "needs an integer from 0")


@dataclass(frozen=True, slots=True, kw_only=True)
class Checkpoint:
    """Strength from which the recent events are replayed.

    Attributes:
        strength: Strength with every event before `through` folded in.
        through: Events from this instant on are not in `strength`; it only moves forward, and only
            to the start of a counting bucket.
    """

    strength: Strength
    through: Instant


@dataclass(frozen=True, slots=True, kw_only=True)
class Transition:
    """The last change of lifecycle, and what it replaced.

    Attributes:
        at: When.
        by: Who, as the caller named them.
        reason: Why; redactable, never text of the memory.
        plan_id: Plan that asked for it, or None for a named choice.
        prior: Lifecycle before.
        prior_transition: The transition that had led there, or None.
        prior_updated_at: When the state had last changed before; None where nobody noted it.
    """

    at: Instant
    by: str
    reason: str
    plan_id: str | None
    prior: Lifecycle
    prior_transition: "Transition | None" = None
    prior_updated_at: Instant | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Dates:
    """When a memory is due for the archive if it is not used again.

    Attributes:
        fades_at: When its retrievability crosses the policy's level, or its expiry where that comes
            earlier; a grace period follows. None for never.
        expires_at: Its own expiry, which needs no grace. None for never.

    Both are None while the memory's own guard spares it; importance spares from fading alone.
    """

    fades_at: Instant | None = None
    expires_at: Instant | None = None


UNDATED: Final = Dates()
"""Never due."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RetentionState:
    """All that Lapse keeps beside a memory in order to judge it.

    Attributes:
        importance: In [0, 1], rated once; None when nobody rated it (the policy's default is used).
        importance_source: Who rated it.
        strength: Strength as of the last drain.
        checkpoint: Where the replay of recent events starts.
        last_recalled_at: When it was last returned by a recall that was counted as `returned`.
        pinned: A user's wish: it does not fade and no score removes it.
        verified: Its outcome was verified.
        exempt: It does not fade, for `exempt_reason`.
        audit_evidence: It is evidence for an audit.
        lifecycle: active, suppressed, archived or erased.
        transition: The last change of lifecycle, or None.
        protected_until: A restored memory is spared by scores until then, or None.
        fades_at, expires_at: When it is due: see `Dates`.
        policy_version: Version of the bank's policy under which `fades_at` was dated or the
            transition made, whichever was later.
        created_at: When the memory was created: its first access.
        updated_at: When this state last changed.
    """

    importance: float | None
    importance_source: ImportanceSource
    strength: Strength
    checkpoint: Checkpoint
    created_at: Instant
    updated_at: Instant
    last_recalled_at: Instant | None = None
    pinned: bool = False
    verified: bool = False
    exempt: bool = False
    exempt_reason: str | None = None
    audit_evidence: bool = False
    lifecycle: Lifecycle = Lifecycle.ACTIVE
    transition: Transition | None = None
    protected_until: Instant | None = None
    fades_at: Instant | None = None
    expires_at: Instant | None = None
    policy_version: int = 0

    def __post_init__(self) -> None:
        raise_all(self._faults())

    def _faults(self) -> Iterator[Fault]:
        if self.importance is not None and not 0 <= self.importance <= 1:
            yield fault("importance", self.importance, "needs a number from 0 to 1")
        if self.exempt and not self.exempt_reason:
            yield fault("exempt_reason", self.exempt_reason, "an exemption needs a reason")

    @property
    def spared(self) -> bool:
        """Whether the memory's own guard keeps it from fading: pinned, verified or exempt."""
        return self.pinned or self.verified or self.exempt

    @property
    def dates(self) -> Dates:
        """When it is due."""
        return Dates(fades_at=self.fades_at, expires_at=self.expires_at)

    def dated(self, dates: Dates) -> "RetentionState":
        """The same state, due at other dates."""
        if dates == self.dates:
            return self
        return replace(self, fades_at=dates.fades_at, expires_at=dates.expires_at)


@dataclass(frozen=True, slots=True, kw_only=True)
class UseEvent:
    """One event of use of one memory.

    Attributes:
        event_id: Caller's or derived; the same id counts once per memory.
        memory_id: Id of the memory used.
        source: What it is evidence of.
        weight: In [0, 1]: by source and policy at the time it was enqueued.
        at: When the use happened.
        enqueued_at: When Lapse learned of it; never decides the resulting state.
        recall_id: The recall it answers, or None.
    """

    event_id: str
    memory_id: str
    source: UseSource
    weight: float
    at: Instant
    enqueued_at: Instant
    recall_id: str | None = None

    def __post_init__(self) -> None:
        raise_all(self._faults())

    def _faults(self) -> Iterator[Fault]:
        if not 1 <= len(self.event_id) <= 255:
            yield fault("event_id", self.event_id, "needs 1 to 255 characters")
        if not 0 <= self.weight <= 1:
            yield fault("weight", self.weight, "needs a number from 0 to 1")
