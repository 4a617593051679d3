"""What may be asked of a plan: what excludes what, what is out of range, what is forbidden."""

from collections.abc import Sequence

import pytest

from lapse.errors import PlanError, ValidationError
from lapse.ports import Store
from lapse.stores.memory import MemoryStore
from tests.unit.engine.opening import Opened, opened


def test_where_forgetting_is_off_nothing_is_planned(store: Store) -> None:
    lapse = opened(store, policy={"forgetting": {"enabled": False}})

    for plan in (lapse.alice.plan, lapse.alice.plan_to_budget, lapse.alice.suggest):
        with pytest.raises(PlanError, match="off"):
            plan()


@pytest.mark.parametrize("mode", ["observe", "rank", "filter", "lifecycle"])
def test_in_every_other_mode_a_person_may_plan(mode: str) -> None:
    lapse = opened(MemoryStore(), policy={"forgetting": {"mode": mode}})
    lapse.alice.remember("something trivial", id="a", importance=0.1)
    lapse.clock.advance(days=60)

    assert [each.memory_id for each in lapse.alice.plan().items] == ["a"]


def test_pruning_is_refused_with_a_reason_where_the_policy_does_not_ask_for_it(
    lapse: Opened,
) -> None:
    with pytest.raises(PlanError, match=r"retention\.prune"):
        lapse.alice.plan("prune")


@pytest.mark.parametrize(
    ("wish", "fields"),
    [
        ({"ids": ["a"], "level": 0.1}, ["ids, level"]),
        ({"percentile": 0}, ["percentile"]),
        ({"percentile": 101}, ["percentile"]),
        ({"percentile": True}, ["percentile"]),
        ({"level": float("nan")}, ["level"]),
        ({"level": "low"}, ["level"]),
        ({"score": "worth"}, ["level"]),
        ({"score": "charm", "level": 0.1}, ["score"]),
        ({"ids": []}, ["ids"]),
        ({"ids": "abc"}, ["ids"]),
        ({"ids": ["a"], "score": "need"}, ["score"]),
        ({"kinds": ["dream"]}, ["kinds"]),
        ({"kinds": "episodic"}, ["kinds"]),
        ({"sessions": [""]}, ["sessions[0]"]),
        ({"limit": 0}, ["limit"]),
        ({"limit": 10_001}, ["limit"]),
        ({"by": " "}, ["by"]),
        ({"verb": "burn"}, ["verb"]),
        ({"percentile": -1, "limit": 0, "by": ""}, ["by", "percentile", "limit"]),
    ],
)
def test_wishes_that_make_no_sense_are_refused_by_all_their_faults(
    lapse: Opened, wish: dict[str, object], fields: Sequence[str]
) -> None:
    with pytest.raises(ValidationError) as caught:
        lapse.alice.plan(**wish)  # type: ignore[arg-type]  # wrong on purpose

    assert [each.field for each in caught.value.faults] == list(fields)


@pytest.mark.parametrize(
    "wish",
    [
        {"max_active": -1},
        {"max_active": 1.5},
        {"keep_fraction": 1.1},
        {"keep_fraction": "half"},
        {"max_active": 1, "keep_fraction": 0.5},
    ],
)
def test_budgets_that_make_no_sense_are_refused(lapse: Opened, wish: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        lapse.alice.plan_to_budget(**wish)  # type: ignore[arg-type]  # wrong on purpose


def test_a_kind_that_the_policy_does_not_plan_is_refused_and_a_budget_it_lacks(
    store: Store,
) -> None:
    policy = {"retention": {"kinds": ["episodic"], "max_active": "none"}}
    lapse = opened(store, policy=policy)  # type: ignore[arg-type]  # plain JSON

    with pytest.raises(ValidationError, match="plans only episodic"):
        lapse.alice.plan(kinds=["semantic"])
    with pytest.raises(ValidationError, match="max_active"):
        lapse.alice.plan_to_budget()
