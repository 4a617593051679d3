"""A sweep of one bank: what goes, what stays, what is written and what is told."""

from collections.abc import Iterable
from dataclasses import replace

import pytest

from lapse.engine.sweeping import PORTION
from lapse.errors import ValidationError
from lapse.model.changeset import ChangeSet
from lapse.model.guards import Guard
from lapse.model.instants import DAY
from lapse.model.plan import PlanStatus
from lapse.model.sweep import Departed, Ending, SweepOutcome
from lapse.model.verbs import Verb
from lapse.ports import Store
from lapse.testing.fakes import ALICE, SequentialIds
from tests.unit.engine.opening import Opened, WatchedStore, opened
from tests.unit.engine.sweeping import ASKING, AUTO, active, spared, swept, tell

# --- what goes, and when -------------------------------------------------------------------


def test_nothing_goes_before_its_grace_period_is_over_and_everything_after(store: Store) -> None:
    lapse = opened(store, policy=AUTO)
    tell(lapse.alice, 5)
    record = lapse.alice.get("m0000")
    assert record.state.fades_at is not None
    lapse.clock.set(record.state.fades_at + 30 * DAY - 1)
    assert swept(lapse.alice).visited == 0
    lapse.clock.set(record.state.fades_at + 30 * DAY)
    report = swept(lapse.alice)
    assert (report.visited, report.applied, report.ending) == (5, 5, Ending.DONE)
    assert active(lapse.alice) == []


def test_an_expiry_needs_no_grace_and_whatever_has_none_waits(store: Store) -> None:
    lapse = opened(store, policy=AUTO)
    lapse.alice.remember("The ticket is at the desk", id="ticket", expires_at="2026-03-05T00:00Z")
    lapse.alice.remember("The ferry leaves at nine", id="ferry")
    lapse.clock.set("2026-03-04T23:59Z")
    assert swept(lapse.alice).visited == 0
    lapse.clock.set("2026-03-05T00:00Z")
    report = swept(lapse.alice)
    assert report.applied == 1
    assert active(lapse.alice) == ["ferry"]
    state = lapse.alice.get("ticket").state
    assert state.transition is not None
    assert state.transition.by == f"policy:{report.policy}"


def test_importance_does_not_spare_what_has_expired_and_a_pin_does(store: Store) -> None:
    lapse = opened(store, policy=AUTO)
    for name in ("ticket", "pass"):
        lapse.alice.remember(
            f"The {name} is at the desk", id=name, importance=1.0, expires_at="2026-03-05T00:00Z"
        )
    lapse.alice.pin(["pass"])
    lapse.clock.set("2026-03-04T23:59Z")
    assert swept(lapse.alice).visited == 0
    assert [each.memory_id for each in lapse.alice.plan().items] == []
    lapse.clock.set("2026-03-05T00:00Z")
    assert [each.memory_id for each in lapse.alice.plan().items] == ["ticket"]
    report = swept(lapse.alice)
    assert (report.visited, report.applied) == (1, 1)
    assert active(lapse.alice) == ["pass"]


def test_importance_is_told_as_the_guard_of_what_faded_and_has_yet_to_expire(store: Store) -> None:
    lapse = opened(store, policy=AUTO)
    lapse.alice.remember(
        "The ticket is at the desk", id="ticket", importance=1.0, expires_at="2900-01-01T00:00Z"
    )
    lapse.clock.advance(days=36_500)
    plan = lapse.alice.plan()
    assert [(each.guard, each.count) for each in plan.spared] == [(Guard.IMPORTANT, 1)]
    assert plan.items == ()


def test_grace_may_count_from_creation(store: Store) -> None:
    lapse = opened(store, policy=AUTO | {"retention.grace_anchor": "created"})
    tell(lapse.alice, 2)
    lapse.clock.advance(days=29)
    report = swept(lapse.alice)
    assert spared(report) == {Guard.IN_GRACE: 2}
    lapse.clock.advance(days=1)
    assert swept(lapse.alice).applied == 2


def test_a_sweep_under_a_score_without_dates_reads_the_columns(store: Store) -> None:
    policy = AUTO | {"retention.score": "mean", "retention.level": 0.2}
    lapse = opened(store, policy=policy)
    tell(lapse.alice, 3)
    tell(lapse.alice, 2, importance=0.8, start=3)
    lapse.clock.advance(days=60)
    report = swept(lapse.alice)
    assert report.applied == 3
    assert active(lapse.alice) == ["m0003", "m0004"]
    assert swept(lapse.alice).applied == 0


def test_kinds_the_policy_leaves_out_stay(store: Store) -> None:
    lapse = opened(store, policy=AUTO | {"retention.kinds": ["episodic"]})
    tell(lapse.alice, 2)
    lapse.alice.remember("Lunch was soup", id="lunch", kind="episodic", importance=0.0)
    lapse.clock.advance(days=90)
    assert swept(lapse.alice).applied == 1
    assert active(lapse.alice) == ["m0000", "m0001"]


def test_above_the_budget_the_least_worth_goes_too(store: Store) -> None:
    policy = AUTO | {"retention.max_active": 4, "retention.grace_days": 0}
    lapse = opened(store, policy=policy)
    tell(lapse.alice, 6, importance=0.6)
    lapse.alice.used(["m0005"])
    lapse.clock.advance(days=2)
    report = swept(lapse.alice)
    assert (report.applied, report.active_before, report.active_after) == (2, 6, 4)
    assert "m0005" in active(lapse.alice)
    assert swept(lapse.alice).applied == 0


# --- what is spared ------------------------------------------------------------------------


def test_what_is_spared_is_passed_over_and_uses_up_no_limit(store: Store) -> None:
    lapse = opened(store, policy=AUTO)
    tell(lapse.alice, 20)
    lapse.alice.hold("case", ids=[f"m{at:04}" for at in range(6)], by="counsel", reason="case 7")
    lapse.alice.remember("Ships came", id="all", derived_from=["m0006", "m0007"], importance=0.8)
    lapse.alice.pin(["m0008"])
    lapse.clock.advance(days=90)
    before = {each.memory.id: each.state for each in lapse.alice.list().records}

    report = swept(lapse.alice, limit=4)
    assert (report.applied, report.ending) == (4, Ending.MORE)
    assert spared(report) == {Guard.HOLD: 6, Guard.CITED: 2}
    rest = swept(lapse.alice)
    assert (rest.applied, rest.ending) == (7, Ending.DONE)

    kept = ["m0000", "m0001", "m0002", "m0003", "m0004", "m0005", "m0006", "m0007", "m0008", "all"]
    assert active(lapse.alice) == kept
    after = {each.memory.id: each.state for each in lapse.alice.list().records}
    assert [after[each] for each in kept] == [before[each] for each in kept]


def test_a_use_that_comes_in_while_a_portion_is_chosen_keeps_its_memory() -> None:
    store = WatchedStore()
    lapse = opened(store, policy=AUTO)
    tell(lapse.alice, 3)
    lapse.clock.advance(days=90)

    def use_just_before(change: ChangeSet) -> None:
        if change.verb is Verb.SWEEP:
            store.before = lambda _: None
            lapse.alice.used(["m0001"])

    store.before = use_just_before
    report = swept(lapse.alice)
    assert spared(report) == {Guard.USED: 1}
    assert active(lapse.alice) == ["m0001"]


def test_what_was_restored_is_not_swept_again_at_once(store: Store) -> None:
    lapse = opened(store, policy=AUTO)
    tell(lapse.alice, 3)
    lapse.clock.advance(days=90)
    swept(lapse.alice)
    lapse.alice.restore(["m0001"], by="owner", reason="wanted")
    report = swept(lapse.alice)
    assert (report.applied, spared(report)) == (0, {Guard.RECENTLY_RESTORED: 1})
    lapse.clock.advance(days=31)
    assert swept(lapse.alice).applied == 1


# --- once and no more ----------------------------------------------------------------------


@pytest.mark.parametrize("policy", [AUTO, ASKING], ids=["applying", "asking"])
def test_a_second_sweep_at_the_same_instant_writes_nothing(
    store: Store, policy: dict[str, object]
) -> None:
    lapse = opened(store, policy=policy)
    tell(lapse.alice, 9)
    lapse.alice.hold("case", ids=["m0003"], by="counsel", reason="case 7")
    lapse.clock.advance(days=90)
    first = swept(lapse.alice)
    assert first.planned == 8
    revision, journal = store.revision(ALICE), store.journal(ALICE, 0, 100)
    again = swept(lapse.alice)
    assert again.applied == 0
    assert store.revision(ALICE) == revision
    assert store.journal(ALICE, 0, 100) == journal
    assert len(store.sweeps(ALICE, 9)) == 1


def test_a_sweep_that_was_cut_off_goes_on_with_what_is_still_due() -> None:
    store = WatchedStore()
    lapse = opened(store, policy=AUTO)
    tell(lapse.alice, 2 * PORTION + 5)
    lapse.clock.advance(days=90)
    commits: list[ChangeSet] = []

    def die_at_the_second(change: ChangeSet) -> None:
        commits.append(change)
        if change.verb is Verb.SWEEP and sum(each.verb is Verb.SWEEP for each in commits) == 2:
            raise KeyboardInterrupt

    store.before = die_at_the_second
    with pytest.raises(KeyboardInterrupt):
        lapse.alice.sweep()
    store.before = lambda _: None
    assert store.active(ALICE) == PORTION + 5

    heir = opened(store, policy=AUTO, clock=lapse.clock, ids=SequentialIds("h"))
    assert heir.alice.sweep().outcome is SweepOutcome.ALREADY_RUNNING
    lapse.clock.advance(seconds=61)
    assert swept(heir.alice).applied == PORTION + 5
    moved = [
        row
        for each in store.journal(ALICE, 0, 100)
        if each.verb is Verb.SWEEP
        for row in each.items
    ]
    assert len(moved) == len(set(moved)) == 2 * PORTION + 5


def test_a_limit_spreads_a_sweep_over_several(store: Store) -> None:
    lapse = opened(store, policy=AUTO)
    tell(lapse.alice, 10)
    lapse.clock.advance(days=90)
    assert [swept(lapse.alice, limit=4).applied for _ in range(4)] == [4, 4, 2, 0]


def test_the_oldest_date_goes_first(store: Store) -> None:
    lapse = opened(store, policy=AUTO)
    tell(lapse.alice, 2, importance=0.1)
    tell(lapse.alice, 2, importance=0.0, start=2)
    lapse.clock.advance(days=300)
    swept(lapse.alice, limit=2)
    assert active(lapse.alice) == ["m0000", "m0001"]


# --- asking instead of doing ---------------------------------------------------------------


def test_without_auto_apply_a_plan_awaits_approval(store: Store) -> None:
    lapse = opened(store, policy=ASKING)
    tell(lapse.alice, 4)
    lapse.clock.advance(days=90)
    report = swept(lapse.alice)
    assert (report.planned, report.applied) == (4, 0)
    assert len(active(lapse.alice)) == 4
    (plan_id,) = report.plan_ids
    plan = store.plan(ALICE, plan_id)
    assert plan is not None
    assert plan.status(lapse.clock.now()) is PlanStatus.PLANNED
    assert plan.true_id == plan_id
    assert [each.memory_id for each in plan.items] == ["m0000", "m0001", "m0002", "m0003"]


def test_a_plan_that_waits_already_is_not_made_again_until_more_is_due(store: Store) -> None:
    lapse = opened(store, policy=ASKING)
    tell(lapse.alice, 4)
    lapse.clock.advance(days=90)
    first = swept(lapse.alice)
    lapse.clock.advance(days=1)
    again = swept(lapse.alice)
    assert again.plan_ids == first.plan_ids
    lapse.clock.advance(days=10)
    expired = swept(lapse.alice)
    assert expired.plan_ids != first.plan_ids
    assert len(store.plans(ALICE, 9)) == 2


# --- when it may not -----------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["off", "observe", "rank", "filter"])
def test_only_the_mode_lifecycle_is_swept_and_the_answer_says_so(store: Store, mode: str) -> None:
    lapse = opened(store, policy={"forgetting.mode": mode})
    tell(lapse.alice, 2)
    lapse.clock.advance(days=900)
    done = lapse.alice.sweep()
    assert (done.outcome, done.report) == (SweepOutcome.NOT_SWEPT, None)
    assert "lifecycle" in done.note
    assert len(active(lapse.alice)) == 2


def test_a_bank_that_does_not_exist_is_not_made_by_a_sweep(store: Store) -> None:
    lapse = opened(store, policy=AUTO)
    assert lapse.alice.sweep().outcome is SweepOutcome.NOT_SWEPT
    assert store.bank(ALICE) is None


@pytest.mark.parametrize(
    "wrong", [{"limit": 0}, {"limit": "x"}, {"time_budget_s": -1}, {"time_budget_s": "soon"}]
)
def test_what_is_no_limit_or_time_is_refused(lapse: Opened, wrong: dict[str, object]) -> None:
    with pytest.raises(ValidationError) as caught:
        lapse.alice.sweep(**wrong)  # type: ignore[arg-type]  # wrong on purpose
    assert [each.field for each in caught.value.faults] == list(wrong)


# --- what is told --------------------------------------------------------------------------


def test_a_report_adds_up(store: Store) -> None:
    lapse = opened(store, policy=AUTO)
    tell(lapse.alice, 3)
    lapse.clock.advance(days=10)
    tell(lapse.alice, 1, importance=0.1, start=3)
    lapse.clock.advance(days=90)
    first = swept(lapse.alice)
    assert (first.active_before, first.active_after, first.grown) == (4, 0, None)
    assert first.departed == Departed(
        count=4, mean_age_days=97.5, mean_importance=0.025, mean_confidence=0.5
    )
    tell(lapse.alice, 7, importance=0.7, start=10)
    lapse.clock.advance(days=1)
    second = swept(lapse.alice)
    assert (second.grown, second.active_before) == (7, 7)
    assert lapse.alice.stats(history=True).sweeps == (first, second)
    assert lapse.alice.stats().sweeps is None


# --- dates that are stale ------------------------------------------------------------------


def test_a_sweep_first_brings_stale_dates_up_to_the_policy(store: Store) -> None:
    tell(opened(store, policy=AUTO).alice, 6, importance=0.3)
    lapse = opened(store, policy=AUTO | {"law.decay": 0.9, "retention.grace_days": 0})
    lapse.clock.advance(days=20)
    report = swept(lapse.alice)
    assert (report.redated, report.applied) == (6, 6)


def test_every_way_to_be_told_is_by_its_own_name(store: Store) -> None:
    lapse = opened(store, policy=AUTO)
    tell(lapse.alice, 1)
    lapse.clock.advance(days=90)
    report = swept(lapse.alice)
    entries = [each for each in store.journal(ALICE, 0, 100) if each.verb is Verb.SWEEP]
    assert [each.by for each in entries] == [f"policy:{report.policy}", "host"]
    assert entries[0].about == report.plan_ids[0]
    assert _counts(entries[1].counts) == {
        "visited": 1, "planned": 1, "applied": 1, "pruned": 0, "auto_apply_stopped": 0,
    }  # fmt: skip


def _counts(counts: Iterable[tuple[str, int]]) -> dict[str, int]:
    return dict(counts)


@pytest.mark.parametrize(("level", "gone"), [(0.01, 0), (0.2, 6)])
def test_a_higher_level_archives_more_and_a_lower_one_less(level: float, gone: int) -> None:
    store = WatchedStore()
    policy = AUTO | {"retention.level": level, "retention.grace_days": 0}
    lapse = opened(store, policy=policy)
    tell(lapse.alice, 6, importance=0.5)
    lapse.clock.advance(days=100)
    assert swept(lapse.alice).applied == gone


def test_what_a_sweep_took_is_brought_back_whole_by_its_plan(store: Store) -> None:
    lapse = opened(store, policy=AUTO)
    tell(lapse.alice, 5)
    lapse.clock.advance(days=90)
    before = {each.memory.id: each.state for each in lapse.alice.list().records}
    (plan,) = swept(lapse.alice).plan_ids
    assert active(lapse.alice) == []
    lapse.alice.restore(plan=plan, by="owner", reason="too much")
    after = {each.memory.id: each.state for each in lapse.alice.list().records}
    for name, state in before.items():
        assert after[name].protected_until is not None
        assert replace(after[name], protected_until=None) == state
    assert swept(lapse.alice).applied == 0
