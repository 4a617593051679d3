"""Suppress, archive, restore, hold and release by a person's hand."""

from collections.abc import Iterator
from pathlib import Path
from typing import TypedDict

import pytest

from lapse.bank import Bank
from lapse.errors import ConflictError, GuardedError, NotFoundError, ValidationError
from lapse.model.guards import Guard, Spared
from lapse.model.hold import HoldScope
from lapse.model.instants import DAY
from lapse.model.journal import JournalEntry
from lapse.model.proposal import ProposalKind
from lapse.model.retention import Lifecycle
from lapse.model.verbs import Verb
from lapse.testing.fakes import START
from tests.unit.engine.opening import Opened, opened, store_of


class Who(TypedDict):
    """Who acts, and why."""

    by: str
    reason: str


WHO: Who = {"by": "anna", "reason": "it is over"}


@pytest.fixture(params=["memory", "sqlite"])
def lapse(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Opened]:
    """An engine over each kind of store, with a few memories in one bank."""
    made = opened(store_of(request.param, tmp_path))
    bank = made.alice
    for name in ("a", "b", "c", "d"):
        bank.remember(f"The harbour has a crane called {name * 4}", id=name, session="s1")
    yield made
    made.mind.close()


def _entries(lapse: Opened) -> list[JournalEntry]:
    return lapse.store.journal(lapse.alice.ref, 0, 1000)


def _standing(bank: Bank) -> dict[str, Lifecycle]:
    return {each.memory.id: each.state.lifecycle for each in bank.list().records}


def test_one_act_is_one_entry_with_name_reason_and_memories(lapse: Opened) -> None:
    lapse.alice.suppress(["b", "a"], **WHO)
    entry = _entries(lapse)[-1]
    assert (entry.verb, entry.by, entry.reason) == (Verb.SUPPRESS, "anna", "it is over")
    assert [(each.was, each.now) for each in entry.items] == [
        (Lifecycle.ACTIVE, Lifecycle.SUPPRESSED)
    ] * 2
    assert entry.counts == (("moved", 2),)
    moved = lapse.alice.get("a").state.transition
    assert moved is not None
    assert (moved.by, moved.reason, moved.plan_id) == ("anna", "it is over", None)


@pytest.mark.parametrize("verb", ["suppress", "archive"])
def test_what_others_have_said_of_a_memory_spares_it(lapse: Opened, verb: str) -> None:
    bank = lapse.alice
    bank.pin(["a"])
    bank.exempt(["b"], reason="contract")
    moved = getattr(bank, verb)(["a", "b", "c"], **WHO)
    assert moved.ids == ("c",)
    assert moved.spared == (
        Spared(memory_id="a", guard=Guard.PINNED),
        Spared(memory_id="b", guard=Guard.EXEMPT),
    )
    assert _entries(lapse)[-1].counts == (
        ("moved", 1),
        ("refused_exempt", 1),
        ("refused_pinned", 1),
    )


def test_an_act_that_guards_refuse_whole_is_an_error_and_journalled(lapse: Opened) -> None:
    lapse.alice.hold("case 7", ids=["a"], **WHO)
    with pytest.raises(GuardedError, match=r"a \(hold\)"):
        lapse.alice.archive(["a"], **WHO)
    entry = _entries(lapse)[-1]
    assert (entry.verb, entry.counts) == (Verb.ARCHIVE, (("moved", 0), ("refused_hold", 1)))
    assert [(each.was, each.now) for each in entry.items] == [(Lifecycle.ACTIVE, Lifecycle.ACTIVE)]


def test_what_was_said_a_minute_ago_and_is_cited_can_be_put_away(lapse: Opened) -> None:
    lapse.alice.remember("A summary of a", id="sum", derived_from=["a"], importance=1.0)
    assert lapse.alice.suppress(["a", "sum"], **WHO).ids == ("a", "sum")


def test_twice_is_once(lapse: Opened) -> None:
    lapse.alice.suppress(["a"], **WHO)
    entries, record = _entries(lapse), lapse.alice.get("a")
    lapse.clock.advance(days=1)
    again = lapse.alice.suppress(["a"], **WHO)
    assert (again.ids, again.unchanged) == ((), ("a",))
    assert _entries(lapse) == entries
    assert lapse.alice.get("a") == record


def test_an_unknown_id_undoes_the_whole_act(lapse: Opened) -> None:
    before = _standing(lapse.alice)
    for act in (lapse.alice.suppress, lapse.alice.archive, lapse.alice.restore):
        with pytest.raises(NotFoundError, match="nobody"):
            act(["a", "nobody"], **WHO)
    assert _standing(lapse.alice) == before


@pytest.mark.parametrize(
    "given",
    [
        {"by": "anna", "reason": " "},
        {"by": "", "reason": "x"},
        {"by": "anna", "reason": None},
    ],
)
def test_a_name_and_a_reason_are_needed(lapse: Opened, given: dict[str, str]) -> None:
    for verb in ("suppress", "archive", "restore"):
        with pytest.raises(ValidationError):
            getattr(lapse.alice, verb)(["a"], **given)
    with pytest.raises(ValidationError):
        lapse.alice.hold("h", everything=True, **given)


def test_memories_are_chosen_by_what_they_have_in_common(lapse: Opened) -> None:
    bank = lapse.alice
    bank.remember("The ferry is blue", id="e", session="s2", tags=["ship"], subject="ferry")
    assert bank.suppress(session="s2", tag="ship", **WHO).ids == ("e",)
    assert bank.suppress(session="s1", **WHO).ids == ("a", "b", "c", "d")
    assert bank.archive(subject="ferry", **WHO).ids == ("e",)
    assert bank.restore(session="s1", **WHO).ids == ("a", "b", "c", "d")
    assert bank.suppress(key="no/such", **WHO).ids == ()


@pytest.mark.parametrize("given", [{}, {"ids": ["a"], "session": "s1"}, {"sesion": "s1"}])
def test_a_choice_names_exactly_one_thing(lapse: Opened, given: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        lapse.alice.suppress(**given, **WHO)  # type: ignore[arg-type]  # wrong on purpose


def test_a_look_ahead_tells_the_same_as_the_act_and_changes_nothing(lapse: Opened) -> None:
    bank = lapse.alice
    bank.pin(["a"])
    bank.suppress(["b"], **WHO)
    revision = lapse.store.revision(bank.ref)
    ahead = bank.forget(["a", "b", "c"])
    assert lapse.store.revision(bank.ref) == revision
    done = bank.suppress(["a", "b", "c"], **WHO)
    assert (ahead.ids, ahead.spared, ahead.unchanged) == (done.ids, done.spared, done.unchanged)
    assert (ahead.applied, done.applied) == (False, True)
    assert bank.forget(["a", "b"], mode="erase").ids == ("a", "b")
    with pytest.raises(ValidationError, match="mode"):
        bank.forget(["a"], mode="burn")


def test_a_hold_covers_what_is_there_and_what_comes(lapse: Opened) -> None:
    bank = lapse.alice
    placed = bank.hold("case 7", tag="tax", **WHO)
    assert (placed.holder, placed.target.scope) == ("anna", HoldScope.TAG)
    bank.remember("The tax is due", id="tax", tags=["tax"])
    with pytest.raises(GuardedError):
        bank.suppress(["tax"], **WHO)
    bank.update("tax", tags=[])
    with pytest.raises(GuardedError):
        bank.archive(["tax"], **WHO)
    assert bank.holds()[0].attached == ("tax",)
    bank.release("case 7", **WHO)
    assert bank.suppress(["tax"], **WHO).ids == ("tax",)


def test_holds_end_one_by_one(lapse: Opened) -> None:
    bank = lapse.alice
    bank.hold("one", everything=True, **WHO)
    bank.hold("two", ids=["a"], **WHO)
    bank.release("one", **WHO)
    with pytest.raises(GuardedError):
        bank.suppress(["a"], **WHO)
    assert bank.suppress(["b"], **WHO).ids == ("b",)
    with pytest.raises(NotFoundError, match="one"):
        bank.release("one", **WHO)
    told = [(each.verb, each.about) for each in _entries(lapse) if each.about]
    assert told == [(Verb.HOLD, "one"), (Verb.HOLD, "two"), (Verb.RELEASE, "one")]


def test_the_same_hold_again_changes_nothing_and_another_is_a_conflict(lapse: Opened) -> None:
    bank = lapse.alice
    first = bank.hold("case 7", ids=["a"], **WHO)
    lapse.clock.advance(days=1)
    assert bank.hold("case 7", ids=["a"], **WHO) == first
    with pytest.raises(ConflictError, match="placed already"):
        bank.hold("case 7", ids=["b"], **WHO)


@pytest.mark.parametrize("given", [{}, {"ids": ["a"], "tag": "x"}, {"tags": "x"}, {"ids": []}])
def test_a_hold_is_placed_on_exactly_one_thing(lapse: Opened, given: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        lapse.alice.hold("h", **given, **WHO)  # type: ignore[arg-type]  # wrong on purpose


def test_what_is_back_is_protected_for_the_grace_period(lapse: Opened) -> None:
    bank = lapse.alice
    bank.suppress(["a"], **WHO)
    bank.restore(["a"], **WHO)
    assert bank.get("a").state.protected_until == START + 30 * DAY


def test_told_again_by_the_user_it_is_active_with_its_history(lapse: Opened) -> None:
    bank = lapse.alice
    text = bank.get("a").memory.text
    lapse.clock.advance(days=2)
    bank.used(["a"])
    bank.drain()
    bank.archive(["a"], **WHO)
    bank.remember(text, role="user")
    state = bank.get("a").state
    assert state.lifecycle is Lifecycle.ACTIVE
    assert state.strength.reinforcement_count == 1
    assert state.protected_until == START + 32 * DAY


def test_the_version_of_the_policy_is_noted_with_dates_and_moves(lapse: Opened) -> None:
    bank = lapse.alice
    assert bank.get("a").state.policy_version == 0
    bank.set_policy({"recall.k": 3})
    bank.suppress(["a"], **WHO)
    assert bank.get("a").state.policy_version == 1
    bank.remember("A new ferry", id="new")
    assert bank.get("new").state.policy_version == 1
    bank.set_policy({"law.decay": 0.6})
    assert {bank.get(each).state.policy_version for each in ("a", "b", "new")} == {2}


@pytest.mark.parametrize("role", ["assistant", "tool"])
def test_told_again_by_who_may_not_it_stays_and_is_listed(lapse: Opened, role: str) -> None:
    bank = lapse.alice
    text = bank.get("a").memory.text
    bank.suppress(["a"], **WHO)
    for _ in range(2):
        told = bank.remember(text, role=role, by="agent")
        assert "stays suppressed" in told.note
        assert bank.get("a").state.lifecycle is Lifecycle.SUPPRESSED
    (listed,) = lapse.store.proposals(bank.ref)
    assert (listed.kind, listed.memory_id, listed.by) == (ProposalKind.REACTIVATE, "a", "agent")
    assert bank.recall(text).hits[0].id != "a"


def test_a_copy_of_the_store_holds_what_the_store_holds(tmp_path: Path) -> None:
    first = opened(store_of("sqlite", tmp_path))
    first.alice.remember("The crane is red", id="a")
    first.alice.hold("case 7", everything=True, **WHO)
    first.mind.backup(str(tmp_path / "copy.db"))
    copy = opened(store_of("sqlite", tmp_path, "copy.db"))
    assert copy.alice.holds() == first.alice.holds()
    with pytest.raises(GuardedError):
        copy.alice.suppress(["a"], **WHO)
    assert copy.alice.verify_journal().sound
    for each in (first, copy):
        each.mind.close()
