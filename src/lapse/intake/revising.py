"""Revising: a new content version of a memory that is stored already.

Decides which fields a revision may change and what the new version looks like. Refuses to touch its
strength (a reworded memory is held as strongly as before), its id, or when it was first met.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from lapse.errors import Fault, NotFoundError, ValidationError, VersionConflictError, fault
from lapse.intake.composing import first_held
from lapse.intake.drafts import RevisionFields, read_draft
from lapse.model.changeset import Changes
from lapse.model.instants import Instant
from lapse.model.memory import Memory, TextFacets
from lapse.model.outcome import Action, Outcome
from lapse.model.record import ContentChange
from lapse.model.retention import Dates, RetentionState
from lapse.model.view import Reads, View

FacetsOf = Callable[[str], TextFacets]
Dating = Callable[[Memory, RetentionState], Dates]


Settle = Callable[[Sequence[Memory]], list[Memory]]
Alone = Callable[[Memory], Memory]

REVISABLE: tuple[str, ...] = tuple(RevisionFields.__annotations__)
"""Fields that `update` may change. Importance is rated once; marks have verbs of their own."""

_NEVER_EMPTY = frozenset({"kind", "confidence", "proof_count"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Revision:
    """What to change, as the caller wrote it, and under which condition.

    Attributes:
        fields: New values by name; None empties a field that may be empty. Iterators are read once.
        if_version: Content version the caller has read, or None to overwrite any.
    """

    memory_id: str
    fields: Mapping[str, object]
    if_version: int | None
    now: Instant
    max_text_bytes: int

    def __post_init__(self) -> None:
        # What is read for the judge and what the judge reads must be the same.
        fields = {
            name: tuple(value) if isinstance(value, Iterator) else value
            for name, value in self.fields.items()
        }
        object.__setattr__(self, "fields", fields)

    @property
    def sources(self) -> tuple[str, ...]:
        """Ids that `derived_from` names."""
        named = self.fields.get("derived_from")
        if isinstance(named, str) or not isinstance(named, Iterable):
            return ()
        return tuple(each for each in named if isinstance(each, str))

    def reads(self, keys: Iterable[str]) -> Reads:
        """What the judge must see; `keys` are the memory's own and the one it shall have."""
        return Reads(ids=(self.memory_id, *self.sources), keys=tuple(dict.fromkeys(keys)))


def judge_revision(
    revision: Revision, view: View, *, settle: Settle, alone: Alone, facets: FacetsOf, date: Dating
) -> Changes:
    """Decide the new version.

    Raises:
        NotFoundError: No such memory, or no such source in `derived_from`.
        VersionConflictError: It has another version than `if_version`.
        ValidationError: Unknown fields or bad values, all at once.
        CorruptStoreError: A memory it must look at lost its state.
    """
    view.require_states()
    record = view.records.get(revision.memory_id)
    if record is None:
        raise NotFoundError(
            f"no memory {revision.memory_id} in this bank", fields={"id": revision.memory_id}
        )
    stored = record.memory
    if revision.if_version not in (None, stored.content_version):
        raise VersionConflictError(
            f"memory {stored.id} has version {stored.content_version}, not {revision.if_version}; "
            "read it again",
            fields={"id": stored.id, "content_version": str(stored.content_version)},
        )
    base = stored if stored.key is None else alone(stored)
    memory = revised(base, revision)
    _check_sources(revision, view)
    if _content(memory) == _content(base):
        return Changes(outcomes=(Outcome(memory_id=stored.id, action=Action.UNCHANGED),))
    facet = facets(memory.text)
    memory = replace(memory, fingerprint=facet.fingerprint)
    amended, memory = _settled(stored, memory, view, settle, alone)
    state = record.state.dated(date(memory, record.state))
    states = () if state == record.state else ((memory.id, state),)
    return Changes(
        revised=(ContentChange(memory=memory, facets=facet),),
        amended=tuple(amended),
        states=states,
        outcomes=(Outcome(memory_id=memory.id, action=Action.UPDATED),),
    )


def revised(stored: Memory, revision: Revision) -> Memory:
    """The memory with the new values in place, validated as a draft is.

    Raises:
        ValidationError: Fields that no update may change, or values that no draft may have.
    """
    faults: list[Fault] = [
        fault(name, "…", f"cannot be updated; these can: {', '.join(REVISABLE)}")
        for name in revision.fields
        if name not in REVISABLE
    ]
    merged = {name: getattr(stored, name) for name in REVISABLE} | {
        name: value
        for name, value in revision.fields.items()
        # Every memory has these: emptying them keeps what they were.
        if name in REVISABLE and not (value is None and name in _NEVER_EMPTY)
    }
    try:
        draft = read_draft(merged, revision.max_text_bytes)
    except ValidationError as error:
        raise ValidationError([*faults, *error.faults]) from None
    if faults:
        raise ValidationError(faults)
    return replace(
        stored,
        text=draft.text,
        kind=stored.kind if draft.kind is None else draft.kind,
        confidence=stored.confidence if draft.confidence is None else draft.confidence,
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
        valid_from=first_held(draft, stored.created_at),
        valid_to=draft.valid_to,
        stated_to=draft.valid_to,
        proof_count=draft.proof_count,
        expires_at=draft.expires_at,
        derived_from=draft.derived_from,
        content_version=stored.content_version + 1,
        recorded_from=revision.now,
    )


def _content(memory: Memory) -> tuple[object, ...]:
    return tuple(getattr(memory, name) for name in REVISABLE)


def _check_sources(revision: Revision, view: View) -> None:
    missing = [
        each for each in revision.sources if each not in view.records or each == revision.memory_id
    ]
    if missing:
        raise NotFoundError(
            f"derived_from names memories that do not exist before it: {', '.join(missing)}",
            fields={"derived_from": ", ".join(missing)},
        )


def _settled(
    stored: Memory, memory: Memory, view: View, settle: Settle, alone: Alone
) -> tuple[list[Memory], Memory]:
    """Settle the keys the memory left and joined; give the others' changes and its own form."""
    changed: dict[str, Memory] = {}
    if stored.key is not None and stored.key != memory.key:
        left = [each for each in _claims(stored.key, view) if each.id != memory.id]
        left = [alone(each) if each.superseded_by == memory.id else each for each in left]
        changed |= _differing(settle(left), view)
    if memory.key is not None:
        others = [each for each in _claims(memory.key, view) if each.id != memory.id]
        others.append(memory)
        others.sort(key=lambda each: view.records[each.id].row)
        claims = settle(others)
        memory = next((each for each in claims if each.id == memory.id), memory)
        changed |= _differing([each for each in claims if each.id != memory.id], view)
    return list(changed.values()), memory


def _claims(key: str, view: View) -> list[Memory]:
    return [view.records[each].memory for each in view.same_key.get(key, ())]


def _differing(settled: Sequence[Memory], view: View) -> dict[str, Memory]:
    return {each.id: each for each in settled if each != view.records[each.id].memory}
