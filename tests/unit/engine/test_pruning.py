"""Pruning: what may go, that it is really gone, and what stays as it was."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from lapse.bank import Bank
from lapse.engine.applying import apply_plan
from lapse.errors import NotFoundError, PlanError, ValidationError
from lapse.model.guards import Guard
from lapse.model.plan import Plan, PlanStatus
from lapse.model.verbs import Verb
from tests.unit.engine.erasing import WHO
from tests.unit.engine.opening import Opened, opened, store_of
from tests.unit.engine.sweeping import AUTO, swept

PRUNING: dict[str, object] = {"retention.prune": True, "retention.prune_after_days": 100}
TEXT = "The lighthouse at Ravn Point burns amber lamps"


@pytest.fixture(params=["memory", "sqlite"])
def lapse(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Opened]:
    """An engine over each kind of store whose policy lets memories be pruned."""
    made = opened(store_of(request.param, tmp_path), policy=PRUNING)
    yield made
    made.mind.close()


def archive(lapse: Opened, *names: str, days: float = 101) -> None:
    """Tell memories that differ, archive them, and wait."""
    for name in names:
        if name not in {each.memory.id for each in lapse.alice.list().records}:
            lapse.alice.remember(f"{TEXT}, lamp {name}", id=name, importance=0.1)
    lapse.alice.archive(names, **WHO)
    lapse.clock.advance(days=days)


def prune(lapse: Opened, plan: Plan) -> Plan:
    lapse.alice.approve(plan.id, by="boss", reason="room")
    return lapse.alice.apply(plan.id)


def names(plan: Plan) -> list[str]:
    return [each.memory_id for each in plan.items]


def spared(plan: Plan) -> dict[Guard, tuple[str, ...]]:
    return {each.guard: each.examples for each in plan.spared}


def left(lapse: Opened) -> list[str]:
    return [each.memory.id for each in lapse.alice.list().records]


def test_what_was_archived_first_is_planned_first_and_nothing_else(lapse: Opened) -> None:
    lapse.alice.remember("Something active", id="active")
    archive(lapse, "b", days=10)
    archive(lapse, "a")
    archive(lapse, "late", days=1)

    plan = lapse.alice.plan("prune")

    assert names(plan) == ["b", "a"]
    assert plan.considered == 2
    assert [each.days_below for each in plan.items] == [112, 102]
    assert left(lapse) == ["active", "b", "a", "late"]


def test_a_plan_to_prune_is_bounded(lapse: Opened) -> None:
    archive(lapse, "a", "b", "c")
    plan = lapse.alice.plan("prune", limit=2)
    assert (names(plan), plan.left_out) == (["a", "b"], 1)
    prune(lapse, plan)
    assert left(lapse) == ["c"]


def test_what_was_pruned_is_gone_from_every_place(lapse: Opened) -> None:
    archive(lapse, "a", "b")
    lapse.alice.update("b", text=f"{TEXT}, lamp b again")
    lapse.clock.advance(days=400)

    done = prune(lapse, lapse.alice.plan("prune"))

    assert done.application is not None
    assert done.application.applied == ("a", "b")
    assert done.application.scrubbed is not None
    assert done.application.scrubbed.residue == 0
    assert left(lapse) == []
    assert lapse.alice.search_archive("lighthouse lamps").hits == ()
    assert list(lapse.store.faults(lapse.alice.ref)) == []
    assert lapse.alice.verify_journal().sound


def test_the_file_holds_no_byte_of_what_was_pruned(tmp_path: Path) -> None:
    made = opened(store_of("sqlite", tmp_path), policy=PRUNING)
    archive(made, "a", "b")
    prune(made, made.alice.plan("prune"))
    kept = b"".join(each.read_bytes() for each in tmp_path.iterdir())
    for word in (b"lighthouse", b"Ravn", b"amber", b"lighthous"):
        assert word not in kept
    made.mind.close()


def test_pruning_leaves_no_tombstone_and_the_same_may_be_told_again(lapse: Opened) -> None:
    archive(lapse, "a")
    prune(lapse, lapse.alice.plan("prune"))
    assert lapse.alice.tombstones() == ()
    assert lapse.alice.remember(f"{TEXT}, lamp a", id="a").id == "a"


def test_tombstones_survive_a_prune(lapse: Opened) -> None:
    lapse.alice.remember("Maria Okafor lives at 14 Elm Street.", id="secret")
    lapse.alice.erase(["secret"], **WHO)
    archive(lapse, "a")
    prune(lapse, lapse.alice.plan("prune"))
    assert len(lapse.alice.tombstones()) == 1


def test_the_journal_tells_of_it_without_a_word_of_content(lapse: Opened) -> None:
    archive(lapse, "a")
    plan = prune(lapse, lapse.alice.plan("prune"))
    entries = [
        each for each in lapse.store.journal(lapse.alice.ref, 0, 100) if each.verb is Verb.PRUNE
    ]
    assert [dict(each.counts).get("applied") for each in entries] == [1, None]
    assert dict(entries[-1].counts)["residue"] == 0
    assert {each.about for each in entries} == {plan.id}
    assert "lighthouse" not in repr(entries)


@pytest.mark.parametrize(
    ("guard", "mark"),
    [
        (Guard.PINNED, lambda bank: bank.pin(["a"])),
        (Guard.EXEMPT, lambda bank: bank.exempt(["a"], reason="law")),
        (Guard.HOLD, lambda bank: bank.hold("matter", ids=["a"], **WHO)),
        (
            Guard.CITED,
            lambda bank: bank.remember("The lamps there are amber", id="sum", derived_from=["a"]),
        ),
    ],
)
@pytest.mark.parametrize("ids", [None, ["a"]])
def test_every_guard_is_asked_named_or_not(
    lapse: Opened, guard: Guard, mark: Callable[[Bank], object], ids: list[str] | None
) -> None:
    archive(lapse, "a")
    mark(lapse.alice)
    plan = lapse.alice.plan("prune", ids=ids)
    assert (names(plan), spared(plan)) == ([], {guard: ("a",)})


def test_what_was_archived_lately_is_not_pruned_by_name_either(lapse: Opened) -> None:
    archive(lapse, "a", days=99)
    assert spared(lapse.alice.plan("prune", ids=["a"])) == {Guard.IN_GRACE: ("a",)}


def test_the_guards_are_asked_again_when_it_is_applied(lapse: Opened) -> None:
    archive(lapse, "a", "b", "c", "d")
    plan = lapse.alice.plan("prune")
    lapse.alice.approve(plan.id, by="boss", reason="room")
    lapse.alice.restore(["a"], **WHO)
    lapse.alice.remember("What b is about", id="sum", derived_from=["b"])
    lapse.alice.used(["c"])

    done = lapse.alice.apply(plan.id).application

    assert done is not None
    assert done.applied == ("d",)
    assert {each.memory_id: each.guard for each in done.skipped} == {
        "a": Guard.RECENTLY_RESTORED,
        "b": Guard.CITED,
        "c": Guard.USED,
    }


def test_sources_stay_while_anything_made_of_them_is_kept_even_archived(lapse: Opened) -> None:
    archive(lapse, "a", days=0)
    lapse.alice.remember("A digest of it", id="sum", derived_from=["a"], importance=0.1)
    archive(lapse, "sum")

    first = lapse.alice.plan("prune")
    assert (names(first), spared(first)) == (["sum"], {Guard.CITED: ("a",)})
    prune(lapse, first)
    assert names(lapse.alice.plan("prune")) == ["a"]


def test_without_that_protection_what_stays_no_longer_names_its_source(lapse: Opened) -> None:
    lapse.alice.set_policy({"retention.protect_cited": False}, by="boss")
    archive(lapse, "a")
    lapse.alice.remember("A digest of it", id="sum", derived_from=["a"])
    prune(lapse, lapse.alice.plan("prune"))
    assert lapse.alice.get("sum").memory.derived_from == ()
    assert list(lapse.store.faults(lapse.alice.ref)) == []


def test_pruning_brings_no_stale_fact_back(lapse: Opened) -> None:
    lapse.alice.remember("Tea", key="user/drink", id="tea")
    lapse.clock.advance(days=1)
    lapse.alice.remember("Coffee", key="user/drink", id="coffee")
    archive(lapse, "coffee")

    plan = lapse.alice.plan("prune")
    assert (names(plan), spared(plan)) == ([], {Guard.TAKES_PLACE: ("coffee",)})

    archive(lapse, "tea")
    prune(lapse, lapse.alice.plan("prune"))
    assert left(lapse) == ["coffee"]
    assert lapse.alice.get("coffee").memory.supersedes is None
    prune(lapse, lapse.alice.plan("prune"))
    assert left(lapse) == []


def test_what_took_the_place_of_another_without_a_key_stays_too(lapse: Opened) -> None:
    lapse.alice.remember("The office is in Lisbon", id="old")
    lapse.alice.supersede(old="old", new="The office is in Porto", id="new", by="anna")
    archive(lapse, "new")
    assert spared(lapse.alice.plan("prune")) == {Guard.TAKES_PLACE: ("new",)}


def test_nothing_brings_back_what_was_pruned_and_the_error_says_so(lapse: Opened) -> None:
    archive(lapse, "a")
    plan = prune(lapse, lapse.alice.plan("prune"))
    with pytest.raises(PlanError, match="destroyed"):
        lapse.alice.restore(plan=plan.id, **WHO)
    with pytest.raises(NotFoundError, match=f"a was pruned by plan {plan.id}"):
        lapse.alice.restore(["a"], **WHO)
    with pytest.raises(NotFoundError, match=r"no such memories in this bank: never$"):
        lapse.alice.restore(["never"], **WHO)


def test_a_second_application_changes_nothing(lapse: Opened) -> None:
    archive(lapse, "a", "b", "c")
    plan = lapse.alice.plan("prune")
    lapse.alice.approve(plan.id, by="boss", reason="room")
    core = lapse.core
    done = apply_plan(core, core.runtime(lapse.alice.ref), plan.id, batch=1)
    revision = lapse.store.revision(lapse.alice.ref)
    assert lapse.alice.apply(plan.id) == done
    assert lapse.store.revision(lapse.alice.ref) == revision
    assert done.status(lapse.clock.now()) is PlanStatus.APPLIED


def test_a_policy_that_no_longer_prunes_stops_a_plan_that_waits(lapse: Opened) -> None:
    archive(lapse, "a")
    plan = lapse.alice.plan("prune")
    lapse.alice.approve(plan.id, by="boss", reason="room")
    lapse.alice.set_policy({"retention.prune": False}, by="boss")
    with pytest.raises(PlanError, match=r"retention\.prune"):
        lapse.alice.apply(plan.id)
    assert left(lapse) == ["a"]


def test_what_is_pruned_is_chosen_by_its_time_in_the_archive_alone(lapse: Opened) -> None:
    asks: dict[str, Callable[[], Plan]] = {
        "level": lambda: lapse.alice.plan("prune", level=0.1),
        "percentile": lambda: lapse.alice.plan("prune", percentile=10),
        "score": lambda: lapse.alice.plan("prune", score="need"),
        "max_active": lambda: lapse.alice.plan_to_budget("prune", max_active=3),
    }
    for name, ask in asks.items():
        with pytest.raises(ValidationError, match=f"^{name} = .*archived"):
            ask()


def test_a_canary_that_asked_for_what_was_pruned_no_longer_does(lapse: Opened) -> None:
    lapse.alice.remember("Ben keeps bees", id="bees")
    archive(lapse, "a", "b")
    lapse.alice.canaries.add("who keeps bees", ["bees", "a"])
    lapse.alice.canaries.add("which lamps", ["b"])
    prune(lapse, lapse.alice.plan("prune"))
    assert [each.expected_ids for each in lapse.alice.canaries] == [("bees",)]


# --- by sweeps -----------------------------------------------------------------------------------


def test_a_sweep_prunes_only_where_the_policy_says_so(tmp_path: Path) -> None:
    for asked in (False, True):
        made = opened(store_of("memory", tmp_path), policy=AUTO | PRUNING)
        made.alice.set_policy({"retention.prune": asked}, by="boss")
        archive(made, "a", "b")
        report = swept(made.alice)
        assert (report.pruned, report.applied, len(left(made))) == (
            (2, 0, 0) if asked else (0, 0, 2)
        )
        assert swept(made.alice).pruned == 0


def test_a_sweep_that_may_not_apply_leaves_one_plan_to_prune(lapse: Opened) -> None:
    lapse.alice.set_policy({"forgetting.mode": "lifecycle"}, by="boss")
    archive(lapse, "a", "b")
    report = swept(lapse.alice)
    assert (report.planned, report.pruned, left(lapse)) == (2, 0, ["a", "b"])
    lapse.clock.advance(days=1)
    assert swept(lapse.alice).plan_ids == report.plan_ids
    prune(lapse, lapse.alice.get_plan(report.plan_ids[0]))
    assert left(lapse) == []


def test_a_sweep_whose_canaries_lost_too_much_prunes_nothing(tmp_path: Path) -> None:
    made = opened(store_of("memory", tmp_path), policy=AUTO | PRUNING)
    archive(made, "old", days=0)
    made.alice.remember("The mill grinds rye", id="rye", importance=0.0)
    made.alice.canaries.add("mill rye", ["rye"])
    made.clock.advance(days=200)

    report = swept(made.alice)

    assert (report.applied, report.pruned, report.recall_after) == (1, 0, 0.0)
    assert "old" in left(made)
