"""What a sweep did to a bank, as a row that is kept.

Decides what is told after each sweep. Refuses to judge it (`lapse.lifecycle.advising`), and holds
no content: counts, means and ids of plans.
"""

from dataclasses import dataclass
from enum import StrEnum

from lapse.model.guards import Guard
from lapse.model.instants import Instant
from lapse.model.memory import BankRef


class Advice(StrEnum):
    """What the numbers of a sweep suggest, if anything."""

    LOWER_DECAY_OR_PROTECT_MORE = "lower_decay_or_protect_more"
    """Canaries or confident memories were lost: forget more slowly, or protect more."""
    RAISE_LEVEL_OR_DECAY = "raise_level_or_decay"
    """The active set still grows: forget at a higher level, or faster."""
    AUTO_APPLY_STOPPED = "auto_apply_stopped"
    """The canaries lost more than the policy allows: sweeps only plan until somebody decides."""


class SweepOutcome(StrEnum):
    """What became of the wish to sweep a bank."""

    SWEPT = "swept"
    """It was swept; the report says what came of it."""
    ALREADY_RUNNING = "already_running"
    """Another worker is sweeping it; nothing was done."""
    NOT_SWEPT = "not_swept"
    """Its mode is not lifecycle, or it does not exist; nothing was done."""
    NOT_REACHED = "not_reached"
    """The limit or the time ran out before its turn; the next sweep begins with it."""


class Ending(StrEnum):
    """How a sweep of a bank ended."""

    DONE = "done"
    """All that was due was visited."""
    MORE = "more"
    """The limit or the time ran out first; the next sweep goes on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SparedCount:
    """How many of what was due one guard spared."""

    guard: Guard
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Departed:
    """What a sweep took out of the active set, on average.

    Attributes:
        count: How many memories.
        mean_age_days: From their creation to the sweep.
        mean_importance, mean_confidence: In [0, 1].
    """

    count: int = 0
    mean_age_days: float = 0.0
    mean_importance: float = 0.0
    mean_confidence: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class SweepReport:
    """One sweep of one bank.

    Attributes:
        id: Names the sweep.
        at: The instant it was judged at.
        by: Who swept.
        policy: Fingerprint of the policy it was judged by.
        revision: The bank's revision before the report was written.
        ending: Whether anything was left.
        visited: Memories that were due and looked at.
        planned: Of these, how many a plan proposes.
        applied: Of these, how many went.
        spared: Of these, how many each guard spared, by guard.
        pruned: Archived memories that were destroyed; they count in none of the others.
        redated: Memories whose date was stale and was computed anew.
        plan_ids: Plans it made or applied.
        departed: Means over what went.
        active_before, active_after: Size of the active set.
        grown: Active memories since the end of the sweep before; None for the first sweep.
        canaries: How many canaries were asked; 0 where nothing went.
        k: How many answers each was given.
        recall_before, recall_after: Mean recall@k on the canaries; None without any.
        advice: What the numbers suggest.
    """

    id: str
    at: Instant
    by: str
    policy: str
    revision: int = 0
    ending: Ending = Ending.DONE
    visited: int = 0
    planned: int = 0
    applied: int = 0
    spared: tuple[SparedCount, ...] = ()
    pruned: int = 0
    redated: int = 0
    plan_ids: tuple[str, ...] = ()
    departed: Departed = Departed()
    active_before: int = 0
    active_after: int = 0
    grown: int | None = None
    canaries: int = 0
    k: int = 0
    recall_before: float | None = None
    recall_after: float | None = None
    advice: tuple[Advice, ...] = ()

    @property
    def canary_drop(self) -> float:
        """Recall on the canaries that was lost; 0 without canaries or where it rose."""
        if self.recall_before is None or self.recall_after is None:
            return 0.0
        return max(self.recall_before - self.recall_after, 0.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Swept:
    """What became of one bank when sweeps were asked for.

    Attributes:
        ref: The bank.
        outcome: Whether it was swept.
        report: What the sweep did, or None where there was none.
        note: Why not, or what is left to do; empty where nothing is to be said.
    """

    ref: BankRef
    outcome: SweepOutcome
    report: SweepReport | None = None
    note: str = ""
