"""What is added to a draft: the policy's defaults, the dates, the first state."""

import pytest

from lapse.intake.composing import initial_state
from lapse.model.instants import DAY, EARLIEST, Instant, parse_instant
from lapse.model.memory import Kind, Memory
from lapse.model.policy import Policy
from lapse.model.policy_layers import apply
from lapse.model.policy_sources import from_diff
from lapse.model.retention import ImportanceSource, Lifecycle, RetentionState
from lapse.testing.fakes import ALICE, START
from tests.unit.intake.telling import Teller

MARCH = parse_instant("2025-03-01", "at")


def _told(**fields: object) -> tuple[Memory, RetentionState]:
    return _told_under(Policy(), **fields)


def _told_under(policy: Policy, /, **fields: object) -> tuple[Memory, RetentionState]:
    teller = Teller(policy)
    (outcome,) = teller.tell({"text": "I prefer tea"} | fields)
    record = teller.record(outcome.memory_id)
    return record.memory, record.state


def test_what_the_draft_leaves_open_comes_from_policy_and_clock() -> None:
    memory, state = _told()

    assert memory.ref == ALICE
    assert memory.kind is Kind.SEMANTIC
    assert memory.confidence == 0.5
    assert memory.created_at == memory.recorded_from == START
    assert (memory.valid_from, memory.valid_to, memory.recorded_to) == (None, None, None)
    assert memory.is_latest
    assert memory.content_version == 1
    assert (state.importance, state.importance_source) == (None, ImportanceSource.DEFAULT)
    assert state.lifecycle is Lifecycle.ACTIVE
    assert (state.created_at, state.updated_at) == (START, START)


def test_another_policy_gives_other_defaults() -> None:
    diff = from_diff({"memory": {"default_kind": "working", "confidence": 0.9}})

    memory, _ = _told_under(apply(Policy(), diff))

    assert (memory.kind, memory.confidence) == (Kind.WORKING, 0.9)


def test_a_share_of_0_is_a_value_and_no_default() -> None:
    memory, state = _told(importance=0, confidence=0)

    assert memory.confidence == 0
    assert (state.importance, state.importance_source) == (0, ImportanceSource.CALLER)


def test_b153_a_creation_time_of_the_callers_is_kept_and_is_what_strength_starts_from() -> None:
    memory, state = _told(created_at=MARCH)

    assert memory.created_at == state.created_at == state.strength.traces_at == MARCH
    assert memory.recorded_from == START


def test_the_time_of_the_event_never_seeds_strength() -> None:
    memory, state = _told(occurred_at=MARCH)
    _, plain = _told()

    assert memory.occurred_at == MARCH
    assert state.strength == plain.strength
    assert state.fades_at == plain.fades_at


def test_a_first_state_has_one_access_and_no_counted_use() -> None:
    _, state = _told()

    assert (state.strength.access_count, state.strength.reinforcement_count) == (0, 0)
    assert state.strength.last_counted_at is None
    assert state.checkpoint.strength == state.strength
    assert state.checkpoint.through == EARLIEST


@pytest.mark.parametrize("fields", [{"pinned": True}, {"exempt": "law"}, {"audit_evidence": True}])
def test_what_is_guarded_from_the_start_never_fades(fields: dict[str, object]) -> None:
    _, state = _told(**fields)
    _, plain = _told()

    assert state.fades_at is None
    assert plain.fades_at is not None
    assert state.pinned == ("pinned" in fields)
    assert state.exempt == ("exempt" in fields)
    assert state.exempt_reason == fields.get("exempt")
    assert state.audit_evidence == ("audit_evidence" in fields)


def test_an_earlier_expiry_stands_in_the_place_of_fading() -> None:
    _, state = _told(expires_at=START + DAY)

    assert state.fades_at == START + DAY


@pytest.mark.parametrize(
    ("fields", "start"),
    [
        ({}, None),
        ({"key": "k"}, START),
        ({"key": "k", "created_at": MARCH}, MARCH),
        ({"key": "k", "created_at": MARCH, "occurred_at": MARCH - DAY}, MARCH - DAY),
        ({"key": "k", "occurred_at": MARCH, "valid_from": MARCH + DAY}, MARCH + DAY),
        ({"occurred_at": MARCH}, None),
        ({"key": "k", "valid_to": START + DAY}, START),
    ],
)
def test_a_claim_holds_from_its_event_or_its_telling_on(
    fields: dict[str, object], start: Instant | None
) -> None:
    memory, _ = _told(**fields)

    assert memory.valid_from == start


def test_a_claim_that_was_over_before_it_was_told_has_an_open_start() -> None:
    memory, _ = _told(key="user/city", valid_to=MARCH)

    assert (memory.valid_from, memory.valid_to) == (None, MARCH)


def test_a_creation_time_in_the_future_is_kept_as_told() -> None:
    memory, state = _told(created_at=START + 10 * DAY)

    assert memory.created_at == START + 10 * DAY
    assert state.fades_at is not None
    assert state.fades_at > START + 10 * DAY


def test_a_memory_that_lost_its_state_gets_the_one_it_started_with() -> None:
    teller = Teller()
    teller.tell({"text": "tea", "id": "m1", "created_at": MARCH})
    record = teller.record("m1")
    teller.now = Instant(START + 100 * DAY)

    again = initial_state(teller.setting, record.memory)

    assert again.strength == record.state.strength
    assert again.fades_at == record.state.fades_at
    assert again.created_at == MARCH
    assert again.updated_at == teller.now
