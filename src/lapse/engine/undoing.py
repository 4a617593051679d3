"""Undoing a plan: bringing back what it moved, as far as it is still where the plan put it.

Decides that only what the plan itself moved last comes back: what was moved on since, by whomever,
stays where it is. Refuses to move by itself (`lapse.lifecycle.attending`).
"""

from collections.abc import Sequence
from dataclasses import replace

from lapse.engine.attending import Actor, Moved
from lapse.engine.core import Core
from lapse.engine.planning import find_plan
from lapse.engine.runtime import BankRuntime
from lapse.errors import PlanError
from lapse.lifecycle.attending import judge_returns
from lapse.lifecycle.moving import Move
from lapse.model.changeset import Changes
from lapse.model.journal import JournalDraft
from lapse.model.outcome import Action
from lapse.model.plan import PlanVerb
from lapse.model.verbs import Verb
from lapse.model.view import Reads, View

BATCH = 1_000
"""Memories brought back by one transaction."""


def restore_plan(core: Core, runtime: BankRuntime, plan_id: str, actor: Actor) -> Moved:
    """Undo what a plan did, exactly.

    Returns:
        What came back; what is elsewhere by now, or gone, is unchanged.

    Raises:
        NotFoundError: No such plan in this bank.
        PlanError: It destroyed what it took.
    """
    runtime.follow()
    plan = find_plan(core, runtime, plan_id)
    if plan.verb is PlanVerb.PRUNE:
        raise PlanError(
            f"plan {plan_id} prunes: what it took was destroyed, and nothing brings it back",
            fields={"plan": plan_id},
        )
    applied = () if plan.application is None else plan.application.applied
    back: list[str] = []
    for start in range(0, len(applied), BATCH):
        back += _restore_part(core, runtime, plan_id, actor, applied[start : start + BATCH])
    returned = frozenset(back)
    return Moved(
        verb=Verb.RESTORE,
        applied=True,
        ids=tuple(back),
        unchanged=tuple(each for each in applied if each not in returned),
    )


def _restore_part(
    core: Core, runtime: BankRuntime, plan_id: str, actor: Actor, ids: Sequence[str]
) -> list[str]:
    now, rule = core.now(), runtime.rule
    move = Move(at=now, by=actor.by, reason=actor.reason)
    entry = JournalDraft(
        verb=Verb.RESTORE,
        at=now,
        by=actor.by,
        about=plan_id,
        reason=actor.reason,
        reason_salt=core.parts.entropy(16),
    )

    def judge(view: View) -> Changes:
        still = tuple(each for each in ids if _moved_by(plan_id, each, view))
        changes = judge_returns(
            move,
            still,
            view,
            dating=rule.date,
            grace_days=rule.policy.retention.grace_days,
            journal=entry,
        )
        return changes if still else replace(changes, journal=None)

    committed = core.commit(Verb.RESTORE, runtime.ref, now, Reads(ids=tuple(ids)), judge)
    outcomes = committed.changes.outcomes
    return [each.memory_id for each in outcomes if each.action is Action.UPDATED]


def _moved_by(plan_id: str, memory_id: str, view: View) -> bool:
    record = view.records.get(memory_id)
    last = None if record is None else record.state.transition
    return last is not None and last.plan_id == plan_id
