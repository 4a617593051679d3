"""The account of one sweep: what it has seen and done so far, and the report made of it.

Decides how the numbers of a report add up. Refuses to sweep.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from lapse.lifecycle.sweeping import Verdicts
from lapse.model.canary import CanaryCheck
from lapse.model.guards import Guard
from lapse.model.instants import DAY, Instant
from lapse.model.plan import Plan, PlanItem
from lapse.model.sweep import Departed, Ending, SparedCount, SweepReport


@dataclass(slots=True, kw_only=True)
class Account:
    """Running totals of one sweep of one bank.

    Attributes:
        visited, planned, applied, redated, pruned: As in the report.
        written: Whether anything was written but the report.
        plans: Ids of the plans made or applied, in order.
        spared: By guard.
        before, after: What the canaries gave.
    """

    visited: int = 0
    planned: int = 0
    applied: int = 0
    redated: int = 0
    pruned: int = 0
    written: bool = False
    plans: list[str] = field(default_factory=list)
    spared: Counter[Guard] = field(default_factory=Counter)
    before: CanaryCheck | None = None
    after: CanaryCheck | None = None
    age_days: float = 0.0
    importance: float = 0.0
    confidence: float = 0.0

    def saw(self, judged: Verdicts) -> None:
        """Count a portion that the guards were asked about."""
        self.visited += len(judged.free) + len(judged.spared) + len(judged.passed_over)
        self.spared.update(guard for _, guard in judged.spared)

    def went(self, plan: Plan, items: Iterable[PlanItem], now: Instant) -> None:
        """Count what a plan took out of the active set."""
        self.written = True
        self.plans.append(plan.id)
        for each in items:
            self.applied += 1
            self.age_days += max(now - each.created_at, 0) / DAY
            self.importance += each.importance
            self.confidence += each.confidence

    def destroyed(self, plan: Plan, count: int) -> None:
        """Count what a plan pruned: it had left the active set long ago."""
        self.written = True
        self.plans.append(plan.id)
        self.pruned += count

    def waits(self, plan: Plan, *, new: bool) -> None:
        """Count a plan that awaits approval."""
        self.planned += len(plan.items)
        self.plans.append(plan.id)
        self.written = self.written or new

    @property
    def departed(self) -> Departed:
        """Means over what went."""
        count = self.applied
        if not count:
            return Departed()
        return Departed(
            count=count,
            mean_age_days=round(self.age_days / count, 6),
            mean_importance=round(self.importance / count, 9),
            mean_confidence=round(self.confidence / count, 9),
        )

    def report(self, blank: SweepReport, ending: Ending, last: SweepReport | None) -> SweepReport:
        """The report, without advice.

        Args:
            blank: Its names and the sizes of the active set.
            ending: Whether anything was left.
            last: The report before it, or None for the first.
        """
        before, after = self.before, self.after
        return SweepReport(
            id=blank.id,
            at=blank.at,
            by=blank.by,
            policy=blank.policy,
            revision=blank.revision,
            ending=ending,
            visited=self.visited,
            planned=self.planned + self.applied,
            applied=self.applied,
            spared=tuple(
                SparedCount(guard=each, count=self.spared[each])
                for each in Guard
                if self.spared[each]
            ),
            redated=self.redated,
            pruned=self.pruned,
            plan_ids=tuple(dict.fromkeys(self.plans)),
            departed=self.departed,
            active_before=blank.active_before,
            active_after=blank.active_after,
            grown=None if last is None else blank.active_before - last.active_after,
            canaries=0 if before is None else len(before.results),
            k=0 if before is None else before.k,
            recall_before=None if before is None else before.recall,
            recall_after=None if after is None else after.recall,
        )
