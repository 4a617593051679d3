"""Planning: what is chosen and spared, in which order, and that nothing else is touched."""

from pathlib import Path

import pytest

from lapse.errors import NotFoundError, ValidationError
from lapse.lifecycle.suggesting import BINS
from lapse.model import presets
from lapse.model.guards import Guard
from lapse.model.instants import DAY, Instant
from lapse.model.plan import Plan, PlanBy, PlanStatus, PlanVerb
from lapse.model.policy import RetentionScore
from lapse.model.presets import PRESETS
from lapse.model.verbs import Verb
from lapse.ports import Store
from lapse.stores.memory import MemoryStore
from lapse.testing.fakes import START
from tests.unit.engine.opening import Opened, opened, store_of


def _ids(plan: Plan) -> list[str]:
    return [each.memory_id for each in plan.items]


def _spared(plan: Plan) -> dict[Guard, int]:
    return {each.guard: each.count for each in plan.spared}


def _tell(lapse: Opened, *names: str, importance: float = 0.1, **fields: object) -> None:
    for name in names:
        lapse.alice.remember(f"{name} is something", id=name, importance=importance, **fields)  # type: ignore[arg-type]  # named by the test


def test_a_fresh_bank_has_nothing_to_plan_and_an_old_one_has(lapse: Opened) -> None:
    assert _ids(lapse.alice.plan()) == []
    _tell(lapse, "a", "b")
    assert _ids(lapse.alice.plan()) == []

    lapse.clock.advance(days=60)
    plan = lapse.alice.plan(by="operator")

    assert _ids(plan) == ["a", "b"]
    assert (plan.by, plan.verb, plan.ask.by) == ("operator", PlanVerb.SUPPRESS, PlanBy.LEVEL)
    assert plan.status(lapse.clock.now()) is PlanStatus.PLANNED
    assert plan.expires_at == lapse.clock.now() + 7 * DAY
    assert plan.totals.count == 2
    assert plan.considered == 2


@pytest.mark.parametrize("name", presets.NAMES)
def test_every_preset_proposes_what_deserves_it_and_nothing_on_a_fresh_bank(name: str) -> None:
    settings = {section: dict(each) for section, each in PRESETS[name].settings.items()}
    settings.setdefault("forgetting", {})["enabled"] = True
    lapse = opened(MemoryStore(), policy=settings)  # type: ignore[arg-type]  # plain JSON
    _tell(lapse, "trivial", importance=0.0)
    _tell(lapse, "dear", importance=1.0)
    lapse.alice.pin(["dear"])

    assert _ids(lapse.alice.plan(by="planner")) == []
    if lapse.alice.policy().policy.retention.grace_days > 0:
        assert _ids(lapse.alice.plan(percentile=50, by="planner")) == []

    lapse.clock.advance(days=3 * 365)
    assert _ids(lapse.alice.plan(by="planner")) == ["trivial"]
    assert _ids(lapse.alice.plan_to_budget(max_active=1, by="planner")) == ["trivial"]


def test_planning_touches_no_memory_and_no_state_and_is_journalled(lapse: Opened) -> None:
    _tell(lapse, "a", "b")
    lapse.clock.advance(days=60)
    before = [lapse.alice.get(each) for each in ("a", "b")]

    plan = lapse.alice.plan(by="operator")

    assert [lapse.alice.get(each) for each in ("a", "b")] == before
    entry = lapse.store.journal(lapse.alice.ref, 0, 100)[-1]
    assert (entry.verb, entry.by, entry.about) == (Verb.PLAN, "operator", plan.id)
    assert entry.items == ()


def test_the_same_plan_at_the_same_instant_is_made_once(lapse: Opened) -> None:
    _tell(lapse, "a")
    lapse.clock.advance(days=60)

    first = lapse.alice.plan(by="one")
    approved = lapse.alice.approve(first.id, by="boss", reason="tidy")
    again = lapse.alice.plan(by="another")

    assert again == approved
    assert len(lapse.alice.plans()) == 1


def test_equal_banks_give_equal_plans_in_every_store(tmp_path: Path) -> None:
    plans = []
    for kind in ("memory", "sqlite"):
        lapse = opened(store_of(kind, tmp_path))
        _tell(lapse, *"edcba")
        lapse.alice.used(["c"])
        lapse.clock.advance(days=300)
        plans.append((lapse.alice.plan(), lapse.alice.plan(percentile=60)))
        lapse.store.close()

    assert plans[0] == plans[1]
    assert plans[0][0].id != plans[0][1].id


def test_by_level_what_has_been_below_longest_comes_first_and_ties_go_by_age_and_id(
    lapse: Opened,
) -> None:
    _tell(lapse, "late", importance=0.2)
    _tell(lapse, "b", "a", importance=0.1)
    lapse.clock.advance(days=1)
    _tell(lapse, "c", importance=0.1)
    lapse.clock.advance(days=200)

    plan = lapse.alice.plan()

    assert _ids(plan) == ["a", "b", "c", "late"]
    assert [each.days_below for each in plan.items] == sorted(
        (each.days_below or 0 for each in plan.items), reverse=True
    )


def test_an_own_level_is_dated_and_another_is_read_off_the_curve(lapse: Opened) -> None:
    _tell(lapse, "a", importance=0.1)
    _tell(lapse, "b", importance=0.5)
    lapse.clock.advance(days=60)

    own, higher = lapse.alice.plan(), lapse.alice.plan(level=0.9)

    assert _ids(own) == ["a"]
    assert own.ask.level is None
    assert _ids(higher) == ["a", "b"]
    # Dated and read off the curve, the fall is the same instant where the level is the same.
    same = lapse.alice.plan(level=0.02).items[0].below_since
    assert same == own.items[0].below_since


def test_days_below_count_from_the_fall_and_grace_from_there_or_from_creation(
    store: Store,
) -> None:
    lapse = opened(store)
    _tell(lapse, "a", importance=0.1)
    fell = lapse.alice.get("a").state.fades_at
    assert fell is not None

    lapse.clock.set(Instant(fell + 30 * DAY - 1))
    assert _spared(lapse.alice.plan()) == {Guard.IN_GRACE: 1}
    lapse.clock.set(Instant(fell + 30 * DAY))
    plan = lapse.alice.plan()
    assert plan.items[0].days_below == 30

    lapse.alice.set_policy({"retention": {"grace_anchor": "created"}})
    lapse.clock.set(Instant(START + 30 * DAY))
    assert _ids(lapse.alice.plan()) == ["a"]


def test_what_has_expired_needs_no_grace(lapse: Opened) -> None:
    _tell(lapse, "a", importance=0.5, expires_at=START + DAY)
    lapse.clock.advance(days=1)

    assert _ids(lapse.alice.plan()) == ["a"]
    assert _ids(lapse.alice.plan(level=0.5)) == ["a"]
    assert _ids(lapse.alice.plan(percentile=100)) == ["a"]


def test_a_percentile_is_of_all_that_is_active_and_a_budget_makes_up_for_what_is_spared(
    lapse: Opened,
) -> None:
    _tell(lapse, *"abcdefghij", importance=0.3)
    lapse.alice.pin(["a", "b"])
    lapse.clock.advance(days=60)

    share = lapse.alice.plan(percentile=40, score="need")
    budget = lapse.alice.plan_to_budget(keep_fraction=0.6, score="need")
    kept = lapse.alice.plan_to_budget(max_active=6, score="need")

    assert _ids(share) == ["c", "d"]
    assert _spared(share) == {Guard.PINNED: 2}
    assert _ids(budget) == ["c", "d", "e", "f"]
    assert kept.id == budget.id
    assert lapse.alice.plan_to_budget(max_active=10).items == ()
    short = lapse.alice.plan_to_budget(max_active=0, score="need")
    assert (len(short.items), short.left_out) == (8, 2)


def test_a_limit_takes_the_first_and_says_how_many_were_left_out(lapse: Opened) -> None:
    _tell(lapse, *"abcde")
    lapse.alice.pin(["a"])
    lapse.clock.advance(days=60)

    plan = lapse.alice.plan(limit=2)

    assert _ids(plan) == ["b", "c"]
    assert plan.left_out == 2


def test_kinds_and_sessions_are_the_ones_asked_for(lapse: Opened) -> None:
    _tell(lapse, "a", kind="episodic", session="s1")
    _tell(lapse, "b", kind="procedural", session="s1")
    _tell(lapse, "c", kind="episodic", session="s2")
    _tell(lapse, "d", kind="episodic")
    lapse.clock.advance(days=60)

    assert _ids(lapse.alice.plan(kinds=["episodic"])) == ["a", "c", "d"]
    assert _ids(lapse.alice.plan(kinds=["workflow"], sessions=["s1"])) == ["b"]
    assert _ids(lapse.alice.plan(sessions=["s1", "s2"])) == ["a", "b", "c"]
    assert _ids(lapse.alice.plan(sessions=["unknown"])) == []


def test_every_guard_is_counted_with_examples_and_the_first_to_object_counts(
    lapse: Opened,
) -> None:
    _tell(lapse, "pinned", "verified", "exempt", "cited", "held-and-pinned", "free")
    _tell(lapse, "important", importance=0.95)
    _tell(lapse, "audit", audit_evidence=True)
    _tell(lapse, "citing", importance=0.8, derived_from=["cited", "pinned"])
    lapse.alice.pin(["pinned", "held-and-pinned"])
    lapse.alice.verify_outcome(["verified"])
    lapse.alice.exempt(["exempt"], reason="contract")
    lapse.clock.advance(days=60)

    plan = lapse.alice.plan(level=0.9)

    assert _ids(plan) == ["free", "citing"]
    assert _spared(plan) == {
        Guard.PINNED: 2,
        Guard.VERIFIED: 1,
        Guard.EXEMPT: 1,
        Guard.AUDIT_EVIDENCE: 1,
        Guard.IMPORTANT: 1,
        Guard.CITED: 1,
    }
    assert plan.spared[0].examples == ("held-and-pinned", "pinned")


def test_named_memories_need_no_score_and_are_refused_only_by_what_somebody_said(
    lapse: Opened,
) -> None:
    _tell(lapse, "fresh", "pinned", importance=0.95)
    lapse.alice.pin(["pinned"])

    plan = lapse.alice.plan(ids=["fresh", "pinned", "fresh"])

    assert _ids(plan) == ["fresh"]
    assert _spared(plan) == {Guard.PINNED: 1}
    assert plan.items[0].score is None
    with pytest.raises(NotFoundError, match="nobody"):
        lapse.alice.plan(ids=["nobody"])


def test_a_use_that_waits_is_folded_in_before_anything_is_chosen(lapse: Opened) -> None:
    _tell(lapse, "a", "b")
    lapse.clock.advance(days=60)
    lapse.alice.used(["a"])

    assert _ids(lapse.alice.plan()) == ["b"]


@pytest.mark.parametrize("score", list(RetentionScore))
def test_every_score_can_choose(lapse: Opened, score: RetentionScore) -> None:
    _tell(lapse, "a", "b", "c")
    lapse.alice.used(["b"])
    lapse.alice.drain()
    lapse.clock.advance(days=90)

    plan = lapse.alice.plan(percentile=34, score=score)

    assert len(plan.items) == 1
    assert plan.items[0].memory_id != "b"
    assert plan.ask.score is score


def test_the_suggested_levels_cut_off_about_what_they_say_once_the_grace_is_over(
    store: Store,
) -> None:
    lapse = opened(store, policy={"retention": {"grace_days": 0.0}})
    for day in range(40):
        _tell(lapse, f"m{day}", importance=0.3)
        lapse.clock.advance(days=3)
    lapse.clock.advance(days=90)

    found = lapse.alice.suggest(score="need")

    assert [each.percent for each in found.levels] == [10, 15, 20]
    assert [each.count for each in found.levels] == [4, 6, 8]
    assert sum(each.count for each in found.bins) == found.count == 40
    assert len(found.bins) == BINS
    for each in found.levels:
        plan = lapse.alice.plan(level=each.level, score="need")
        assert len(plan.items) == each.count


def test_without_memories_nothing_is_suggested(lapse: Opened) -> None:
    found = lapse.alice.suggest()

    assert (found.count, found.least, found.bins, found.levels) == (0, None, (), ())
    assert lapse.store.bank(lapse.alice.ref) is None


def test_plans_are_listed_and_shown_and_those_of_other_banks_are_not(lapse: Opened) -> None:
    _tell(lapse, "a")
    lapse.clock.advance(days=60)
    plan = lapse.alice.plan()

    assert list(lapse.alice.plans()) == [plan.head]
    assert lapse.alice.get_plan(plan.id) == plan
    bob = lapse.mind.bank("bob")
    assert list(bob.plans()) == []
    with pytest.raises(NotFoundError):
        bob.get_plan(plan.id)
    with pytest.raises(ValidationError):
        lapse.alice.plans(limit=0)


def test_a_plan_says_what_it_would_change_in_the_answers_to_canaries(lapse: Opened) -> None:
    lapse.alice.remember("the harbour is loud", id="old", importance=0.1)
    lapse.alice.remember("the harbour is deep", id="deep", importance=0.8)
    lapse.alice.remember("bread and butter", id="other", importance=0.8)
    harbour = lapse.alice.canaries.add("harbour loud", ["old"])
    bread = lapse.alice.canaries.add("bread", ["other"])
    lapse.clock.advance(days=60)
    before = lapse.store.revision(lapse.alice.ref)

    plan = lapse.alice.plan()

    assert _ids(plan) == ["old"]
    lost, same = plan.canaries
    assert (lost.canary, lost.recall_before, lost.recall_after) == (harbour.id, 1.0, 0.0)
    assert (lost.leaving, lost.entering) == (("old",), ())
    assert (same.canary, same.leaving, same.recall_after) == (bread.id, (), 1.0)
    assert lapse.store.revision(lapse.alice.ref) == before + 1
    assert lapse.alice.recall("harbour loud").hits[0].id == "old"
    lapse.alice.approve(plan.id, by="boss", reason="tidy")
    lapse.alice.apply(plan.id)
    assert lapse.alice.get_plan(plan.id).canaries == plan.canaries


def test_an_empty_plan_changes_no_canary(lapse: Opened) -> None:
    _tell(lapse, "a")
    lapse.alice.canaries.add("something", ["a"])

    assert lapse.alice.plan().canaries == ()


def test_memories_can_be_named_by_what_they_have_in_common(lapse: Opened) -> None:
    _tell(lapse, "a", "b", session="monday")
    _tell(lapse, "c", tags=["trip"], session="tuesday")
    lapse.alice.pin(["b"])

    plan = lapse.alice.plan(session="monday")

    assert _ids(plan) == ["a"]
    assert plan.ask.by is PlanBy.IDS
    assert _spared(plan) == {Guard.PINNED: 1}
    assert _ids(lapse.alice.plan("archive", tag="trip")) == ["c"]
    assert _ids(lapse.alice.plan(session="unknown")) == []
    for wish in ({"ids": ["a"]}, {"level": 0.1}, {"percentile": 10}):
        with pytest.raises(ValidationError, match="exclude each other"):
            lapse.alice.plan(session="monday", **wish)
    with pytest.raises(ValidationError, match="colour"):
        lapse.alice.plan(colour="red")  # type: ignore[call-arg]  # wrong on purpose
