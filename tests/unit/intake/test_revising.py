"""New content versions: what may change, what stays, and how claims follow."""

import pytest

from lapse.errors import (
    CorruptStoreError,
    NotFoundError,
    ValidationError,
    VersionConflictError,
)
from lapse.intake.revising import REVISABLE
from lapse.model.instants import DAY, Instant
from lapse.model.memory import Kind, Memory, Role
from lapse.model.outcome import Action
from lapse.model.retention import Lifecycle
from lapse.testing.fakes import ALICE, START
from tests.unit.intake.telling import Teller

TEA = {"text": "I prefer tea", "id": "m1"}


@pytest.fixture
def teller() -> Teller:
    return Teller()


def _revise(teller: Teller, memory_id: str, **fields: object) -> Memory:
    teller.now = Instant(teller.now + DAY)
    (outcome,) = teller.revise(memory_id, fields)
    assert outcome.action is Action.UPDATED
    return teller.record(memory_id).memory


def _faults(teller: Teller, **fields: object) -> list[str]:
    with pytest.raises(ValidationError) as caught:
        teller.revise("m1", fields)
    return [each.field for each in caught.value.faults]


def test_a_new_text_is_a_new_version_and_the_old_one_stays(teller: Teller) -> None:
    teller.tell(TEA)
    before = teller.record("m1").memory

    after = _revise(teller, "m1", text="I prefer green tea")

    assert (after.text, after.content_version) == ("I prefer green tea", 2)
    assert after.recorded_from == teller.now
    assert after.created_at == before.created_at
    assert after.fingerprint != before.fingerprint
    assert teller.store.versions(ALICE, "m1") == [before]


def test_a_reworded_memory_is_held_as_strongly_as_before(teller: Teller) -> None:
    teller.tell(TEA)
    before = teller.record("m1").state

    _revise(teller, "m1", text="I prefer green tea")

    assert teller.record("m1").state == before


def test_b154_changing_one_field_leaves_all_others(teller: Teller) -> None:
    teller.tell(
        {
            **TEA,
            "tags": ["a"],
            "source": "chat",
            "metadata": {"priority": 1},
            "subject": "alice",
            "entities": ["Tea"],
            "session": "s1",
            "role": "user",
            "occurred_at": START,
            "importance": 0.7,
            "proof_count": 5,
            "confidence": 0.9,
            "expires_at": START + 900 * DAY,
        }
    )
    before = teller.record("m1")

    _revise(teller, "m1", text="I prefer green tea")
    after = _revise(teller, "m1", tags=["b"])

    changed = {
        name for name in Memory.__slots__ if getattr(after, name) != getattr(before.memory, name)
    }
    assert changed == {"text", "tags", "fingerprint", "content_version", "recorded_from"}
    assert teller.record("m1").state.importance == 0.7


def test_the_same_values_again_are_no_new_version(teller: Teller) -> None:
    teller.tell(TEA)
    before = teller.record("m1")
    teller.now = Instant(START + DAY)

    (outcome,) = teller.revise("m1", {"text": "I prefer tea", "tags": [], "kind": "semantic"})

    assert outcome.action is Action.UNCHANGED
    assert teller.record("m1") == before


def test_none_empties_what_may_be_empty_and_keeps_what_may_not(teller: Teller) -> None:
    teller.tell(
        {**TEA, "subject": "a", "tags": ["b"], "kind": "working", "confidence": 0.9, "role": "user"}
    )

    after = _revise(teller, "m1", subject=None, tags=None, kind=None, confidence=None, role=None)

    assert (after.subject, after.tags, after.role) == (None, (), None)
    assert (after.kind, after.confidence) == (Kind.WORKING, 0.9)


def test_none_for_the_number_of_proofs_keeps_it(teller: Teller) -> None:
    teller.tell({**TEA, "proof_count": 5})

    assert _revise(teller, "m1", proof_count=None, source="chat").proof_count == 5


@pytest.mark.parametrize(
    "name", ["importance", "pinned", "exempt", "id", "created_at", "recorded_from", "colour"]
)
def test_what_no_update_may_change_is_refused_with_what_it_may(teller: Teller, name: str) -> None:
    teller.tell(TEA)

    with pytest.raises(ValidationError, match=r"cannot be updated; these can: text, .*role"):
        teller.revise("m1", {name: 1})
    assert name not in REVISABLE


def test_every_fault_is_told_at_once_and_nothing_changes(teller: Teller) -> None:
    teller.tell(TEA)
    before = teller.record("m1")

    faults = _faults(teller, text=" ", kind="dream", pinned=True, confidence=7, role="boss")

    assert sorted(faults) == ["confidence", "kind", "pinned", "role", "text"]
    assert teller.record("m1") == before


def test_an_unknown_memory_is_not_found(teller: Teller) -> None:
    with pytest.raises(NotFoundError) as caught:
        teller.revise("m1", {"text": "x"})
    assert caught.value.fields == {"id": "m1"}


def test_another_version_than_the_one_read_is_a_conflict(teller: Teller) -> None:
    teller.tell(TEA)
    _revise(teller, "m1", text="I prefer green tea")

    with pytest.raises(VersionConflictError) as caught:
        teller.revise("m1", {"text": "I prefer coffee"}, if_version=1)

    assert caught.value.fields == {"id": "m1", "content_version": "2"}
    assert teller.record("m1").memory.text == "I prefer green tea"


@pytest.mark.parametrize("version", [None, 1])
def test_the_version_that_was_read_is_no_conflict(teller: Teller, version: int | None) -> None:
    teller.tell(TEA)

    assert teller.revise("m1", {"role": "user"}, if_version=version)[0].action is Action.UPDATED
    assert teller.record("m1").memory.role is Role.USER


def test_a_new_expiry_dates_the_fading_anew(teller: Teller) -> None:
    teller.tell(TEA)

    _revise(teller, "m1", expires_at=START + 5 * DAY)

    assert teller.record("m1").state.fades_at == START + 5 * DAY


def test_a_suppressed_memory_stays_suppressed(teller: Teller) -> None:
    teller.tell(TEA)
    teller.suppress("m1")

    _revise(teller, "m1", text="I prefer green tea")

    assert teller.record("m1").state.lifecycle is Lifecycle.SUPPRESSED


def test_a_memory_without_a_state_stops_the_update_and_says_so(teller: Teller) -> None:
    teller.tell(TEA)
    teller.lose_state("m1")

    with pytest.raises(CorruptStoreError, match="m1"):
        teller.revise("m1", {"text": "x"})


@pytest.mark.parametrize("source", ["nope", "m1"])
def test_no_update_derives_a_memory_from_nothing_or_itself(teller: Teller, source: str) -> None:
    teller.tell(TEA)

    with pytest.raises(NotFoundError) as caught:
        teller.revise("m1", {"derived_from": [source]})

    assert caught.value.fields == {"derived_from": source}


def test_an_update_may_name_sources_that_exist(teller: Teller) -> None:
    teller.tell({"text": "a source", "id": "s1"}, TEA)

    assert _revise(teller, "m1", derived_from=["s1"]).derived_from == ("s1",)


# --- claims --------------------------------------------------------------------------------


def _cities(teller: Teller) -> None:
    """Paris from day 0, London from day 20."""
    teller.tell(
        {"text": "Paris", "id": "paris", "key": "city", "valid_from": START},
        {"text": "London", "id": "london", "key": "city", "valid_from": START + 20 * DAY},
    )


def _chain(teller: Teller) -> list[tuple[str, Instant | None, Instant | None, bool]]:
    claims = [each.memory for each in teller.stored() if each.memory.key == "city"]
    return [
        (each.id, each.valid_from, each.valid_to, each.is_latest)
        for each in sorted(claims, key=lambda each: each.valid_from or 0)
    ]


def test_a_new_value_of_the_current_claim_keeps_its_place(teller: Teller) -> None:
    _cities(teller)

    _revise(teller, "london", text="Londres")

    assert _chain(teller) == [
        ("paris", START, START + 20 * DAY, False),
        ("london", START + 20 * DAY, None, True),
    ]


def test_a_claim_that_moves_takes_the_end_before_it_along(teller: Teller) -> None:
    _cities(teller)

    _revise(teller, "london", valid_from=START + 25 * DAY)

    assert _chain(teller)[0] == ("paris", START, START + 25 * DAY, False)


def test_a_claim_can_move_behind_its_successor(teller: Teller) -> None:
    _cities(teller)

    _revise(teller, "paris", valid_from=START + 30 * DAY)

    assert _chain(teller) == [
        ("london", START + 20 * DAY, START + 30 * DAY, False),
        ("paris", START + 30 * DAY, None, True),
    ]


def test_a_claim_that_leaves_its_key_leaves_no_trace_in_the_chain(teller: Teller) -> None:
    _cities(teller)

    london = _revise(teller, "london", key=None)

    assert _chain(teller) == [("paris", START, None, True)]
    assert teller.record("paris").memory.superseded_by is None
    assert (london.supersedes, london.is_latest, london.valid_to) == (None, True, None)


def test_a_superseded_claim_that_leaves_its_key_holds_without_an_end_again(teller: Teller) -> None:
    _cities(teller)

    paris = _revise(teller, "paris", key=None)

    assert (paris.valid_to, paris.superseded_by, paris.is_latest) == (None, None, True)
    assert teller.record("london").memory.supersedes is None


def test_a_claim_that_changes_its_key_settles_both(teller: Teller) -> None:
    _cities(teller)
    teller.tell({"text": "Rome", "id": "rome", "key": "birthplace", "valid_from": START})

    _revise(teller, "london", key="birthplace")

    assert _chain(teller) == [("paris", START, None, True)]
    rome = teller.record("rome").memory
    assert (rome.superseded_by, rome.valid_to) == ("london", START + 20 * DAY)


def test_a_plain_memory_that_gets_a_key_takes_its_place_by_its_own_dates(teller: Teller) -> None:
    _cities(teller)
    teller.tell(
        {"text": "Lyon", "id": "lyon", "created_at": START + 90 * DAY, "occurred_at": START + DAY}
    )

    _revise(teller, "lyon", key="city")

    assert [(each[0], each[1]) for each in _chain(teller)] == [
        ("paris", START),
        ("lyon", START + DAY),
        ("london", START + 20 * DAY),
    ]


def test_an_own_end_survives_an_update_of_something_else(teller: Teller) -> None:
    teller.tell({"text": "Paris", "id": "paris", "key": "city", "valid_to": START + 5 * DAY})

    assert _revise(teller, "paris", source="letter").valid_to == START + 5 * DAY


def test_an_updated_claim_leaves_the_states_of_the_others_alone(teller: Teller) -> None:
    _cities(teller)
    before = teller.record("paris").state

    _revise(teller, "london", valid_from=START + 25 * DAY)

    assert teller.record("paris").state == before
