"""Plans to test with: of memories that need not exist, with the names that their contents have.

Decides what a plan looks like of which a test only cares for one field. Refuses to choose.
"""

from dataclasses import replace

from lapse.model.guards import Guard, Spared
from lapse.model.instants import DAY, Instant
from lapse.model.memory import BankRef, Kind
from lapse.model.plan import (
    Plan,
    PlanAsk,
    PlanBy,
    PlanItem,
    PlanVerb,
    ScoreParts,
    Sparing,
    totals_of,
)
from lapse.model.plan_progress import Application, Approval
from lapse.model.policy import RetentionScore
from lapse.model.retention import Lifecycle
from lapse.testing.fakes import ALICE, START


def item(memory_id: str, *, version: int = 1, verb: PlanVerb = PlanVerb.SUPPRESS) -> PlanItem:
    """One memory that a plan proposes."""
    parts = ScoreParts(
        retrievability=0.25,
        need=0.015,
        activation=-8.5,
        importance=0.5,
        use_recency=0.125,
        informativeness=0.75,
    )
    return PlanItem(
        memory_id=memory_id,
        verb=verb,
        content_version=version,
        current=True,
        reinforcement_count=2,
        last_counted_at=Instant(START - 50 * DAY),
        lifecycle=Lifecycle.ACTIVE,
        score=0.015,
        parts=parts,
        below_since=Instant(START - 40 * DAY),
        days_below=40.0,
        words=7,
        created_at=Instant(START - 90 * DAY),
        importance=0.5,
        confidence=0.5,
    )


def plan(*items: PlanItem, ref: BankRef = ALICE, by: PlanBy = PlanBy.LEVEL) -> Plan:
    """A plan with the name that its contents have."""
    score = None if by is PlanBy.IDS else RetentionScore.NEED
    made = Plan(
        id="",
        ref=ref,
        verb=PlanVerb.SUPPRESS,
        by="operator",
        ask=PlanAsk(by=by, score=score, kinds=(Kind.EPISODIC,), sessions=("s1",), limit=10),
        policy="f" * 64,
        created_at=START,
        expires_at=Instant(START + 7 * DAY),
        considered=10,
        left_out=1,
        totals=totals_of(items),
        spared=(Sparing(guard=Guard.PINNED, count=2, examples=("p1", "p2")),),
        items=items,
    )
    return replace(made, id=made.true_id)


def approved(made: Plan, *ids: str) -> Plan:
    """The plan, approved as a whole or in part."""
    approval = Approval(by="boss", reason="tidy", at=START, memory_ids=ids or None)
    return replace(made, approval=approval)


def applied(made: Plan, *ids: str, skipped: tuple[Spared, ...] = ()) -> Plan:
    """The plan, applied so far."""
    application = Application(began_at=START, ended_at=None, applied=ids, skipped=skipped)
    return replace(made, application=application)
