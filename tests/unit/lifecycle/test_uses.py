"""Reports of use: what an event weighs, how it is named, and when it is refused."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lapse.errors import NotFoundError, ValidationError
from lapse.lifecycle.uses import Use, event_id_of, judge_uses, unique, weight_of
from lapse.model.bank import Bank
from lapse.model.changeset import Changes
from lapse.model.instants import DAY, Instant
from lapse.model.outcome import Action
from lapse.model.policy import Policy, ReinforcementPolicy
from lapse.model.policy_layers import apply
from lapse.model.policy_sources import from_diff
from lapse.model.record import Record
from lapse.model.retention import UseSource
from lapse.model.view import View
from lapse.testing.fakes import ALICE, START, memory, state

DEFAULTS = Policy().reinforcement
NOW = Instant(START + 60 * DAY)


def _policy(**changes: float) -> ReinforcementPolicy:
    return apply(Policy(), from_diff({"reinforcement": changes})).reinforcement


def _view(*ids: str, late_events: int = 0, stateless: tuple[str, ...] = ()) -> View:
    return View(
        bank=Bank(ref=ALICE, created_at=START, revision=1, late_events=late_events),
        records={
            each: Record(row=row, memory=memory(each), state=state())
            for row, each in enumerate(ids, start=1)
        },
        same_text={},
        same_key={},
        pending=(),
        events={},
        stateless={each: (9, memory(each)) for each in stateless},
    )


def _use(*ids: str, source: UseSource = UseSource.CITED, at: Instant = NOW) -> Use:
    return Use(memory_ids=ids, source=source, at=at, now=NOW)


def _judged(use: Use, view: View) -> Changes:
    return judge_uses(use, DEFAULTS, view)


@pytest.mark.parametrize(
    ("source", "weight"),
    [
        (UseSource.EXPLICIT, 1.0),
        (UseSource.CITED, 0.8),
        (UseSource.RECONFIRMED, 0.6),
        (UseSource.EVIDENCE, 0.5),
        (UseSource.RETURNED, 0.0),
        (UseSource.REJECTED, 1.0),
    ],
)
def test_a_use_weighs_what_it_is_evidence_of(source: UseSource, weight: float) -> None:
    assert weight_of(source, DEFAULTS) == weight


@pytest.mark.parametrize("source", [each for each in UseSource if each is not UseSource.REJECTED])
def test_every_weight_is_a_setting(source: UseSource) -> None:
    assert weight_of(source, _policy(**{f"weight_{source.value}": 0.25})) == 0.25


def test_b031_a_deliberate_use_weighs_more_than_being_shown() -> None:
    assert weight_of(UseSource.EXPLICIT, DEFAULTS) > weight_of(UseSource.RETURNED, DEFAULTS)


def test_every_memory_named_gets_one_event() -> None:
    changes = _judged(_use("a", "b"), _view("a", "b", "c"))

    assert [(each.memory_id, each.source, each.weight) for each in changes.enqueued] == [
        ("a", UseSource.CITED, 0.8),
        ("b", UseSource.CITED, 0.8),
    ]
    assert {(each.at, each.enqueued_at) for each in changes.enqueued} == {(NOW, NOW)}
    assert [each.action for each in changes.outcomes] == [Action.ENQUEUED] * 2
    assert changes.states == ()


def test_unknown_memories_refuse_the_whole_report() -> None:
    with pytest.raises(NotFoundError) as caught:
        _judged(_use("a", "x", "y"), _view("a"))

    assert caught.value.fields == {"ids": "x, y"}


def test_a_memory_that_lost_its_state_can_be_used_all_the_same() -> None:
    changes = _judged(_use("a", "lost"), _view("a", stateless=("lost",)))

    assert [each.memory_id for each in changes.enqueued] == ["a", "lost"]


@given(st.sampled_from(UseSource), st.text(), st.text(min_size=1))
def test_an_event_has_the_same_name_however_often_it_is_reported(
    source: UseSource, memory_id: str, occasion: str
) -> None:
    name = event_id_of(memory_id, source, occasion)

    assert name == event_id_of(memory_id, source, occasion)
    assert len(name) == 32
    assert name != event_id_of(memory_id, source, occasion + "x")
    assert name != event_id_of(memory_id + "x", source, occasion)


def test_events_of_two_sources_are_two_events() -> None:
    names = {event_id_of("m1", source, "r1") for source in UseSource}

    assert len(names) == len(UseSource)


def test_an_event_is_named_by_its_recall_if_it_answers_one_and_else_by_its_instant() -> None:
    view = _view("a")
    plain, later = _use("a"), _use("a", at=Instant(NOW - 1))

    names = [
        _judged(each, view).enqueued[0].event_id
        for each in (plain, later, replace(plain, recall_id="r"), replace(later, recall_id="r"))
    ]

    assert names[0] != names[1]
    assert names[2] == names[3] != names[0]


def test_a_callers_own_name_for_the_event_is_kept() -> None:
    (event,) = _judged(replace(_use("a"), event_id="mine"), _view("a")).enqueued

    assert event.event_id == "mine"


def test_an_empty_name_is_a_mistake_and_no_missing_name() -> None:
    with pytest.raises(ValidationError) as caught:
        _judged(replace(_use("a"), event_id=""), _view("a"))
    assert [each.field for each in caught.value.faults] == ["event_id"]


@pytest.mark.parametrize(("days", "taken"), [(30, True), (30.0001, False), (400, False)])
def test_a_use_of_more_than_30_days_ago_is_refused_and_counted(days: float, taken: bool) -> None:
    at = Instant(NOW - round(days * DAY))

    changes = _judged(_use("a", "b", at=at), _view("a", "b", late_events=5))

    assert len(changes.enqueued) == (2 if taken else 0)
    if taken:
        assert changes.bank is None
    else:
        assert changes.bank is not None
        assert changes.bank.late_events == 7
        assert {each.action for each in changes.outcomes} == {Action.REFUSED}
        assert {each.note for each in changes.outcomes} == {"too long ago to count"}


def test_a_use_from_before_a_memorys_checkpoint_is_refused_and_counted() -> None:
    view = _view("a", "b", late_events=5)
    passed = view.records["a"]
    ahead = replace(
        passed.state, checkpoint=replace(passed.state.checkpoint, through=Instant(NOW + 1))
    )
    view = replace(view, records={**view.records, "a": replace(passed, state=ahead)})

    changes = _judged(_use("a", "b"), view)

    assert [each.memory_id for each in changes.enqueued] == ["b"]
    assert [each.action for each in changes.outcomes] == [Action.REFUSED, Action.ENQUEUED]
    assert changes.bank is not None
    assert changes.bank.late_events == 6


def test_a_shorter_horizon_refuses_more() -> None:
    at = Instant(NOW - 2 * DAY)

    assert judge_uses(_use("a", at=at), _policy(event_horizon_days=1), _view("a")).enqueued == ()


def test_ids_are_taken_once_each_in_order() -> None:
    assert unique(each for each in "bab") == ("b", "a")


def test_a_single_id_in_place_of_a_list_is_refused_not_spelled_out() -> None:
    with pytest.raises(ValidationError) as caught:
        unique("m1")
    assert [each.field for each in caught.value.faults] == ["ids"]
