"""Marks: pin, exempt, verify; what they spare, and what they leave alone."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lapse.errors import CorruptStoreError, NotFoundError
from lapse.laws import law_for
from lapse.lifecycle.dating import dates
from lapse.lifecycle.marks import Mark, exempt_for, judge_mark, pin, unpin, verify
from lapse.model.bank import Bank
from lapse.model.changeset import Changes
from lapse.model.instants import DAY, Instant
from lapse.model.memory import Memory
from lapse.model.outcome import Action
from lapse.model.policy import Policy
from lapse.model.record import Record
from lapse.model.retention import Dates, ImportanceSource, RetentionState
from lapse.model.view import View
from lapse.testing.fakes import ALICE, START, memory, state

POLICY = Policy()
LAW = law_for(POLICY.law)
NOW = Instant(START + 5 * DAY)
MARKS: dict[str, Mark] = {"pin": pin, "exempt": exempt_for("law"), "verify": verify}
TAKEN_BACK: dict[str, Mark] = {"pin": unpin, "exempt": exempt_for(None)}


def _date(one: Memory, its: RetentionState) -> Dates:
    return dates(LAW, POLICY, one, its)


def _dated(its: RetentionState) -> RetentionState:
    return its.dated(_date(memory("m1"), its))


def _view(*states: RetentionState, stateless: tuple[str, ...] = ()) -> View:
    return View(
        bank=Bank(ref=ALICE, created_at=START, revision=1),
        records={
            f"m{row}": Record(row=row, memory=memory(f"m{row}"), state=each)
            for row, each in enumerate(states, start=1)
        },
        same_text={},
        same_key={},
        pending=(),
        events={},
        stateless={each: (9, memory(each)) for each in stateless},
    )


def _marked(mark: Mark, view: View, *ids: str) -> Changes:
    return judge_mark(ids or ("m1",), mark, _date, NOW, view)


@pytest.mark.parametrize("name", MARKS)
def test_what_is_marked_does_not_fade(name: str) -> None:
    ((_, after),) = _marked(MARKS[name], _view(_dated(state()))).states

    assert after.spared
    assert after.fades_at is None
    assert after.updated_at == NOW


@pytest.mark.parametrize("name", TAKEN_BACK)
def test_a_mark_that_is_taken_back_leaves_what_was_before(name: str) -> None:
    before = _dated(state(counted=3))
    ((_, marked),) = _marked(MARKS[name], _view(before)).states

    ((_, after),) = _marked(TAKEN_BACK[name], _view(marked)).states

    assert after == replace(before, updated_at=NOW)


@pytest.mark.parametrize("name", MARKS)
def test_no_mark_touches_the_strength(name: str) -> None:
    before = _dated(state(counted=3))

    ((_, after),) = _marked(MARKS[name], _view(before)).states

    assert (after.strength, after.checkpoint) == (before.strength, before.checkpoint)
    assert after.lifecycle is before.lifecycle


@pytest.mark.parametrize("name", MARKS)
def test_the_same_mark_twice_changes_nothing_the_second_time(name: str) -> None:
    ((_, marked),) = _marked(MARKS[name], _view(_dated(state()))).states

    again = _marked(MARKS[name], _view(marked))

    assert again.empty
    assert [each.action for each in again.outcomes] == [Action.UNCHANGED]


def test_an_exemption_keeps_its_reason_and_a_new_reason_is_a_change() -> None:
    ((_, exempt),) = _marked(exempt_for("law"), _view(state())).states
    ((_, again),) = _marked(exempt_for("order"), _view(exempt)).states

    assert (exempt.exempt, exempt.exempt_reason) == (True, "law")
    assert (again.exempt, again.exempt_reason) == (True, "order")


def test_a_verified_outcome_raises_importance_to_1_and_says_so() -> None:
    ((_, after),) = _marked(verify, _view(replace(state(), importance=0.2))).states

    assert (after.importance, after.importance_source) == (1.0, ImportanceSource.VERIFIED)


@pytest.mark.parametrize("mark", [pin, unpin, exempt_for("law"), exempt_for(None)])
def test_no_other_mark_touches_the_importance(mark: Callable[..., RetentionState]) -> None:
    before = replace(state(), importance=0.2)

    assert mark(before).importance == 0.2
    assert mark(before).importance_source is before.importance_source


@given(st.lists(st.sampled_from(["pin", "unpin", "exempt", "end", "verify"]), max_size=6))
def test_marks_do_not_interfere_with_each_other(names: list[str]) -> None:
    table: dict[str, Mark] = {
        "pin": pin,
        "unpin": unpin,
        "exempt": exempt_for("law"),
        "end": exempt_for(None),
        "verify": verify,
    }
    after = _dated(state())
    for name in names:
        for _, changed in _marked(table[name], _view(after)).states:
            after = changed

    assert after.pinned == (_last(names, "pin", "unpin") == "pin")
    assert after.exempt == (_last(names, "exempt", "end") == "exempt")
    assert after.verified == ("verify" in names)
    assert (after.fades_at is None) == (after.spared or after.importance == 1)


def test_all_memories_named_are_marked_or_none() -> None:
    view = _view(_dated(state()), replace(_dated(state()), pinned=True))

    changes = _marked(pin, view, "m1", "m2")

    assert [name for name, _ in changes.states] == ["m1"]
    assert [each.action for each in changes.outcomes] == [Action.UPDATED, Action.UNCHANGED]
    with pytest.raises(NotFoundError) as caught:
        _marked(pin, view, "m1", "x", "y")
    assert caught.value.fields == {"ids": "x, y"}


def test_a_memory_that_lost_its_state_is_not_said_to_be_unknown() -> None:
    with pytest.raises(CorruptStoreError, match="lost"):
        _marked(pin, _view(state(), stateless=("lost",)), "m1", "lost")


def _last(names: list[str], *wanted: str) -> str | None:
    found = [each for each in names if each in wanted]
    return found[-1] if found else None
