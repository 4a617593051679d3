"""Composing: what Lapse adds to a draft before it can be stored.

Decides how missing values are filled from the policy and `now`, and what state a memory starts
with. Refuses to decide whether it is stored at all (`judging`).
"""

from collections.abc import Callable
from dataclasses import dataclass

from lapse.laws import Law, Seed
from lapse.model.instants import EARLIEST, Instant
from lapse.model.memory import BankRef, Draft, Memory, TextFacets
from lapse.model.policy import Anchor, Policy
from lapse.model.record import NewRecord, Vector
from lapse.model.retention import (
    Checkpoint,
    Dates,
    ImportanceSource,
    RetentionState,
    Strength,
)

Dating = Callable[[Memory, RetentionState], Dates]


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """What composing needs to know of the bank.

    Attributes:
        ref: The bank.
        now: The verb's one reading of the clock.
        policy: Policy in force.
        law: Its law.
        dating: Says when a memory with its state is due.
    """

    ref: BankRef
    now: Instant
    policy: Policy
    law: Law
    dating: Dating


@dataclass(frozen=True, slots=True, kw_only=True)
class Rating:
    """How much a memory matters, in [0, 1] or None where nobody said, and who said so."""

    importance: float | None = None
    source: ImportanceSource = ImportanceSource.DEFAULT


UNRATED = Rating()
"""Nobody rated it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Additions:
    """What is added to one draft from outside.

    Attributes:
        memory_id: The memory's id.
        salt: Salt of its digests.
        vector: Its vector, where one could be had.
        rating: Its rating.
    """

    memory_id: str
    salt: bytes
    vector: Vector | None = None
    rating: Rating = UNRATED


def compose(setting: Setting, draft: Draft, facets: TextFacets, added: Additions) -> NewRecord:
    """Make the record that is stored if the draft turns out to be new."""
    memory = memory_of(setting, draft, facets.fingerprint, added.memory_id)
    state = initial_state(setting, memory, draft, added.rating)
    return NewRecord(
        memory=memory, state=state, facets=facets, salt=added.salt, vector=added.vector
    )


def rating_by_caller(draft: Draft) -> Rating:
    """The rating that whoever told the draft gave it, if any."""
    if draft.importance is None:
        return UNRATED
    return Rating(importance=draft.importance, source=ImportanceSource.CALLER)


def initial_state(
    setting: Setting,
    memory: Memory,
    draft: Draft | None = None,
    rating: Rating = UNRATED,
) -> RetentionState:
    """The state a memory starts with; without a draft, from the memory's own dates alone."""
    importance = rating.importance
    strength = initial_strength(setting, memory, importance)
    state = RetentionState(
        importance=importance,
        importance_source=rating.source,
        strength=strength,
        checkpoint=Checkpoint(strength=strength, through=EARLIEST),
        created_at=memory.created_at,
        updated_at=setting.now,
        pinned=draft is not None and draft.pinned,
        exempt=draft is not None and draft.exempt_reason is not None,
        exempt_reason=None if draft is None else draft.exempt_reason,
        audit_evidence=draft is not None and draft.audit_evidence,
    )
    return state.dated(setting.dating(memory, state))


def initial_strength(setting: Setting, memory: Memory, importance: float | None) -> Strength:
    """The strength a memory has when it has just been told, under the law in force."""
    default = setting.policy.scoring.default_importance
    return setting.law.initial(
        Seed(
            kind=memory.kind,
            derived=bool(memory.derived_from),
            importance=default if importance is None else importance,
            confidence=memory.confidence,
            proof_count=memory.proof_count,
            entity_count=len(memory.entities),
            created_at=starts_from(setting.policy, memory),
        )
    )


def starts_from(policy: Policy, memory: Memory) -> Instant:
    """Instant that strength starts from: creation, or the event's own time under that anchor."""
    event = memory.occurred_at if policy.law.anchor is Anchor.EVENT else None
    return memory.created_at if event is None else event


def memory_of(setting: Setting, draft: Draft, fingerprint: bytes, memory_id: str) -> Memory:
    """The memory that the draft becomes, with what it leaves open filled from the policy."""
    created_at = setting.now if draft.created_at is None else draft.created_at
    memory_policy = setting.policy.memory
    return Memory(
        tenant=setting.ref.tenant,
        bank=setting.ref.name,
        id=memory_id,
        kind=memory_policy.default_kind if draft.kind is None else draft.kind,
        text=draft.text,
        created_at=created_at,
        recorded_from=setting.now,
        fingerprint=fingerprint,
        confidence=memory_policy.confidence if draft.confidence is None else draft.confidence,
        proof_count=draft.proof_count,
        key=draft.key,
        value=draft.value,
        multi=draft.multi,
        subject=draft.subject,
        entities=draft.entities,
        session=draft.session,
        role=draft.role,
        source=draft.source,
        tags=draft.tags,
        metadata=draft.metadata,
        occurred_at=draft.occurred_at,
        valid_from=first_held(draft, created_at),
        valid_to=draft.valid_to,
        stated_to=draft.valid_to,
        derived_from=draft.derived_from,
        expires_at=draft.expires_at,
    )


def first_held(draft: Draft, created_at: Instant) -> Instant | None:
    """From when a draft holds: a claim needs a place in its key's history.

    By its own word, else from its event on, else from when it was first met; a claim that was over
    by then, and a plain memory, have an open start.
    """
    if draft.valid_from is not None or draft.key is None:
        return draft.valid_from
    start = created_at if draft.occurred_at is None else draft.occurred_at
    return start if draft.valid_to is None or start < draft.valid_to else None
