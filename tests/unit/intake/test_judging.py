"""New, told again, another value of a claim, or the same write repeated."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from lapse.errors import ConflictError, CorruptStoreError, NotFoundError
from lapse.model.bank import Bank
from lapse.model.instants import DAY, Instant
from lapse.model.outcome import Action, Outcome
from lapse.model.policy import Policy
from lapse.model.policy_layers import apply
from lapse.model.policy_sources import from_diff
from lapse.model.retention import Lifecycle, UseSource
from lapse.testing.fakes import ALICE, START
from tests.unit.intake.telling import Teller

TEA = {"text": "I prefer tea"}
AUTHORITIES = [None, "user", "host"]
OTHERS = ["assistant", "tool", "system", "model"]


@pytest.fixture
def teller() -> Teller:
    return Teller()


def _later(teller: Teller, days: float = 1.0) -> None:
    teller.now = Instant(teller.now + round(days * DAY))


def _actions(outcomes: Sequence[Outcome]) -> list[Action]:
    return [each.action for each in outcomes]


# --- the same write repeated ---------------------------------------------------------------


def test_b130_the_same_id_and_content_again_is_unchanged(teller: Teller) -> None:
    draft = {**TEA, "id": "m-1", "tags": ["a"], "importance": 0.4, "created_at": START}
    first = teller.tell(draft)
    before = teller.stored()
    _later(teller)

    again = teller.tell(draft)

    assert _actions(first) == [Action.CREATED]
    assert again[0].action is Action.UNCHANGED
    assert again[0].memory_id == "m-1"
    assert teller.stored() == before
    assert teller.events() == []


@pytest.mark.parametrize(
    "other",
    [
        {"text": "I prefer coffee"},
        {"text": "i prefer tea"},
        {"kind": "working"},
        {"key": "user/drink"},
        {"subject": "bob"},
        {"session": "s2"},
        {"role": "assistant"},
        {"source": "elsewhere"},
        {"tags": ["b"]},
        {"entities": ["Tea"]},
        {"metadata": {"n": 2}},
        {"created_at": START - DAY},
        {"occurred_at": START},
        {"valid_from": START},
        {"valid_to": START + DAY},
        {"expires_at": START + DAY},
        {"confidence": 0.9},
    ],
    ids=lambda other: str(next(iter(other))),
)
def test_b130_the_same_id_with_other_content_is_a_conflict(
    teller: Teller, other: dict[str, object]
) -> None:
    draft = {**TEA, "id": "m-1", "tags": ["a"], "metadata": {"n": 1}, "role": "user"}
    teller.tell(draft)
    before = teller.stored()

    with pytest.raises(ConflictError) as caught:
        teller.tell({"text": "something new"}, draft | other)

    assert caught.value.fields == {"id": "m-1"}
    assert teller.stored() == before


def test_what_a_retry_leaves_out_is_no_other_content(teller: Teller) -> None:
    teller.tell({**TEA, "id": "m-1", "tags": ["a"], "kind": "working", "confidence": 0.9})

    assert _actions(teller.tell({**TEA, "id": "m-1"})) == [Action.UNCHANGED]


def test_a_retry_of_a_claim_that_was_superseded_since_is_unchanged(teller: Teller) -> None:
    draft = {**TEA, "id": "m-1", "key": "k", "valid_to": START + 50 * DAY}
    teller.tell(draft)
    _later(teller)
    teller.tell({"text": "I prefer coffee", "key": "k"})

    assert _actions(teller.tell(draft)) == [Action.UNCHANGED]


def test_a_repeated_id_inside_one_batch_follows_the_same_rules(teller: Teller) -> None:
    draft = {**TEA, "id": "m-1"}

    assert _actions(teller.tell(draft, draft)) == [Action.CREATED, Action.UNCHANGED]
    with pytest.raises(ConflictError):
        teller.tell({"text": "a", "id": "m-2"}, {"text": "b", "id": "m-2"})
    assert [each.memory.id for each in teller.stored()] == ["m-1"]


# --- told again ----------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["I prefer tea", "  i PREFER  tea.", "“I prefer tea”"])
def test_the_same_text_told_again_is_reconfirmed_and_makes_no_second_row(
    teller: Teller, text: str
) -> None:
    (first,) = teller.tell(TEA)
    _later(teller)

    (again,) = teller.tell({"text": text})

    assert again.action is Action.RECONFIRMED
    assert again.memory_id == first.memory_id
    assert len(teller.stored()) == 1
    (event,) = teller.events()
    assert event.source is UseSource.RECONFIRMED
    assert event.weight == 0.6
    assert (event.at, event.enqueued_at) == (teller.now, teller.now)


def test_b126_texts_that_differ_in_one_digit_are_two_memories(teller: Teller) -> None:
    texts = [
        "invoice 1041 is due on 15 October",
        "invoice 1041 is due on 16 October",
        "leaves from gate 12",
        "leaves from gate 13",
    ]

    assert _actions(teller.tell(*({"text": each} for each in texts))) == [Action.CREATED] * 4


def test_telling_the_same_twice_at_one_instant_is_one_event(teller: Teller) -> None:
    teller.tell(TEA)
    _later(teller)

    teller.tell(TEA, TEA)
    teller.tell(TEA)

    assert len(teller.events()) == 1


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ({}, {"subject": "bob"}, False),
        ({"subject": "alice"}, {"subject": "bob"}, False),
        ({"subject": "bob"}, {"subject": "bob"}, True),
        ({"occurred_at": START - DAY}, {"occurred_at": START - 2 * DAY}, False),
        ({"occurred_at": START - DAY}, {"occurred_at": START - DAY}, True),
        ({"occurred_at": START - DAY}, {}, True),
        ({}, {"occurred_at": START - DAY}, True),
        ({"session": "s1"}, {"session": "s2"}, True),
        ({"kind": "semantic"}, {"kind": "episodic"}, True),
    ],
)
def test_the_same_text_is_told_again_only_of_the_same_matter(
    teller: Teller, first: dict[str, object], second: dict[str, object], same: bool
) -> None:
    teller.tell(TEA | first)

    (outcome,) = teller.tell(TEA | second)

    assert outcome.action is (Action.RECONFIRMED if same else Action.CREATED)
    assert len(teller.stored()) == (1 if same else 2)


@pytest.mark.parametrize("end", ["expires_at", "valid_to"])
@pytest.mark.parametrize("key", [None, "user/drink"])
def test_what_has_ended_is_not_told_again_but_anew(
    teller: Teller, end: str, key: str | None
) -> None:
    teller.tell({**TEA, "key": key, end: START + DAY})
    _later(teller, 2)

    assert _actions(teller.tell({**TEA, "key": key})) == [Action.CREATED]
    assert _actions(teller.tell({**TEA, "key": key})) == [Action.RECONFIRMED]


@pytest.mark.parametrize("end", ["expires_at", "valid_to"])
@pytest.mark.parametrize("key", [None, "user/drink"])
def test_the_same_statement_about_what_has_ended_makes_no_second_row(
    teller: Teller, end: str, key: str | None
) -> None:
    draft = {**TEA, "key": key, "valid_from": START - DAY, end: START + DAY}
    teller.tell(draft)
    _later(teller, 2)

    assert _actions(teller.tell(draft)) == [Action.RECONFIRMED]
    assert len(teller.stored()) == 1


def test_what_was_told_while_it_held_is_told_again_even_if_it_ended_since(teller: Teller) -> None:
    teller.tell({**TEA, "expires_at": START + 2 * DAY})
    _later(teller, 3)

    assert _actions(teller.tell({**TEA, "created_at": START + DAY})) == [Action.RECONFIRMED]


def test_a_telling_counts_when_it_happened_and_never_in_the_future(teller: Teller) -> None:
    teller.tell({**TEA, "created_at": START - 20 * DAY})

    teller.tell({**TEA, "created_at": START - 5 * DAY})
    teller.tell({**TEA, "created_at": START + 5 * DAY})

    assert [each.at for each in teller.events()] == [START - 5 * DAY, START]


def test_a_telling_too_long_ago_is_no_event_is_noted_and_counted(teller: Teller) -> None:
    teller.tell({**TEA, "created_at": START - 100 * DAY})

    (outcome,) = teller.tell({**TEA, "created_at": START - 31 * DAY})

    assert outcome.action is Action.RECONFIRMED
    assert outcome.note == "told too long ago to count as a use"
    assert teller.events() == []
    assert _bank(teller).late_events == 1


def test_marks_told_with_a_known_text_are_named_because_they_are_not_taken_over(
    teller: Teller,
) -> None:
    teller.tell({"text": "allergic to nuts", "id": "m", "importance": 0.7})
    before = teller.record("m").state

    marks = {"pinned": True, "exempt": "law", "importance": 1.0, "audit_evidence": True}
    told = {"text": "Allergic to nuts.", "id": "mine", "expires_at": "2030-01-01", **marks}
    (outcome,) = teller.tell(told)

    assert outcome.action is Action.RECONFIRMED
    assert outcome.note.startswith(
        "told again; not taken over: id, pinned, exempt, importance, audit_evidence, expires_at ("
    )
    assert teller.record("m").state == before
    (again,) = teller.tell({"text": "allergic to nuts", "importance": 0.7})
    assert again.note == ""


def test_without_reinforcement_told_again_is_no_event() -> None:
    off = apply(Policy(), from_diff({"reinforcement": {"enabled": False}}))
    teller = Teller(off)
    teller.tell(TEA)
    _later(teller)

    assert _actions(teller.tell(TEA)) == [Action.RECONFIRMED]
    assert teller.events() == []


# --- back from suppression -----------------------------------------------------------------


@pytest.mark.parametrize("lifecycle", [Lifecycle.SUPPRESSED, Lifecycle.ARCHIVED])
@pytest.mark.parametrize("key", [None, "user/drink"])
@pytest.mark.parametrize("role", AUTHORITIES)
def test_told_again_by_user_or_host_it_comes_back(
    teller: Teller, role: str | None, key: str | None, lifecycle: Lifecycle
) -> None:
    teller.tell({**TEA, "id": "m1", "key": key})
    before = teller.put_state("m1", lifecycle=lifecycle)
    _later(teller)

    teller.tell({**TEA, "key": key, "role": role})

    state = teller.record("m1").state
    assert state.lifecycle is Lifecycle.ACTIVE
    assert state.transition is not None
    assert state.transition.prior is lifecycle
    assert (state.transition.at, state.transition.by) == (teller.now, "test")
    assert state.strength == before.strength
    assert state.protected_until == teller.now + 30 * DAY


@pytest.mark.parametrize("role", OTHERS)
def test_told_again_by_anybody_else_it_stays_where_it_is(teller: Teller, role: str) -> None:
    teller.tell({**TEA, "id": "m1"})
    before = teller.suppress("m1")
    _later(teller)

    (outcome,) = teller.tell({**TEA, "role": role})

    assert outcome.action is Action.RECONFIRMED
    assert teller.record("m1").state == before


def test_told_again_an_active_memory_changes_no_state_before_it_is_drained(teller: Teller) -> None:
    teller.tell({**TEA, "id": "m1"})
    before = teller.record("m1")
    _later(teller)

    teller.tell(TEA)

    assert teller.record("m1") == before


# --- sources -------------------------------------------------------------------------------


def test_a_source_that_does_not_exist_refuses_everything(teller: Teller) -> None:
    with pytest.raises(NotFoundError) as caught:
        teller.tell(TEA, {"text": "so she likes tea", "derived_from": ["nope", "neither"]})

    assert caught.value.fields == {"derived_from": "nope, neither"}
    assert teller.store.bank(ALICE) is None


def test_a_source_may_come_in_the_same_batch_before_it(teller: Teller) -> None:
    (_, outcome) = teller.tell({**TEA, "id": "m1"}, {"text": "so", "derived_from": ["m1"]})

    assert teller.record(outcome.memory_id).memory.derived_from == ("m1",)


@pytest.mark.parametrize("source", ["self", "after"])
def test_nothing_is_derived_from_itself_or_from_what_comes_after(
    teller: Teller, source: str
) -> None:
    with pytest.raises(NotFoundError):
        teller.tell(
            {**TEA, "id": "self", "derived_from": [source]}, {"text": "later", "id": "after"}
        )


@pytest.mark.parametrize("draft", [TEA, {"text": "coffee", "key": "user/drink"}])
def test_a_memory_without_a_state_stops_the_write_and_says_so(
    teller: Teller, draft: dict[str, object]
) -> None:
    teller.tell({**TEA, "id": "m1", "key": draft.get("key")})
    teller.lose_state("m1")

    with pytest.raises(CorruptStoreError, match="m1"):
        teller.tell(draft)


def _bank(teller: Teller) -> Bank:
    bank = teller.store.bank(ALICE)
    assert bank is not None
    return bank


def test_being_told_again_before_the_checkpoint_counts_as_late(teller: Teller) -> None:
    teller.tell({**TEA, "id": "m-1"})
    ahead = replace(teller.record("m-1").state.checkpoint, through=Instant(START + 400 * DAY))
    teller.put_state("m-1", checkpoint=ahead)
    _later(teller, 3)

    (again,) = teller.tell(TEA)

    assert (again.action, again.note) == (
        Action.RECONFIRMED,
        "told too long ago to count as a use",
    )
    assert teller.events() == []
