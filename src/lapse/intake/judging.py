"""Judging what was told: new, told again, a new value of a claim, or the same write repeated.

Rules, in order, for each draft:

1. Its id exists: the same content again changes nothing; other content is a conflict.
2. It has a key: equal to the current value it is told again; any other value is a new claim, and
   the claims of the key are settled anew.
3. The same normalised text stands already, about the same subject and not told of another time: it
   is told again.
4. The same value of the key, or the same text about the same subject, was superseded or retracted:
   what nobody takes back is history. It is proposed as a conflict, and nothing else changes. It
   holds again only if user or host names a time of the event after the closing (a correction always
   does), and never when it was retracted.
5. Otherwise it is new. So is what was told before but had expired, or had ceased to hold, by the
   time of this telling: unless this states that same end, it says that it holds again.

Told again, a memory gets a `reconfirmed` event and no second row, or `evidence` where it was
derived and is told again as derived from others that are new, independent proof; told by user or
host it also comes back from suppression or archive, told by anybody else that is listed for who may
decide it.
Marks told with it are not taken over; a note says which.

Decides these. Refuses to know how claims are settled: that rule is handed in. Pure: it runs inside
the store's transaction and sees only what the view holds.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from lapse.errors import ConflictError, NotFoundError
from lapse.intake.restating import (
    AUTHORITIES,
    DISPUTED,
    WAITING,
    opens_again,
    restated,
    wanted_back,
)
from lapse.model.bank import Bank
from lapse.model.changeset import Changes
from lapse.model.instants import Instant
from lapse.model.memory import Draft, Memory
from lapse.model.outcome import Action, Outcome
from lapse.model.policy import Mode, Policy
from lapse.model.proposal import Proposal
from lapse.model.record import NewRecord, Record
from lapse.model.retention import Lifecycle, RetentionState, UseEvent, UseSource
from lapse.model.view import View
from lapse.text.normalise import fold

Settle = Callable[[Sequence[Memory]], list[Memory]]
Prove = Callable[[Memory, Sequence[Memory], Sequence[Memory]], Memory]
EventId = Callable[[str, UseSource, Instant], str]

NOT_TAKEN_OVER = "told again; not taken over: {} (pin, exempt and update change a memory)"
"""What a caller should know whose marks a telling again left as they were."""


class Telling(StrEnum):
    """What is meant by telling something."""

    STATEMENT = "statement"
    CORRECTION = "correction"
    """It is so now, whatever was known before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """A draft and the record it becomes if it is new."""

    draft: Draft
    record: NewRecord
    telling: Telling = Telling.STATEMENT


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """What judging is told from outside.

    Attributes:
        now: The verb's one reading of the clock.
        by: Who tells it.
        policy: Policy in force.
        settle: Orders and links the claims of one key.
        event_id: Names the event of being told again.
        too_late: Whether an event of that instant is refused as too old to count.
        bring_back: Makes a state active again that was suppressed or archived.
        prove: Gives an observation, its sources and others that it is told again from: the
            observation with those that are new, independent proof, or as it was.
    """

    now: Instant
    by: str
    policy: Policy
    settle: Settle
    event_id: EventId
    too_late: Callable[[Instant], bool]
    bring_back: Callable[[RetentionState], RetentionState]
    prove: Prove


class Intake:
    """Judges drafts one after another; each sees what became of those before it."""

    def __init__(self, rules: Rules, view: View) -> None:
        """Start from what is stored.

        Raises:
            CorruptStoreError: Some memory it must look at lost its state.
        """
        view.require_states()
        self._rules = rules
        self._bank = view.bank
        self._stored: dict[str, Record] = dict(view.records)
        self._by_text: dict[bytes, list[str]] = {
            key: list(ids) for key, ids in view.same_text.items()
        }
        self._by_key: dict[str, list[str]] = {key: list(ids) for key, ids in view.same_key.items()}
        self._created: dict[str, NewRecord] = {}
        self._amended: dict[str, Memory] = {}
        self._states: dict[str, RetentionState] = {}
        self._events: list[UseEvent] = []
        self._outcomes: list[Outcome] = []
        self._proposed: dict[str, Proposal] = {}
        self._late = 0

    def take(self, prepared: Iterable[Prepared]) -> Changes:
        """Judge all drafts in order.

        Raises:
            ConflictError: An id exists with other content.
            NotFoundError: A source named in `derived_from` does not exist.
        """
        for each in prepared:
            self._outcomes.append(self._take(each))
        return Changes(
            created=tuple(self._created.values()),
            amended=tuple(self._amended.values()),
            states=tuple(self._states.items()),
            enqueued=tuple(self._events),
            bank=self._counted_bank(),
            proposed=tuple(self._proposed.values()),
            outcomes=tuple(self._outcomes),
        )

    def _take(self, prepared: Prepared) -> Outcome:
        draft, record = prepared.draft, prepared.record
        known = self._memory(record.memory.id)
        if known is not None:
            return _same_or_conflict(draft, known)
        self._check_sources(draft)
        told = self._told_before(draft, record.memory)
        if told is not None:
            return self._reconfirm(told, draft)
        gone = None if prepared.telling is Telling.CORRECTION else self._gone(draft, record.memory)
        return self._add(record) if gone is None else self._dispute(gone)

    def _counted_bank(self) -> Bank | None:
        if not self._late:
            return None
        return replace(self._bank, late_events=self._bank.late_events + self._late)

    def _told_before(self, draft: Draft, memory: Memory) -> Memory | None:
        if memory.key is None:
            alike = [self._known(each) for each in self._by_text.get(memory.fingerprint, [])]
            told = [each for each in alike if _same_matter(each, memory, draft)]
        else:
            claims = [self._known(each) for each in self._by_key.get(memory.key, [])]
            told = [each for each in claims if _value(each) == _value(memory)]
        at = self._told_at(draft)
        return next((each for each in told if _stands(each) and not _over(each, draft, at)), None)

    def _gone(self, draft: Draft, memory: Memory) -> Memory | None:
        """The same, told before, that does not hold any more and is not opened again by this."""
        if memory.key is None:
            alike = [self._known(each) for each in self._by_text.get(memory.fingerprint, [])]
            same = [each for each in alike if each.subject == memory.subject]
        else:
            claims = [self._known(each) for each in self._by_key.get(memory.key, [])]
            same = [each for each in claims if _value(each) == _value(memory)]
        gone = [each for each in same if not _stands(each)]
        if not gone or opens_again(draft, memory, gone):
            return None
        return max(gone, key=lambda each: (each.recorded_to is not None, each.recorded_from))

    def _dispute(self, gone: Memory) -> Outcome:
        claims = [self._known(each) for each in self._by_key.get(gone.key or "", [])]
        rivals = [each.id for each in claims if _stands(each)]
        if not rivals and gone.superseded_by is not None:
            rivals = [each for each in [gone.superseded_by] if self._memory(each) is not None]
        proposal = restated(gone, tuple(rivals), at=self._rules.now, by=self._rules.by)
        self._proposed.setdefault(proposal.id, proposal)
        note = DISPUTED.format("superseded" if gone.recorded_to is None else "retracted")
        return Outcome(memory_id=gone.id, action=Action.DISPUTED, note=note)

    def _told_at(self, draft: Draft) -> Instant:
        now = self._rules.now
        return now if draft.created_at is None else min(draft.created_at, now)

    def _reconfirm(self, memory: Memory, draft: Draft) -> Outcome:
        rules = self._rules
        at = self._told_at(draft)
        policy = rules.policy.reinforcement
        late = rules.too_late(at) or self._passed(memory.id, at)
        self._late += late
        off = rules.policy.forgetting.effective_mode is Mode.OFF
        source, weight = UseSource.RECONFIRMED, policy.weight_reconfirmed
        if self._proved(memory, draft):
            source, weight = UseSource.EVIDENCE, policy.weight_evidence
        if policy.enabled and not off and not late:
            self._events.append(
                UseEvent(
                    event_id=rules.event_id(memory.id, source, at),
                    memory_id=memory.id,
                    source=source,
                    weight=weight,
                    at=at,
                    enqueued_at=rules.now,
                )
            )
        notes = ["told too long ago to count as a use"] if late else []
        notes += self._called_back(memory, draft)
        notes += self._not_taken_over(memory, draft)
        note = "; ".join(notes)
        return Outcome(memory_id=memory.id, action=Action.RECONFIRMED, note=note)

    def _proved(self, memory: Memory, draft: Draft) -> bool:
        """Whether an observation is told again from new, independent sources; then they are its."""
        known = [self._memory(each) for each in memory.derived_from]
        sources = [each for each in known if each is not None]
        if not memory.derived_from or len(sources) < len(known):
            # Where its own sources are not in view nobody can tell what is independent of them.
            return False
        told = [self._known(each) for each in draft.derived_from]
        proved = self._rules.prove(memory, sources, told)
        if proved == memory:
            return False
        self._put(proved)
        return True

    def _not_taken_over(self, memory: Memory, draft: Draft) -> list[str]:
        """Say which marks were told that a telling again does not set."""
        record = self._created.get(memory.id) or self._stored.get(memory.id)
        if record is None:
            return []
        state = record.state
        told = {
            "id": draft.id is not None,
            "pinned": draft.pinned and not state.pinned,
            "exempt": draft.exempt_reason not in (None, state.exempt_reason),
            "importance": draft.importance not in (None, state.importance),
            "audit_evidence": draft.audit_evidence and not state.audit_evidence,
            "expires_at": draft.expires_at not in (None, memory.expires_at),
        }
        names = ", ".join(name for name, differs in told.items() if differs)
        return [NOT_TAKEN_OVER.format(names)] if names else []

    def _passed(self, memory_id: str, at: Instant) -> bool:
        """Whether the memory's uses of that time are folded in already, under a wrong clock."""
        record = self._stored.get(memory_id)
        return record is not None and at < record.state.checkpoint.through

    def _called_back(self, memory: Memory, draft: Draft) -> list[str]:
        """Bring back what was put out of mind, or list it for somebody who may; say which."""
        record = self._stored.get(memory.id)
        if record is None or record.state.lifecycle is Lifecycle.ACTIVE:
            return []
        if draft.role is None or draft.role in AUTHORITIES:
            self._states[memory.id] = self._rules.bring_back(record.state)
            return []
        proposal = wanted_back(memory, at=self._rules.now, by=self._rules.by)
        self._proposed.setdefault(proposal.id, proposal)
        return [WAITING.format(record.state.lifecycle.value)]

    def _add(self, record: NewRecord) -> Outcome:
        memory = record.memory
        self._created[memory.id] = record
        self._by_text.setdefault(memory.fingerprint, []).append(memory.id)
        if memory.key is None:
            return Outcome(memory_id=memory.id, action=Action.CREATED)
        return self._add_claim(memory.id, memory.key)

    def _add_claim(self, memory_id: str, key: str) -> Outcome:
        ids = self._by_key.setdefault(key, [])
        ids.append(memory_id)
        before = [self._known(each) for each in ids]
        replaced: list[str] = []
        for settled in self._rules.settle(before):
            was = self._known(settled.id)
            if settled != was:
                self._put(settled)
            if was.is_latest and not settled.is_latest and settled.id != memory_id:
                replaced.append(settled.id)
        return Outcome(memory_id=memory_id, action=Action.CREATED, superseded=tuple(replaced))

    def _put(self, memory: Memory) -> None:
        if memory.id in self._created:
            self._created[memory.id] = replace(self._created[memory.id], memory=memory)
        else:
            self._amended[memory.id] = memory

    def _check_sources(self, draft: Draft) -> None:
        missing = [each for each in draft.derived_from if self._memory(each) is None]
        if missing:
            raise NotFoundError(
                f"derived_from names memories that do not exist: {', '.join(missing)}",
                fields={"derived_from": ", ".join(missing)},
            )

    def _memory(self, memory_id: str) -> Memory | None:
        if memory_id in self._created:
            return self._created[memory_id].memory
        if memory_id in self._amended:
            return self._amended[memory_id]
        record = self._stored.get(memory_id)
        return None if record is None else record.memory

    def _known(self, memory_id: str) -> Memory:
        memory = self._memory(memory_id)
        if memory is None:
            # The view holds every record that its own lists name; anything else is a broken store.
            raise NotFoundError(f"{memory_id} is listed but missing", fields={"id": memory_id})
        return memory


def same_content(draft: Draft, memory: Memory) -> bool:
    """Whether all that the draft states is what the memory holds."""
    stated = {
        "text": draft.text,
        "kind": draft.kind,
        "key": draft.key,
        "value": draft.value,
        "subject": draft.subject,
        "session": draft.session,
        "role": draft.role,
        "source": draft.source,
        "created_at": draft.created_at,
        "occurred_at": draft.occurred_at,
        "expires_at": draft.expires_at,
        "valid_from": draft.valid_from,
        "confidence": draft.confidence,
        "tags": draft.tags or None,
        "entities": draft.entities or None,
        "metadata": dict(draft.metadata) or None,
        "derived_from": draft.derived_from or None,
    }
    # A claim that was superseded since ends where the next one begins, whatever it stated.
    ends_alike = memory.superseded_by is not None or draft.valid_to in (None, memory.valid_to)
    return ends_alike and all(
        value is None or getattr(memory, name) == value for name, value in stated.items()
    )


def _same_or_conflict(draft: Draft, known: Memory) -> Outcome:
    if same_content(draft, known):
        return Outcome(memory_id=known.id, action=Action.UNCHANGED)
    raise ConflictError(
        f"memory {known.id} exists with other content; use update to change it",
        fields={"id": known.id},
    )


def _stands(memory: Memory) -> bool:
    return memory.recorded_to is None and memory.is_latest


def _over(memory: Memory, draft: Draft, at: Instant) -> bool:
    """Whether the memory had ended when this was told, and this does not state the same end."""
    ends = ((memory.expires_at, draft.expires_at), (memory.valid_to, draft.valid_to))
    return any(known is not None and known <= at and known != told for known, told in ends)


def _same_matter(known: Memory, memory: Memory, draft: Draft) -> bool:
    if known.subject != memory.subject:
        return False
    times = (known.occurred_at, draft.occurred_at)
    return None in times or times[0] == times[1]


def _value(memory: Memory) -> str:
    return fold(memory.text if memory.value is None else memory.value)
