"""Two people: what a direct act needs beside a name, and what a plan must tell of its maker."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from lapse.bank import HOST, Bank
from lapse.engine.attending import Moved
from lapse.engine.erasing import Erasure
from lapse.errors import GuardedError, PlanError, ValidationError
from lapse.model.journal import JournalEntry
from lapse.model.retention import Lifecycle
from lapse.model.verbs import Verb
from tests.unit.engine.opening import Opened, opened, store_of

REASON = "it is over"
TWO: dict[str, object] = {"retention": {"two_person": True}}

Act = Callable[[Bank, str, str | None], Moved | Erasure]


def _suppress(bank: Bank, by: str, second: str | None) -> Moved:
    return bank.suppress(["a"], by=by, reason=REASON, approved_by=second)


def _archive(bank: Bank, by: str, second: str | None) -> Moved:
    return bank.archive(["a"], by=by, reason=REASON, approved_by=second)


def _erase(bank: Bank, by: str, second: str | None) -> Erasure:
    return bank.erase(["a"], by=by, reason=REASON, approved_by=second)


ACTS: dict[str, Act] = {"suppress": _suppress, "archive": _archive, "erase": _erase}


@pytest.fixture(params=["memory", "sqlite"])
def lapse(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Opened]:
    """An engine over each kind of store, with one memory in a bank that asks for two people."""
    made = opened(store_of(request.param, tmp_path), policy=TWO)
    made.alice.remember("The harbour has a crane", id="a")
    yield made
    made.mind.close()


@pytest.fixture(params=ACTS)
def act(request: pytest.FixtureRequest) -> Act:
    """A direct act on the memory."""
    return ACTS[request.param]


def _last(lapse: Opened) -> JournalEntry:
    return lapse.store.journal(lapse.alice.ref, 0, 1000)[-1]


@pytest.mark.parametrize("second", [None, "anna", " ANNA ", "ａｎｎａ", HOST])
def test_a_direct_act_is_refused_without_a_second_person(
    lapse: Opened, act: Act, second: str | None
) -> None:
    before = _last(lapse)

    with pytest.raises(ValidationError, match=r"two_person") as refused:
        act(lapse.alice, "anna", second)

    assert [each.field for each in refused.value.faults] == ["approved_by"]
    assert lapse.alice.get("a").state.lifecycle is Lifecycle.ACTIVE
    assert _last(lapse) == before


def test_a_direct_act_of_nobody_in_particular_is_refused_with_all_its_faults(
    lapse: Opened, act: Act
) -> None:
    with pytest.raises(ValidationError) as refused:
        act(lapse.alice, HOST, None)

    assert [each.field for each in refused.value.faults] == ["by", "approved_by"]


def test_a_direct_act_that_a_second_person_stands_for_is_done_and_journalled(
    lapse: Opened, act: Act
) -> None:
    assert act(lapse.alice, "anna", "boss").applied

    entry = _last(lapse)
    assert (entry.by, entry.approved_by) == ("anna", "boss")
    assert lapse.alice.verify_journal().sound


def test_a_second_person_is_recorded_where_none_is_needed(lapse: Opened, act: Act) -> None:
    lapse.alice.set_policy({"retention.two_person": False}, by="owner")

    act(lapse.alice, "anna", "anna")

    assert _last(lapse).approved_by == "anna"


@pytest.mark.parametrize("second", ["", "  ", "x" * 256])
def test_a_second_person_has_a_name_that_can_be_journalled(
    lapse: Opened, act: Act, second: str
) -> None:
    lapse.alice.set_policy({"retention.two_person": False}, by="owner")

    with pytest.raises(ValidationError) as refused:
        act(lapse.alice, "anna", second)

    assert [each.field for each in refused.value.faults] == ["approved_by"]


def test_a_life_tells_who_stood_for_what(lapse: Opened) -> None:
    _suppress(lapse.alice, "anna", "boss")

    last = lapse.alice.history("a").happenings[-1]

    assert (last.what, last.by, last.approved_by) == ("suppress", "anna", "boss")


def test_two_people_do_not_overrule_a_hold(lapse: Opened, act: Act) -> None:
    lapse.alice.hold("matter", by="clerk", reason="law", ids=["a"])

    with pytest.raises(GuardedError):
        act(lapse.alice, "anna", "boss")

    entry = _last(lapse)
    assert (entry.by, entry.approved_by) == ("anna", "boss")


def test_looking_and_bringing_back_need_one_person(lapse: Opened) -> None:
    lapse.alice.forget(["a"])
    lapse.alice.preview_erasure(["a"])
    _suppress(lapse.alice, "anna", "boss")

    assert lapse.alice.restore(["a"], by="anna", reason=REASON).ids == ("a",)
    assert _last(lapse).verb is Verb.RESTORE


@pytest.mark.parametrize("by", [HOST, " Host", "HOST"])
def test_a_plan_tells_who_made_it(lapse: Opened, by: str) -> None:
    with pytest.raises(ValidationError, match="two_person"):
        lapse.alice.plan(ids=["a"], by=by)
    with pytest.raises(ValidationError, match="two_person"):
        lapse.alice.plan_to_budget(max_active=0, by=by)

    assert not lapse.alice.plans()


def test_a_named_plan_is_approved_by_somebody_else(lapse: Opened) -> None:
    plan = lapse.alice.plan(ids=["a"], by="anna")

    with pytest.raises(PlanError, match="second person"):
        lapse.alice.approve(plan.id, by="Anna", reason=REASON)
    lapse.alice.approve(plan.id, by="boss", reason=REASON)

    assert lapse.alice.apply(plan.id).application is not None
    assert lapse.alice.get("a").state.lifecycle is Lifecycle.SUPPRESSED
