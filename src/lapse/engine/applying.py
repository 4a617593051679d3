"""Approving and applying plans: who may, and what is checked again before anything moves.

Decides that a plan is applied in bounded transactions, each of which reads the plan anew, judges
its memories by every guard and writes down how far it came: so a second application changes
nothing, two at once share the work, and one that was cut off goes on where it was. Refuses to judge
(`lapse.lifecycle.guards`) and to move (`lapse.lifecycle.moving`).
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import assert_never

from lapse.engine.core import Core
from lapse.engine.people import same_person
from lapse.engine.plan_requests import Approving
from lapse.engine.planning import find_plan, no_such_plan
from lapse.engine.pruning import Destroying, check_pruning
from lapse.engine.runtime import BankRuntime
from lapse.engine.using import drain
from lapse.errors import NotFoundError, PlanError
from lapse.lifecycle.guards import Act, judge, subject_of
from lapse.lifecycle.moving import Move, archived, suppressed
from lapse.model.changeset import Changes
from lapse.model.guards import Choice, Departure, Guard, Spared
from lapse.model.instants import Instant
from lapse.model.journal import JournalDraft
from lapse.model.plan import Plan, PlanItem, PlanStatus, PlanVerb
from lapse.model.plan_progress import Application, Approval
from lapse.model.policy import Mode, Policy
from lapse.model.retention import RetentionState, UseSource
from lapse.model.verbs import Verb
from lapse.model.view import Reads, View

BATCH = 1_000
"""Memories judged and moved by one transaction."""


def approve_plan(core: Core, runtime: BankRuntime, approving: Approving) -> Plan:
    """Approve a plan or a part of it. A later approval takes the place of an earlier one.

    Raises:
        NotFoundError: No such plan in this bank, or a named memory is not in the plan.
        PlanError: It expired, was altered or begun; or two people are needed and one planned.
    """
    runtime.follow()
    policy, now = runtime.rule.policy, core.now()
    approval = Approval(by=approving.by, reason=approving.reason, at=now, memory_ids=approving.ids)

    def judge_approval(view: View) -> Changes:
        plan = _checked(view, runtime, approving.plan_id, now)
        if plan.application is not None:
            raise _refusal(plan, "was begun: what it has moved is brought back by restore")
        _check_people(policy, plan, approving.by)
        _check_part(plan, approving.ids)
        if plan.approval is not None and replace(approval, at=plan.approval.at) == plan.approval:
            return Changes()
        entry = JournalDraft(
            verb=Verb.APPROVE,
            at=now,
            by=approving.by,
            counts=(("approved", len(replace(plan, approval=approval).approved)),),
            about=plan.id,
            reason=approving.reason,
            reason_salt=core.parts.entropy(16),
        )
        return Changes(plans=(replace(plan, approval=approval),), journal=entry)

    reads = Reads(plans=(approving.plan_id,))
    core.commit(Verb.APPROVE, runtime.ref, now, reads, judge_approval)
    return find_plan(core, runtime, approving.plan_id)


def apply_plan(core: Core, runtime: BankRuntime, plan_id: str, batch: int = BATCH) -> Plan:
    """Move what was approved and still qualifies. Returns the plan with what became of it.

    Args:
        core, runtime: The bank.
        plan_id: Which plan.
        batch: Most memories judged and moved by one transaction.

    Raises:
        NotFoundError: No such plan in this bank.
        PlanError: It is not approved, expired, was altered or is of another bank; or forgetting is
            off, or it would prune and the policy no longer lets it.
    """
    runtime.follow()
    if runtime.rule.mode is Mode.OFF:
        raise PlanError("forgetting is off: nothing is applied", fields={"plan": plan_id})
    plan = find_plan(core, runtime, plan_id)
    destroying = None
    if plan.verb is PlanVerb.PRUNE:
        destroying = Destroying(core=core, runtime=runtime)
    while not _ended(plan):
        # A use that was reported before this counts before anything is judged.
        drain(core, runtime)
        runtime.follow()
        if destroying is not None:
            check_pruning(runtime)
        _apply_batch(core, runtime, plan, batch, destroying)
        plan = find_plan(core, runtime, plan_id)
    return plan if destroying is None else destroying.look_after(plan)


def _apply_batch(
    core: Core, runtime: BankRuntime, seen: Plan, size: int, destroying: Destroying | None
) -> None:
    policy, now = runtime.rule.policy, core.now()
    wanted = tuple(each.memory_id for each in seen.waiting[:size])
    gone: list[str] = []
    verb = Verb.APPLY if destroying is None else Verb.PRUNE

    def judge_batch(view: View) -> Changes:
        plan = _checked(view, runtime, seen.id, now)
        if _ended(plan):
            return Changes()
        approval = _approval(policy, plan)
        act = Act(verb=plan.verb.act, policy=policy, now=now)
        batch = [each for each in plan.waiting if each.memory_id in frozenset(wanted)]
        verdicts = [(item, _verdict(act, plan, item, view)) for item in batch]
        if destroying is not None:
            verdicts = [
                (item, guard or destroying.spares(view, item.memory_id)) for item, guard in verdicts
            ]
        moving = [item for item, guard in verdicts if guard is None]
        skipped = tuple(
            Spared(memory_id=item.memory_id, guard=guard)
            for item, guard in verdicts
            if guard is not None
        )
        gone[:] = [each.memory_id for each in moving]
        move = Move(at=now, by=approval.by, reason=approval.reason, plan_id=plan.id)
        changes = Changes(
            states=tuple(
                (each.memory_id, _moved(plan.verb, view.records[each.memory_id].state, move))
                for each in (moving if destroying is None else ())
            )
        )
        return replace(
            changes if destroying is None else destroying.changes(gone, view),
            departures=tuple(
                Departure(memory_id=each.memory_id, choice=plan.choice, planned=plan.planned(each))
                for each in moving
            ),
            plans=(replace(plan, application=_continued(plan, moving, skipped, now)),),
            journal=JournalDraft(
                verb=verb,
                at=now,
                by=approval.by,
                memory_ids=tuple(gone),
                counts=(("applied", len(moving)), ("skipped", len(skipped)), *_tally(skipped)),
                about=plan.id,
                reason=approval.reason,
                reason_salt=core.parts.entropy(16),
            ),
        )

    reads = Reads(ids=wanted, cited=True, events=True)
    if destroying is not None:
        reads = destroying.reads(wanted)
    core.commit(verb, runtime.ref, now, replace(reads, plans=(seen.id,)), judge_batch)
    if destroying is not None:
        destroying.let_go(gone)


def _tally(skipped: Sequence[Spared]) -> tuple[tuple[str, int], ...]:
    """How many each guard spared, for the journal."""
    counts = Counter(each.guard.value for each in skipped)
    return tuple((f"skipped_{guard}", counts[guard]) for guard in sorted(counts))


def _verdict(act: Act, plan: Plan, item: PlanItem, view: View) -> Guard | None:
    """The guard that spares a memory now, or None when it goes."""
    if item.memory_id not in view.records:
        return Guard.CHANGED
    guard = judge(act, plan.choice, subject_of(view, item.memory_id, plan.planned(item)))
    if guard is None and _used_meanwhile(plan, item, view):
        return Guard.USED
    return guard


def _used_meanwhile(plan: Plan, item: PlanItem, view: View) -> bool:
    """Whether a use was reported since the plan was made, be it counted or not.

    A second use on one day is not counted, and is a use all the same.
    """
    if plan.choice is Choice.NAMED and plan.verb is not PlanVerb.PRUNE:
        return False
    return any(
        each.enqueued_at > plan.created_at
        and each.weight > 0
        and each.source is not UseSource.REJECTED
        for each in view.events[item.memory_id]
    )


def _continued(
    plan: Plan, moving: Sequence[PlanItem], skipped: tuple[Spared, ...], now: Instant
) -> Application:
    """How far the plan has come after this batch."""
    before = plan.application or Application(began_at=now, ended_at=None)
    done = replace(
        before,
        applied=(*before.applied, *(each.memory_id for each in moving)),
        skipped=(*before.skipped, *skipped),
    )
    finished = not replace(plan, application=done).waiting
    return replace(done, ended_at=now if finished else None)


def _moved(verb: PlanVerb, state: RetentionState, move: Move) -> RetentionState:
    match verb:
        case PlanVerb.SUPPRESS:
            return suppressed(state, move)
        case PlanVerb.ARCHIVE:
            return archived(state, move)
        case PlanVerb.PRUNE:
            raise AssertionError("what is pruned is destroyed, not moved")
        case _:
            assert_never(verb)


def _ended(plan: Plan) -> bool:
    return plan.application is not None and plan.application.ended_at is not None


def _checked(view: View, runtime: BankRuntime, plan_id: str, now: Instant) -> Plan:
    """The plan as it is stored now, if it is what its name says and has not expired."""
    plan = view.plans.get(plan_id)
    if plan is None:
        raise no_such_plan(plan_id)
    if plan.ref != runtime.ref:
        raise _refusal(plan, "is of another bank")
    if plan.id != plan_id or plan.true_id != plan.id:
        raise _refusal(plan, "was altered since it was made: plan anew")
    if plan.status(now) is PlanStatus.EXPIRED:
        raise _refusal(plan, "has expired: plan anew")
    return plan


def _approval(policy: Policy, plan: Plan) -> Approval:
    """Who approved the plan, if that still is enough."""
    if plan.approval is None:
        raise _refusal(plan, "is not approved: approve it first, with a name and a reason")
    _check_people(policy, plan, plan.approval.by)
    return plan.approval


def _check_people(policy: Policy, plan: Plan, by: str) -> None:
    if policy.retention.two_person and same_person(by, plan.by):
        raise _refusal(plan, f"needs a second person: {by} planned it")


def _check_part(plan: Plan, ids: tuple[str, ...] | None) -> None:
    known = {each.memory_id for each in plan.items}
    unknown = [] if ids is None else [each for each in ids if each not in known]
    if unknown:
        raise NotFoundError(
            f"not in this plan: {', '.join(unknown)}",
            fields={"plan": plan.id, "ids": ", ".join(unknown)},
        )


def _refusal(plan: Plan, problem: str) -> PlanError:
    return PlanError(f"plan {plan.id} {problem}", fields={"plan": plan.id})
