"""Clauses about plans: what is kept of them, and what of it can change.

Decides what every store must keep of a plan, one case for each clause.
"""
# ruff: noqa: D102, S101 - a clause is a sentence by name and assertions in its body

from dataclasses import replace

from lapse.errors import ValidationError
from lapse.model.changeset import Changes
from lapse.model.guards import Guard, Spared
from lapse.model.instants import DAY, Instant
from lapse.model.memory import BankRef
from lapse.model.plan import Plan, PlanBy
from lapse.model.verbs import Verb
from lapse.model.view import Reads
from lapse.ports import Store
from lapse.testing.fakes import ALICE, START, memory, record, writes
from lapse.testing.plans import applied, approved, item, plan
from lapse.testing.store_contract_writes import entry, remember, view_of

CARLA = BankRef(name="carla")


def keep(store: Store, *plans: Plan, ref: BankRef = ALICE) -> None:
    """Keep plans."""
    store.commit(writes(Changes(plans=plans, journal=entry(Verb.PLAN)), verb=Verb.PLAN, ref=ref))


def made_at(days: int, *ids: str) -> Plan:
    """Give a plan of that day."""
    one = plan(*map(item, ids))
    later = replace(one, created_at=Instant(START + days * DAY))
    return replace(later, id=later.true_id)


class PlanClauses:
    """A plan is kept as it was made, with what has become of it beside it."""

    def test_every_field_of_a_plan_comes_back(self, store: Store) -> None:
        spared = (Spared(memory_id="b", guard=Guard.HOLD),)
        told = (
            plan(item("a"), item("ünïcode")),
            approved(plan(item("a"), by=PlanBy.BUDGET), "a"),
            applied(approved(plan(item("a"), item("b"))), "a", skipped=spared),
            plan(replace(item("c"), score=None, parts=None, last_counted_at=None), by=PlanBy.IDS),
        )
        keep(store, *told)
        assert [store.plan(ALICE, each.id) for each in told] == list(told)
        assert view_of(store, Reads(plans=(told[0].id,))).plans == {told[0].id: told[0]}

    def test_a_plan_that_is_not_there_is_none(self, store: Store) -> None:
        keep(store, plan(item("a")))
        assert store.plan(ALICE, "0" * 64) is None
        assert store.plan(ALICE, "\0") is None
        assert store.plan(CARLA, plan(item("a")).id) is None
        assert view_of(store, Reads(plans=("0" * 64, "\0"))).plans == {}

    def test_of_a_plan_that_is_kept_only_what_becomes_of_it_is_written(self, store: Store) -> None:
        made = plan(item("a"), item("b"))
        keep(store, made)
        keep(store, replace(approved(made), items=(item("x"),), by="somebody else"))
        assert store.plan(ALICE, made.id) == approved(made)

    def test_plans_are_listed_without_items_the_newest_first(self, store: Store) -> None:
        told = [made_at(0, "a"), made_at(2, "a"), made_at(1, "a", "b"), made_at(2, "c")]
        keep(store, *told)
        newest = sorted((told[1], told[3]), key=lambda each: each.id)
        expected = [*newest, told[2], told[0]]
        assert store.plans(ALICE, 10) == [each.head for each in expected]
        assert store.plans(ALICE, 3) == [each.head for each in expected[:3]]
        assert store.plans(CARLA, 10) == []

    def test_a_plan_of_another_bank_is_refused(self, store: Store) -> None:
        try:
            keep(store, plan(item("a")), ref=CARLA)
        except ValidationError:
            refused = True
        else:
            refused = False
        assert refused
        assert store.plans(CARLA, 10) == []

    def test_a_plan_changes_nothing_but_the_revision(self, store: Store) -> None:
        remember(store, "a")
        before, revision = store.get(ALICE, ["a"]), store.revision(ALICE)
        keep(store, plan(item("a")))
        assert store.get(ALICE, ["a"]) == before
        delta = store.changes(ALICE, revision)
        assert (len(delta.content.rows), len(delta.states.rows)) == (0, 0)

    def test_who_is_cited_can_be_asked_without_reading_the_memories(self, store: Store) -> None:
        remember(store, "a", "b")
        citing = replace(memory("c"), derived_from=("a", "gone"))
        store.commit(writes(Changes(created=(record(citing),))))
        assert store.cited_by(ALICE, ["b", "a", "unknown", "\0"]) == {"a": ("c",)}
        assert store.cited_by(ALICE, []) == {}
