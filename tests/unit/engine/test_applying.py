"""Approving and applying plans: what is checked again, what is skipped, what is refused."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from lapse.engine.applying import apply_plan
from lapse.errors import NotFoundError, PlanError, StoreError, ValidationError
from lapse.model.changeset import Changes, ChangeSet
from lapse.model.guards import Guard
from lapse.model.hold import Hold, HoldScope, HoldTarget
from lapse.model.instants import Instant
from lapse.model.journal import JournalDraft
from lapse.model.plan import Plan, PlanStatus
from lapse.model.retention import Lifecycle
from lapse.model.verbs import Verb
from lapse.model.view import Reads, View
from lapse.ports import Store
from lapse.testing.fakes import START
from tests.unit.engine.opening import Opened, WatchedStore, opened

TIDY = "quarterly tidy"


def _old(lapse: Opened, *names: str) -> Plan:
    """Memories that have long faded, and a plan for them."""
    for name in names:
        lapse.alice.remember(f"{name} is something", id=name, importance=0.1)
    lapse.clock.advance(days=60)
    return lapse.alice.plan(by="planner")


def _approved(lapse: Opened, plan: Plan) -> Plan:
    return lapse.alice.approve(plan.id, by="boss", reason=TIDY)


def _skipped(plan: Plan) -> dict[str, Guard]:
    assert plan.application is not None
    return {each.memory_id: each.guard for each in plan.application.skipped}


def _applied(plan: Plan) -> tuple[str, ...]:
    assert plan.application is not None
    return plan.application.applied


def _lifecycle(lapse: Opened, name: str) -> Lifecycle:
    return lapse.alice.get(name).state.lifecycle


def _hold(lapse: Opened, *ids: str) -> None:
    target = HoldTarget(scope=HoldScope.IDS, values=ids)
    hold = Hold(name="matter", target=target, holder="clerk", reason="law", placed_at=START)
    now = lapse.clock.now()

    def judge(_view: View) -> Changes:
        entry = JournalDraft(verb=Verb.HOLD, at=now, by="clerk")
        return Changes(holds_placed=(hold,), journal=entry)

    lapse.core.commit(Verb.HOLD, lapse.alice.ref, now, Reads(), judge)


@pytest.mark.parametrize("verb", ["suppress", "archive"])
def test_what_was_planned_and_approved_moves_and_says_by_whom_and_why(
    lapse: Opened, verb: str
) -> None:
    _old(lapse, "a", "b")
    plan = lapse.alice.plan(verb, by="planner")
    _approved(lapse, plan)

    done = lapse.alice.apply(plan.id)

    assert done.status(lapse.clock.now()) is PlanStatus.APPLIED
    assert _applied(done) == ("a", "b")
    state = lapse.alice.get("a").state
    assert state.lifecycle is (Lifecycle.SUPPRESSED if verb == "suppress" else Lifecycle.ARCHIVED)
    assert state.transition is not None
    assert (state.transition.by, state.transition.reason) == ("boss", TIDY)
    assert state.transition.plan_id == plan.id
    entry = lapse.store.journal(lapse.alice.ref, 0, 100)[-1]
    assert (entry.verb, entry.about, entry.reason) == (Verb.APPLY, plan.id, TIDY)
    assert dict(entry.counts) == {"applied": 2, "skipped": 0}


def _corrected(lapse: Opened) -> None:
    lapse.alice.update("a", text="a is something else")


def _used(lapse: Opened) -> None:
    lapse.alice.used(["a"])


def _used_and_drained(lapse: Opened) -> None:
    lapse.alice.used(["a"])
    lapse.alice.drain()


def _cited(lapse: Opened) -> None:
    lapse.alice.remember("a summary", id="summary", derived_from=["a"])


def _pinned(lapse: Opened) -> None:
    lapse.alice.pin(["a"])


def _verified(lapse: Opened) -> None:
    lapse.alice.verify_outcome(["a"])


def _exempted(lapse: Opened) -> None:
    lapse.alice.exempt(["a"], reason="contract")


def _held(lapse: Opened) -> None:
    _hold(lapse, "a")


def _moved(lapse: Opened) -> None:
    other = lapse.alice.plan("archive", ids=["a"])
    lapse.alice.approve(other.id, by="boss", reason="now")
    lapse.alice.apply(other.id)


def _back_in_time(lapse: Opened) -> None:
    lapse.clock.advance(days=-58)
    lapse.alice.remember("b", id="unrelated")


@pytest.mark.parametrize(
    ("happening", "guard"),
    [
        (_corrected, Guard.CHANGED),
        (_used, Guard.IN_GRACE),
        (_used_and_drained, Guard.IN_GRACE),
        (_cited, Guard.CITED),
        (_pinned, Guard.PINNED),
        (_verified, Guard.VERIFIED),
        (_exempted, Guard.EXEMPT),
        (_held, Guard.HOLD),
        (_moved, Guard.ALREADY_THERE),
    ],
)
def test_what_happened_to_a_memory_since_it_was_planned_spares_it_and_only_it(
    lapse: Opened, happening: Callable[[Opened], None], guard: Guard
) -> None:
    plan = _old(lapse, "a", "b")
    _approved(lapse, plan)
    happening(lapse)
    before = lapse.alice.get("a").state.lifecycle

    done = lapse.alice.apply(plan.id)

    assert _skipped(done) == {"a": guard}
    assert _applied(done) == ("b",)
    assert _lifecycle(lapse, "a") is before
    assert _lifecycle(lapse, "b") is Lifecycle.SUPPRESSED


def test_a_use_since_a_budget_was_planned_spares_the_memory(store: Store) -> None:
    lapse = opened(store, policy={"retention": {"grace_days": 0.0}})
    _old(lapse, "a", "b", "c")
    plan = lapse.alice.plan_to_budget(max_active=1, score="need")
    _approved(lapse, plan)
    lapse.alice.used([plan.items[0].memory_id])

    done = lapse.alice.apply(plan.id)

    assert _skipped(done) == {"a": Guard.USED}
    assert _applied(done) == ("b",)


def test_a_clock_that_went_back_takes_nothing(lapse: Opened) -> None:
    plan = _old(lapse, "a", "b")
    _approved(lapse, plan)
    _back_in_time(lapse)

    done = lapse.alice.apply(plan.id)

    assert set(_skipped(done).values()) == {Guard.IN_GRACE}


def test_a_hold_on_everything_empties_the_application(lapse: Opened) -> None:
    plan = _old(lapse, "a", "b", "c")
    _approved(lapse, plan)
    _hold(lapse, "a", "b", "c")

    done = lapse.alice.apply(plan.id)

    assert _applied(done) == ()
    assert set(_skipped(done).values()) == {Guard.HOLD}
    assert done.status(lapse.clock.now()) is PlanStatus.APPLIED


def test_applied_again_a_plan_changes_nothing_at_all(lapse: Opened) -> None:
    plan = _old(lapse, "a", "b")
    _approved(lapse, plan)
    done = lapse.alice.apply(plan.id)
    revision = lapse.store.revision(lapse.alice.ref)
    lapse.clock.advance(days=300)

    assert lapse.alice.apply(plan.id) == done
    assert lapse.store.revision(lapse.alice.ref) == revision


def test_an_empty_plan_is_approved_and_applied_like_any_other(lapse: Opened) -> None:
    plan = lapse.alice.plan()
    _approved(lapse, plan)

    assert lapse.alice.apply(plan.id).status(lapse.clock.now()) is PlanStatus.APPLIED


def test_cut_off_half_way_a_plan_goes_on_where_it_was_even_when_it_expired_meanwhile() -> None:
    store = WatchedStore()
    lapse = opened(store)
    plan = _old(lapse, "a", "b", "c", "d", "e")
    _approved(lapse, plan)
    runtime = lapse.core.runtime(lapse.alice.ref)
    commits: list[Verb] = []

    def fail_at_the_third(change: ChangeSet) -> None:
        commits.append(change.verb)
        if commits.count(Verb.APPLY) == 3:
            raise StoreError("the disk is gone")

    store.before = fail_at_the_third
    with pytest.raises(StoreError):
        apply_plan(lapse.core, runtime, plan.id, batch=2)
    begun = lapse.alice.get_plan(plan.id)
    assert begun.status(lapse.clock.now()) is PlanStatus.APPLYING
    assert _applied(begun) == ("a", "b", "c", "d")
    assert _lifecycle(lapse, "e") is Lifecycle.ACTIVE

    lapse.clock.advance(days=30)
    done = apply_plan(lapse.core, runtime, plan.id, batch=2)

    assert _applied(done) == ("a", "b", "c", "d", "e")
    entries = [each for each in store.journal(lapse.alice.ref, 0, 100) if each.verb is Verb.APPLY]
    assert [dict(each.counts)["applied"] for each in entries] == [2, 2, 1]


def test_two_who_apply_at_once_do_each_memory_once() -> None:
    store = WatchedStore()
    lapse = opened(store)
    plan = _old(lapse, "a", "b", "c")
    _approved(lapse, plan)
    runtime = lapse.core.runtime(lapse.alice.ref)
    waiting = [True]

    def other_comes_first(change: ChangeSet) -> None:
        if change.verb is Verb.APPLY and waiting:
            waiting.clear()
            apply_plan(lapse.core, runtime, plan.id, batch=2)

    store.before = other_comes_first

    done = apply_plan(lapse.core, runtime, plan.id, batch=2)

    assert _applied(done) == ("a", "b", "c")


def test_only_an_approved_plan_is_applied(lapse: Opened) -> None:
    plan = _old(lapse, "a")

    with pytest.raises(PlanError, match="not approved"):
        lapse.alice.apply(plan.id)
    assert _lifecycle(lapse, "a") is Lifecycle.ACTIVE


def test_an_expired_plan_is_neither_approved_nor_applied(lapse: Opened) -> None:
    plan = _old(lapse, "a")
    _approved(lapse, plan)
    lapse.clock.set(plan.expires_at)

    with pytest.raises(PlanError, match="expired"):
        lapse.alice.apply(plan.id)
    with pytest.raises(PlanError, match="expired"):
        _approved(lapse, plan)
    lapse.clock.set(Instant(plan.expires_at - 1))
    assert _applied(lapse.alice.apply(plan.id)) == ("a",)


def test_a_part_of_a_plan_can_be_approved_and_is_recorded(lapse: Opened) -> None:
    plan = _old(lapse, "a", "b", "c")

    approved = lapse.alice.approve(plan.id, by="boss", reason=TIDY, ids=["c", "a"])
    done = lapse.alice.apply(plan.id)

    assert approved.approval is not None
    assert approved.approval.memory_ids == ("c", "a")
    assert _applied(done) == ("a", "c")
    assert _lifecycle(lapse, "b") is Lifecycle.ACTIVE
    with pytest.raises(NotFoundError, match="nobody"):
        lapse.alice.approve(lapse.alice.plan().id, by="boss", reason=TIDY, ids=["nobody"])


def test_an_approval_is_repeated_without_effect_and_replaced_until_something_moved(
    lapse: Opened,
) -> None:
    plan = _old(lapse, "a", "b")
    first = _approved(lapse, plan)
    lapse.clock.advance(days=1)

    assert _approved(lapse, plan) == first
    second = lapse.alice.approve(plan.id, by="chief", reason="only one", ids=["b"])
    assert second.approval is not None
    assert second.approval.by == "chief"
    lapse.alice.apply(plan.id)
    with pytest.raises(PlanError, match="begun"):
        _approved(lapse, plan)


def test_with_two_people_whoever_planned_may_not_approve(store: Store) -> None:
    lapse = opened(store, policy={"retention": {"two_person": True}})
    plan = _old(lapse, "a")

    with pytest.raises(PlanError, match="second person"):
        lapse.alice.approve(plan.id, by="planner", reason=TIDY)
    _approved(lapse, plan)
    assert _applied(lapse.alice.apply(plan.id)) == ("a",)


def test_a_second_person_is_asked_for_again_when_a_plan_is_applied(lapse: Opened) -> None:
    plan = _old(lapse, "a")
    lapse.alice.approve(plan.id, by="planner", reason=TIDY)
    lapse.alice.set_policy({"retention": {"two_person": True}})

    with pytest.raises(PlanError, match="second person"):
        lapse.alice.apply(plan.id)


@pytest.mark.parametrize(("by", "reason"), [("", TIDY), ("boss", ""), ("boss", "  "), (" ", " ")])
def test_an_approval_needs_a_name_and_a_reason(lapse: Opened, by: str, reason: str) -> None:
    plan = _old(lapse, "a")

    with pytest.raises(ValidationError):
        lapse.alice.approve(plan.id, by=by, reason=reason)
    with pytest.raises(ValidationError):
        lapse.alice.approve(plan.id, by="boss", reason=TIDY, ids=[])


def test_plans_that_are_not_there_are_not_found(lapse: Opened) -> None:
    plan = _old(lapse, "a")
    bob = lapse.mind.bank("bob")
    elsewhere = lapse.mind.bank("alice", tenant="other")

    for bank in (bob, elsewhere):
        with pytest.raises(NotFoundError):
            bank.approve(plan.id, by="boss", reason=TIDY)
        with pytest.raises(NotFoundError):
            bank.apply(plan.id)


def test_where_forgetting_was_switched_off_nothing_is_applied(lapse: Opened) -> None:
    plan = _old(lapse, "a")
    _approved(lapse, plan)
    lapse.alice.set_policy({"forgetting": {"enabled": False}})

    with pytest.raises(PlanError, match="off"):
        lapse.alice.apply(plan.id)


def test_a_memory_that_is_gone_is_skipped(lapse: Opened) -> None:
    plan = _old(lapse, "a", "b")
    _approved(lapse, plan)
    now = lapse.clock.now()

    def judge(_view: View) -> Changes:
        entry = JournalDraft(verb=Verb.UPDATE, at=now, by="eraser", memory_ids=("a",))
        return Changes(removed=("a",), journal=entry)

    lapse.store.commit(
        ChangeSet(verb=Verb.UPDATE, ref=lapse.alice.ref, now=now, reads=Reads(), judge=judge)
    )

    assert _skipped(lapse.alice.apply(plan.id)) == {"a": Guard.CHANGED}


def test_four_threads_that_apply_at_once_do_each_memory_once(lapse: Opened) -> None:
    names = [f"m{at:02}" for at in range(12)]
    plan = _old(lapse, *names)
    _approved(lapse, plan)
    runtime = lapse.core.runtime(lapse.alice.ref)

    with ThreadPoolExecutor(4) as pool:
        ended = list(
            pool.map(lambda _: apply_plan(lapse.core, runtime, plan.id, batch=2), range(4))
        )

    assert all(_applied(each) == tuple(names) for each in ended)
    journal = lapse.store.journal(lapse.alice.ref, 0, 1000)
    moved = [item.row for each in journal if each.verb is Verb.APPLY for item in each.items]
    assert len(moved) == len(set(moved)) == 12
    assert list(lapse.alice.doctor()) == []
