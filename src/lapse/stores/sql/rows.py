"""Values of the model as the values of columns, and back.

Decides how each field lies in its column: enums by value, lists and objects as JSON text (absent
when empty), strengths as little-endian BLOBs. What is read equals what was written, except that
minus zero in a column of its own comes back as zero. Refuses to know a connection.
"""

import json
import struct
from collections.abc import Mapping, Sequence
from functools import lru_cache
from operator import attrgetter
from typing import Any, Final, TypeAlias  # a row of a driver holds columns of many types

from lapse.errors import ValidationError
from lapse.model.bank import Space
from lapse.model.instants import Instant
from lapse.model.memory import BankRef, JsonValue, Kind, Memory, Role, SharedFrom
from lapse.model.record import Record
from lapse.model.retention import (
    TRACE_COUNT,
    Checkpoint,
    ImportanceSource,
    Lifecycle,
    RetentionState,
    Strength,
    Transition,
    UseEvent,
    UseSource,
)
from lapse.stores.applying import frozen_object

# Each column is read here, and only here, into a typed field.
Row: TypeAlias = tuple[Any, ...]
# The driver binds a bytearray and an int ten times faster than bytes and a bool.
Value: TypeAlias = int | float | str | bytes | bytearray | None

KINDS: Final = {each.value: each for each in Kind}
ROLES: Final = {each.value: each for each in Role} | {None: None}
LIFECYCLES: Final = {each.value: each for each in Lifecycle}
_SOURCES: Final = {each.value: each for each in UseSource}
_RATERS: Final = {each.value: each for each in ImportanceSource}

_TRACES: Final = struct.Struct(f"<{TRACE_COUNT}d")
# Traces, their instant, stability, difficulty, last counted (flag and instant), counts, through.
_CHECKPOINT: Final = struct.Struct(f"<{TRACE_COUNT}dqdd?qqqq")
# Made once: json.dumps would make one for every value.
_OBJECTS: Final = json.JSONEncoder(separators=(",", ":"), allow_nan=False, default=dict)
_LISTS: Final = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False)

_TEXTS_OF: Final = attrgetter(
    "text", "value", "key", "session", "subject", "source", "supersedes", "superseded_by"
)
"""What of a memory lies in a column as the text it is."""

_NO_TEXT: Final = "bytes or a number where text belongs"

STATE_WIDTH: Final = 24
"""Number of columns of a state."""


def memory_values(memory: Memory) -> tuple[Value, ...]:
    """Give the content of a memory in the order of `statements.CONTENT`."""
    return (
        memory.kind.value,
        None if memory.role is None else memory.role.value,
        memory.key,
        memory.session,
        memory.subject,
        memory.source,
        names_text(memory.tags),
        names_text(memory.entities),
        json_text(memory.metadata) if memory.metadata else None,
        memory.created_at,
        memory.occurred_at,
        memory.recorded_from,
        memory.recorded_to,
        memory.valid_from,
        memory.valid_to,
        memory.stated_to,
        memory.expires_at,
        int(memory.is_latest),
        int(memory.multi),
        memory.confidence,
        memory.proof_count,
        memory.content_version,
        memory.supersedes,
        memory.superseded_by,
        names_text(memory.derived_from),
        bytearray(memory.fingerprint),
        shared_text(memory.shared_from),
        memory.value,
        memory.text,
    )


def read_memory(ref: BankRef, memory_id: str, row: Row) -> Memory:
    """Read the content of a memory in the order of `statements.CONTENT`.

    Raises:
        TypeError: A column holds what SQLite may keep there but Lapse never wrote.
    """
    memory = Memory(
        tenant=ref.tenant,
        bank=ref.name,
        id=memory_id,
        kind=KINDS[row[0]],
        role=ROLES[row[1]],
        key=row[2],
        session=row[3],
        subject=row[4],
        source=row[5],
        tags=names(row[6]),
        entities=names(row[7]),
        metadata=json_object(row[8]) if row[8] is not None else frozen_object({}),
        created_at=row[9],
        occurred_at=row[10],
        recorded_from=row[11],
        recorded_to=row[12],
        valid_from=row[13],
        valid_to=row[14],
        stated_to=row[15],
        expires_at=row[16],
        is_latest=bool(row[17]),
        multi=bool(row[18]),
        confidence=row[19],
        proof_count=row[20],
        content_version=row[21],
        supersedes=row[22],
        superseded_by=row[23],
        derived_from=names(row[24]),
        fingerprint=row[25],
        shared_from=_read_shared(row[26]),
        value=row[27],
        text=row[28],
    )
    for each in _TEXTS_OF(memory):
        if each is not None and not isinstance(each, str):
            raise TypeError(_NO_TEXT)
    return memory


def state_values(state: RetentionState) -> tuple[Value, ...]:
    """Give a retention state in the order of `statements.STATE`."""
    strength = state.strength
    return (
        state.lifecycle.value,
        state.fades_at,
        state.expires_at,
        state.importance,
        state.importance_source.value,
        bytearray(_TRACES.pack(*strength.traces)),
        strength.traces_at,
        strength.stability_days,
        strength.difficulty,
        strength.last_counted_at,
        strength.access_count,
        strength.reinforcement_count,
        bytearray(_checkpoint_bytes(state.checkpoint)),
        state.last_recalled_at,
        int(state.pinned),
        int(state.verified),
        int(state.exempt),
        state.exempt_reason,
        int(state.audit_evidence),
        transition_text(state.transition),
        state.protected_until,
        state.policy_version,
        state.created_at,
        state.updated_at,
    )


def archived_at(state: RetentionState) -> Value:
    """When an archived memory was archived; None for any other."""
    if state.lifecycle is not Lifecycle.ARCHIVED or state.transition is None:
        return None
    return state.transition.at


def read_state(row: Row) -> RetentionState:
    """Read a retention state in the order of `statements.STATE`."""
    return RetentionState(
        lifecycle=LIFECYCLES[row[0]],
        fades_at=row[1],
        expires_at=row[2],
        importance=row[3],
        importance_source=_RATERS[row[4]],
        strength=Strength(
            traces=_TRACES.unpack(row[5]),
            traces_at=row[6],
            stability_days=row[7],
            difficulty=row[8],
            last_counted_at=row[9],
            access_count=row[10],
            reinforcement_count=row[11],
        ),
        checkpoint=_read_checkpoint(row[12]),
        last_recalled_at=row[13],
        pinned=bool(row[14]),
        verified=bool(row[15]),
        exempt=bool(row[16]),
        exempt_reason=row[17],
        audit_evidence=bool(row[18]),
        transition=read_transition(row[19]),
        protected_until=row[20],
        policy_version=row[21],
        created_at=row[22],
        updated_at=row[23],
    )


def read_record(ref: BankRef, row: Row) -> Record | tuple[int, Memory]:
    """Read row number, id, content and state; without a state, number and memory alone."""
    memory = read_memory(ref, row[1], row[2:-STATE_WIDTH])
    if row[-STATE_WIDTH] is None:
        return row[0], memory
    return Record(row=row[0], memory=memory, state=read_state(row[-STATE_WIDTH:]))


def event_values(event: UseEvent) -> tuple[Value, ...]:
    """Give an event in the order of `statements.EVENT`."""
    return (
        event.event_id,
        event.source.value,
        event.weight,
        event.at,
        event.enqueued_at,
        event.recall_id,
    )


def read_event(memory_id: str, row: Row) -> UseEvent:
    """Read an event in the order of `statements.EVENT`."""
    return UseEvent(
        event_id=row[0],
        memory_id=memory_id,
        source=_SOURCES[row[1]],
        weight=row[2],
        at=row[3],
        enqueued_at=row[4],
        recall_id=row[5],
    )


def space_values(space: Space) -> tuple[Value, ...]:
    """Give a space without its number."""
    return (space.embedder, space.dimension, space.epoch, space.idf)


def compact_json(value: Sequence[object]) -> str:
    """Write a list as JSON, without spaces."""
    return _LISTS.encode(value)


def json_text(value: Mapping[str, JsonValue]) -> str:
    """Write a JSON object; its keys keep their order.

    Raises:
        ValidationError: It holds a number that JSON cannot.
    """
    try:
        # In ASCII, since text inside JSON may hold what UTF-8 cannot write.
        return _OBJECTS.encode(value)
    except ValueError as error:
        raise ValidationError.of("metadata", "…", f"cannot be written as JSON: {error}") from None


def json_object(text: str) -> Mapping[str, JsonValue]:
    """Read a JSON object into one that nobody can change."""
    return frozen_object(json.loads(text))


@lru_cache(maxsize=4096)  # few lists of tags, on many rows
def names(text: str | None) -> tuple[str, ...]:
    """Read a list of names."""
    return () if text is None else tuple(json.loads(text))


def terms_bytes(ids: list[int]) -> bytes:
    """Write term ids as little-endian int32."""
    return struct.pack(f"<{len(ids)}i", *ids)


def read_terms(data: bytes) -> tuple[int, ...]:
    """Read term ids from little-endian int32."""
    return struct.unpack(f"<{len(data) // 4}i", data)


@lru_cache(maxsize=4096)
def names_text(values: tuple[str, ...]) -> str | None:
    """Write a list of names; an empty one is absent."""
    return _LISTS.encode(values) if values else None


def shared_text(shared: SharedFrom | None) -> str | None:
    """Write where a copy is from; always the same text, since it is searched for."""
    return None if shared is None else _LISTS.encode([shared.bank, shared.id])


def _read_shared(text: str | None) -> SharedFrom | None:
    if text is None:
        return None
    bank, memory_id = json.loads(text)
    return SharedFrom(bank=bank, id=memory_id)


def _checkpoint_bytes(checkpoint: Checkpoint) -> bytes:
    strength = checkpoint.strength
    return _CHECKPOINT.pack(
        *strength.traces,
        strength.traces_at,
        strength.stability_days,
        strength.difficulty,
        strength.last_counted_at is not None,
        strength.last_counted_at or 0,
        strength.access_count,
        strength.reinforcement_count,
        checkpoint.through,
    )


def _read_checkpoint(data: bytes) -> Checkpoint:
    found = _CHECKPOINT.unpack(data)
    traces_at, stability, difficulty, counted, counted_at, accesses, count, through = found[
        TRACE_COUNT:
    ]
    strength = Strength(
        traces=found[:TRACE_COUNT],
        traces_at=Instant(traces_at),
        stability_days=stability,
        difficulty=difficulty,
        last_counted_at=Instant(counted_at) if counted else None,
        access_count=accesses,
        reinforcement_count=count,
    )
    return Checkpoint(strength=strength, through=Instant(through))


def transition_text(transition: Transition | None) -> str | None:
    """Write a transition, with those before it, as JSON."""
    return None if transition is None else json_text(_transition_object(transition))


def _transition_object(transition: Transition) -> dict[str, JsonValue]:
    before = transition.prior_transition
    return {
        "at": transition.at,
        "by": transition.by,
        "reason": transition.reason,
        "plan": transition.plan_id,
        "prior": transition.prior.value,
        "before": None if before is None else _transition_object(before),
        "updated_at": transition.prior_updated_at,
    }


def read_transition(text: str | None) -> Transition | None:
    """Read a transition."""
    return None if text is None else _transition_of(json.loads(text))


def _transition_of(found: Mapping[str, Any]) -> Transition:  # one JSON object of many types
    before = found["before"]
    return Transition(
        at=found["at"],
        by=found["by"],
        reason=found["reason"],
        plan_id=found["plan"],
        prior=LIFECYCLES[found["prior"]],
        prior_transition=None if before is None else _transition_of(before),
        prior_updated_at=found["updated_at"],
    )
