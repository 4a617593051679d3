"""A sweep's portion: which of what is due goes, and what is written of it.

Decides, inside the transaction that acts, which of the memories whose date has come a guard spares,
and makes of the others a plan that is approved by the policy itself and carried out in the same
write: so that it can be looked up and undone like any other. Refuses to find what is due (the store
does, along its index), to read a clock and to keep an account of a whole sweep (the engine does).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from lapse.laws import DATED_SCORES, Law, columns_of, score_of
from lapse.lifecycle.dating import held_of
from lapse.lifecycle.guards import Act, judge, subject_of
from lapse.lifecycle.moving import Move, archived
from lapse.lifecycle.record_items import item_of
from lapse.lifecycle.retention_scores import DECIMALS
from lapse.model.changeset import Changes
from lapse.model.guards import Choice, Departure, Guard
from lapse.model.instants import Instant, plus_days
from lapse.model.journal import JournalDraft
from lapse.model.memory import BankRef
from lapse.model.plan import (
    EXAMPLES,
    Plan,
    PlanAsk,
    PlanBy,
    PlanItem,
    PlanVerb,
    Sparing,
    totals_of,
)
from lapse.model.plan_progress import Application, Approval
from lapse.model.policy import GraceAnchor, Policy
from lapse.model.record import Record
from lapse.model.retention import UseSource
from lapse.model.slicing import in_slice
from lapse.model.verbs import Verb
from lapse.model.view import View

REASON = "fell below the policy's level, or expired"
"""Why a memory went that a sweep archived."""

PRUNED = "was archived longer than the policy keeps"
"""Why a memory is gone that a sweep pruned."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sweeping:
    """What one sweep of one bank is judged by.

    Attributes:
        ref: The bank.
        policy: Policy in force.
        law: The law it names.
        fingerprint: Digest of the policy.
        now: The sweep's one instant.
        by: Who sweeps.
    """

    ref: BankRef
    policy: Policy
    law: Law
    fingerprint: str
    now: Instant
    by: str

    @property
    def act(self) -> Act:
        """What the guards are asked about."""
        return Act(verb=Verb.ARCHIVE, policy=self.policy, now=self.now)

    @property
    def approver(self) -> str:
        """Who approves what a sweep applies by itself."""
        return f"policy:{self.fingerprint}"

    @property
    def faded_until(self) -> Instant:
        """The latest date of fading that is due: a grace period ago.

        Where the grace period counts from creation, whatever has faded may be due.
        """
        retention = self.policy.retention
        if retention.grace_anchor is GraceAnchor.CREATED:
            return self.now
        return plus_days(self.now, -retention.grace_days)


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdicts:
    """What the guards said of a portion.

    Attributes:
        free: Memories that may go, in order.
        spared: Ids of the others, by the first guard that objected.
        passed_over: Ids that are gone, or of a kind that the policy proposes nothing of.
    """

    free: tuple[Record, ...]
    spared: tuple[tuple[str, Guard], ...]
    passed_over: tuple[str, ...]

    @property
    def sparings(self) -> tuple[Sparing, ...]:
        """What each guard spared, in the order of guards."""
        return tuple(
            Sparing(guard=guard, count=len(ids), examples=ids[:EXAMPLES])
            for guard in Guard
            if (ids := tuple(each for each, said in self.spared if said is guard))
        )


def verdicts(sweeping: Sweeping, ids: Sequence[str], view: View) -> Verdicts:
    """Ask the guards about memories that were due.

    Args:
        sweeping: What they are judged by.
        ids: The memories, in the order in which they were due.
        view: As they are now, with holds and citations.
    """
    kinds = frozenset(sweeping.policy.retention.kinds)
    free: list[Record] = []
    spared: list[tuple[str, Guard]] = []
    passed: list[str] = []
    for each in ids:
        record = view.records.get(each)
        if record is None or record.memory.kind not in kinds:
            passed.append(each)
            continue
        guard = judge(sweeping.act, Choice.SCORED, subject_of(view, each))
        if guard is None and _used_meanwhile(each, view):
            guard = Guard.USED
        if guard is None and in_slice(each, sweeping.policy.retention.slice_share):
            guard = Guard.SLICED
        if guard is None:
            free.append(record)
        else:
            spared.append((each, guard))
    return Verdicts(free=tuple(free), spared=tuple(spared), passed_over=tuple(passed))


def _used_meanwhile(memory_id: str, view: View) -> bool:
    """Whether a use was reported that is still to be folded in."""
    return memory_id in view.pending and any(
        each.weight > 0 and each.source is not UseSource.REJECTED for each in view.events[memory_id]
    )


def proposed(sweeping: Sweeping, judged: Verdicts, limit: int) -> Plan:
    """The plan to archive the first so many of what may go; `plan.items` may be empty."""
    items = items_of(sweeping, judged.free[:limit])
    retention = sweeping.policy.retention
    plan = Plan(
        id="",
        ref=sweeping.ref,
        verb=PlanVerb.ARCHIVE,
        by=sweeping.by,
        ask=PlanAsk(by=PlanBy.LEVEL, score=retention.score, kinds=retention.kinds, limit=limit),
        policy=sweeping.fingerprint,
        created_at=sweeping.now,
        expires_at=plus_days(sweeping.now, retention.plan_expiry_days),
        considered=len(judged.free) + len(judged.spared),
        left_out=max(len(judged.free) - limit, 0),
        totals=totals_of(items),
        spared=judged.sparings,
        items=items,
    )
    return replace(plan, id=plan.true_id)


def carried_out(sweeping: Sweeping, plan: Plan, view: View, salt: bytes) -> Changes:
    """The writes that make, approve and apply a plan at once; nothing for an empty one."""
    if not plan.items:
        return Changes()
    now, ids = sweeping.now, tuple(each.memory_id for each in plan.items)
    done = replace(
        plan,
        approval=Approval(by=sweeping.approver, reason=REASON, at=now),
        application=Application(began_at=now, ended_at=now, applied=ids),
    )
    move = Move(at=now, by=sweeping.approver, reason=REASON, plan_id=plan.id)
    return Changes(
        states=tuple((each, archived(view.records[each].state, move)) for each in ids),
        departures=tuple(
            Departure(memory_id=each.memory_id, choice=plan.choice, planned=plan.planned(each))
            for each in plan.items
        ),
        plans=(done,),
        journal=JournalDraft(
            verb=Verb.SWEEP,
            at=now,
            by=sweeping.approver,
            memory_ids=ids,
            counts=(("applied", len(ids)), ("spared", sum(s.count for s in plan.spared))),
            about=plan.id,
            reason=REASON,
            reason_salt=salt,
        ),
    )


def items_of(sweeping: Sweeping, records: Sequence[Record]) -> tuple[PlanItem, ...]:
    """Describe memories that were found by their date alone, in order.

    Their score parts are left out: some hang on the whole bank, which a sweep does not read.
    """
    if not records:
        return ()
    policy, now = sweeping.policy, sweeping.now
    return tuple(
        item_of(policy, PlanVerb.ARCHIVE, record, now=now, since=record.state.fades_at, score=score)
        for record, score in zip(records, _scores(sweeping, records), strict=True)
    )


def _scores(sweeping: Sweeping, records: Sequence[Record]) -> list[float] | list[None]:
    policy, score = sweeping.policy, sweeping.policy.retention.score
    if score not in DATED_SCORES:
        return [None] * len(records)
    held = columns_of([held_of(policy, each.memory, each.state) for each in records])
    found: list[float] = score_of(sweeping.law, held, score, sweeping.now).round(DECIMALS).tolist()
    return found
