"""Planning: what is read, in which order, and where a plan is written down.

Decides that uses are folded in and dates are brought up to the policy before anything is chosen,
that a plan is stored and journalled in one transaction, and that nothing else is written. Refuses
to choose: `lapse.lifecycle.planning` does.
"""

from collections.abc import Collection, Sequence
from dataclasses import replace

from lapse.engine.attending import WITHIN
from lapse.engine.canaries import shifts_of
from lapse.engine.choosing import read_choosing
from lapse.engine.core import Core
from lapse.engine.gathering import chosen as selected
from lapse.engine.people import check_planner
from lapse.engine.plan_requests import Wish, read_ask, read_verb
from lapse.engine.pruning import check_pruning, choose_prunable
from lapse.engine.reading import fetch
from lapse.engine.runtime import BankRuntime
from lapse.engine.upkeep import follow_policy
from lapse.engine.using import drain
from lapse.errors import NotFoundError, PlanError, ValidationError
from lapse.lifecycle.guards import Act, Subject, judge
from lapse.lifecycle.holds import holding
from lapse.lifecycle.plan_table import ORDER, Scene, active_count
from lapse.lifecycle.planning import Chosen, choose
from lapse.lifecycle.record_items import item_of
from lapse.lifecycle.suggesting import Suggestion, suggest
from lapse.model.changeset import Changes
from lapse.model.guards import Choice, Guard
from lapse.model.instants import Instant, plus_days
from lapse.model.journal import JournalDraft
from lapse.model.plan import (
    EXAMPLES,
    Plan,
    PlanAsk,
    PlanBy,
    PlanHead,
    PlanVerb,
    Sparing,
    totals_of,
)
from lapse.model.policy import Mode
from lapse.model.record import Record
from lapse.model.verbs import Verb
from lapse.model.view import Reads, View


def make_plan(core: Core, runtime: BankRuntime, wish: Wish) -> Plan:
    """Plan, store the plan and journal it. No memory and no state is touched by it.

    The same call at the same instant gives the plan that is there already.

    Raises:
        NotFoundError: A named memory is not in this bank.
        ValidationError: The wish contradicts itself or the policy, or does not tell who plans where
            the policy asks for two people.
        PlanError: Forgetting is off, or what should be destroyed may not be.
    """
    runtime.follow()
    check_planner(runtime.rule.policy, wish.by)
    return store_plan(core, runtime, draft_plan(core, runtime, wish))


def draft_plan(core: Core, runtime: BankRuntime, wish: Wish) -> Plan:
    """The plan that `make_plan` would write down, and nothing written. Raises as it does."""
    verb = read_verb(wish.verb)
    _check_mode(runtime, verb)
    _bring_up_to_date(core, runtime)
    now = core.now()
    scene = _scene(core, runtime, now)
    rule = runtime.rule
    ask, ids = read_ask(wish, rule.policy.retention, active_count(scene.snapshot))
    named = None
    if ask.by is PlanBy.IDS:
        selector = read_choosing(ids, wish.where)
        named = fetch(core, runtime, selected(core, runtime, selector, WITHIN[verb.act]))
    if verb is PlanVerb.PRUNE:
        chosen = choose_prunable(core, runtime, ask, named, now)
    elif named is not None:
        chosen = _named(core, runtime, ask, verb, named, now)
    else:
        chosen = choose(ask, verb, scene)
    leaving = [] if verb is PlanVerb.PRUNE else [each.memory_id for each in chosen.items]
    expiry_days = rule.policy.retention.plan_expiry_days
    made = Plan(
        id="",
        ref=runtime.ref,
        verb=verb,
        by=str(wish.by),
        ask=ask,
        policy=rule.fingerprint,
        created_at=now,
        expires_at=plus_days(now, expiry_days),
        considered=chosen.considered,
        left_out=chosen.left_out,
        totals=totals_of(chosen.items),
        spared=chosen.spared,
        canaries=shifts_of(core, runtime, now, leaving),
        items=chosen.items,
    )
    return replace(made, id=made.true_id)


def make_budget_plan(core: Core, runtime: BankRuntime, wish: Wish) -> Plan:
    """`make_plan` to a budget: the policy's own where the wish names none.

    Raises:
        ValidationError: Neither names one.
    """
    if wish.max_active is None and wish.keep_fraction is None:
        runtime.follow()
        own = runtime.rule.policy.retention.max_active
        if own is None:
            problem = "the policy has no budget: give max_active or keep_fraction"
            raise ValidationError.of("max_active", None, problem)
        wish = replace(wish, max_active=own)
    return make_plan(core, runtime, wish)


def suggest_levels(core: Core, runtime: BankRuntime, wish: Wish) -> Suggestion:
    """Show how the scores are spread and where levels would cut. Nothing is written.

    Raises:
        ValidationError: An unknown score or kind.
        PlanError: Forgetting is off.
    """
    _check_mode(runtime, PlanVerb.SUPPRESS)
    # A percentile of everything: it needs a score and no level.
    scene = _scene(core, runtime, core.now())
    retention = runtime.rule.policy.retention
    score = retention.score.value if wish.score is None else wish.score
    whole = replace(wish, percentile=100.0, score=score)
    ask, _ = read_ask(whole, retention, active_count(scene.snapshot))
    return suggest(ask, scene)


def find_plan(core: Core, runtime: BankRuntime, plan_id: str) -> Plan:
    """A stored plan of this bank.

    Raises:
        NotFoundError: No such plan in this bank.
    """
    found = core.parts.store.plan(runtime.ref, plan_id)
    if found is None:
        raise no_such_plan(plan_id)
    return found


def list_plans(core: Core, runtime: BankRuntime, limit: int) -> Sequence[PlanHead]:
    """The bank's latest plans, the newest first, without their items."""
    return core.parts.store.plans(runtime.ref, limit)


def no_such_plan(plan_id: str) -> NotFoundError:
    """The error for a plan that is not in this bank."""
    return NotFoundError(f"no such plan in this bank: {plan_id}", fields={"plan": plan_id})


def _check_mode(runtime: BankRuntime, verb: PlanVerb) -> None:
    runtime.follow()
    if runtime.rule.mode is Mode.OFF:
        raise PlanError("forgetting is off: set forgetting.enabled and a mode to plan")
    if verb is PlanVerb.PRUNE:
        check_pruning(runtime)


def _bring_up_to_date(core: Core, runtime: BankRuntime) -> None:
    """Fold in the uses that wait, and date the fading by the policy in force."""
    if runtime.bank is not None:
        drain(core, runtime)
        follow_policy(core, runtime)


def _scene(core: Core, runtime: BankRuntime, now: Instant) -> Scene:
    snapshot = runtime.refresh()
    store, ref, rule = core.parts.store, runtime.ref, runtime.rule
    holds = store.holds(ref)

    def held(ids: Sequence[str]) -> Collection[str]:
        if not holds:
            return ()
        records = core.get(ref, ids)
        return {each.memory.id for each in records if holding(holds, each.memory)}

    return Scene(
        snapshot=snapshot,
        policy=rule.policy,
        law=rule.law,
        now=now,
        held=held,
        cited=lambda ids: store.cited_by(ref, ids),
    )


def _named(
    core: Core,
    runtime: BankRuntime,
    ask: PlanAsk,
    verb: PlanVerb,
    records: Sequence[Record],
    now: Instant,
) -> Chosen:
    """The memories that somebody named, but for those that a guard spares all the same."""
    policy = runtime.rule.policy
    holds = core.parts.store.holds(runtime.ref)
    act = Act(verb=verb.act, policy=policy, now=now)
    spared: dict[Guard, list[str]] = {}
    free: list[Record] = []
    for record in records:
        subject = Subject(record=record, holds=holding(holds, record.memory))
        guard = judge(act, Choice.NAMED, subject)
        if guard is None:
            free.append(record)
        else:
            spared.setdefault(guard, []).append(record.memory.id)
    limit = ask.limit
    return Chosen(
        items=tuple(item_of(runtime.rule.policy, verb, each) for each in free[:limit]),
        considered=len(records),
        left_out=max(len(free) - limit, 0),
        spared=tuple(
            Sparing(guard=each, count=len(spared[each]), examples=tuple(spared[each][:EXAMPLES]))
            for each in ORDER
            if each in spared
        ),
    )


def store_plan(core: Core, runtime: BankRuntime, made: Plan) -> Plan:
    """Write a plan down and journal it; one that is kept already stays as it is."""
    known: list[Plan] = []

    def judge_plan(view: View) -> Changes:
        known.extend(view.plans.values())
        if known:
            return Changes()
        counts = (("planned", len(made.items)), ("spared", sum(s.count for s in made.spared)))
        entry = JournalDraft(
            verb=Verb.PLAN, at=made.created_at, by=made.by, counts=counts, about=made.id
        )
        return Changes(plans=(made,), journal=entry)

    core.commit(Verb.PLAN, runtime.ref, made.created_at, Reads(plans=(made.id,)), judge_plan)
    return known[0] if known else made
