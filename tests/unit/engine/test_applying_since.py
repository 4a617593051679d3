"""What happened since a plan was made spares a memory, even where its numbers do not show it."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from lapse.errors import PlanError
from lapse.model.guards import Guard
from lapse.model.instants import DAY
from lapse.model.plan import Plan
from tests.unit.engine.opening import Opened, opened, store_of

SECOND_DAYS = 1_000_000 / DAY
NO_GRACE: dict[str, object] = {"retention.grace_days": 0}


@pytest.fixture(params=["memory", "sqlite"])
def lapse(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Opened]:
    """Two faded memories in a bank without a grace period."""
    made = opened(store_of(request.param, tmp_path), policy=NO_GRACE)
    for name in ("a", "b"):
        made.alice.remember(f"{name} is something", id=name, key=f"key/{name}", importance=0.1)
    made.clock.advance(days=100)
    yield made
    made.mind.close()


def _approved(lapse: Opened) -> Plan:
    plan = lapse.alice.plan(percentile=100, score="need", by="planner")
    assert {each.memory_id for each in plan.items} == {"a", "b"}
    lapse.clock.advance(days=SECOND_DAYS)
    return lapse.alice.approve(plan.id, by="boss", reason="tidying")


def _fate(lapse: Opened, plan: Plan) -> tuple[tuple[str, ...], dict[str, Guard]]:
    done = lapse.alice.apply(plan.id).application
    assert done is not None
    return done.applied, {each.memory_id: each.guard for each in done.skipped}


def test_a_second_use_on_one_day_is_not_counted_and_spares_all_the_same(lapse: Opened) -> None:
    lapse.alice.used(["a"], event_id="first")
    lapse.alice.drain()
    lapse.clock.advance(days=SECOND_DAYS)
    plan = _approved(lapse)
    counted = lapse.alice.get("a").state.strength.reinforcement_count
    lapse.alice.used(["a"], event_id="second")
    lapse.alice.drain()
    assert lapse.alice.get("a").state.strength.reinforcement_count == counted
    assert _fate(lapse, plan) == (("b",), {"a": Guard.USED})


def test_a_rejection_and_a_use_from_before_the_plan_spare_nothing(lapse: Opened) -> None:
    lapse.alice.used(["a"])
    lapse.clock.advance(days=SECOND_DAYS)
    plan = _approved(lapse)
    lapse.alice.used(["b"], source="rejected")
    applied, skipped = _fate(lapse, plan)
    assert (set(applied), skipped) == ({"a", "b"}, {})


def _replaced(lapse: Opened) -> None:
    lapse.alice.remember("a is something else", id="new", key="key/a")


def _replaced_by_name(lapse: Opened) -> None:
    lapse.alice.supersede(old="a", new="something quite different")


def _taken_back(lapse: Opened) -> None:
    lapse.alice.retract("a", by="anna", reason="never so")


@pytest.mark.parametrize("correct", [_replaced, _replaced_by_name, _taken_back])
def test_a_memory_that_was_corrected_since_is_spared(
    lapse: Opened, correct: Callable[[Opened], None]
) -> None:
    plan = _approved(lapse)
    correct(lapse)
    assert _fate(lapse, plan) == (("b",), {"a": Guard.CHANGED})


def test_a_memory_that_was_corrected_before_may_go(lapse: Opened) -> None:
    _taken_back(lapse)
    applied, skipped = _fate(lapse, _approved(lapse))
    assert (set(applied), skipped) == ({"a", "b"}, {})


def test_a_retraction_that_was_undone_since_spares_too(lapse: Opened) -> None:
    _taken_back(lapse)
    plan = _approved(lapse)
    lapse.alice.unretract("a", by="anna", reason="so after all")
    assert _fate(lapse, plan) == (("b",), {"a": Guard.CHANGED})


@pytest.mark.parametrize("name", ["planner", "Planner", " planner ", "ＰＬＡＮＮＥＲ"])
def test_a_planner_is_no_second_person_under_another_spelling(lapse: Opened, name: str) -> None:
    lapse.alice.set_policy({"retention.two_person": True}, by="anna")
    plan = lapse.alice.plan(percentile=100, score="need", by="planner")
    with pytest.raises(PlanError, match="second person"):
        lapse.alice.approve(plan.id, by=name, reason="tidying")
