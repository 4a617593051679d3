"""Uses: turning "these memories were used" into events.

Decides the weight, the name and the acceptance of an event of use. Refuses to change any strength:
that happens when events are drained.
"""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from lapse.errors import NotFoundError, ValidationError
from lapse.lifecycle.reinforcement import passed_over, refuse_late
from lapse.model.changeset import Changes
from lapse.model.instants import Instant
from lapse.model.outcome import Action, Outcome
from lapse.model.policy import ReinforcementPolicy
from lapse.model.retention import UseEvent, UseSource
from lapse.model.view import View


@dataclass(frozen=True, slots=True, kw_only=True)
class Use:
    """One report of use, as the caller made it.

    Attributes:
        memory_ids: What was used, without repeats.
        source: What it is evidence of.
        at: When it happened; never after `now`.
        now: When Lapse learned of it.
        recall_id: The recall it answers, or None.
        event_id: The caller's own name for the event, or None.
    """

    memory_ids: tuple[str, ...]
    source: UseSource
    at: Instant
    now: Instant
    recall_id: str | None = None
    event_id: str | None = None


def weight_of(source: UseSource, policy: ReinforcementPolicy) -> float:
    """How much a use counts, by what it is evidence of."""
    match source:
        case UseSource.EXPLICIT:
            return policy.weight_explicit
        case UseSource.CITED:
            return policy.weight_cited
        case UseSource.RECONFIRMED:
            return policy.weight_reconfirmed
        case UseSource.EVIDENCE:
            return policy.weight_evidence
        case UseSource.RETURNED:
            return policy.weight_returned
        case UseSource.REJECTED:
            # Evidence against has its own factor; the weight says that it applies whole.
            return 1.0


def event_id_of(memory_id: str, source: UseSource, occasion: str) -> str:
    """Name an event so that the same report, delivered twice, is one event.

    `occasion` is the recall or session it belongs to, or else its instant.
    """
    named = f"{occasion}\x1f{memory_id}\x1f{source.value}".encode()
    return hashlib.sha256(named).hexdigest()[:32]


def judge_uses(use: Use, policy: ReinforcementPolicy, view: View) -> Changes:
    """Decide which events of a report to enqueue: those that may still count.

    Raises:
        NotFoundError: Some ids are not in the bank; then none of the events is taken.
    """
    # A memory that lost its state is used all the same: its events wait until it is repaired.
    known = view.records.keys() | view.stateless.keys()
    unknown = [each for each in use.memory_ids if each not in known]
    if unknown:
        raise NotFoundError(
            f"no such memories in this bank: {', '.join(unknown)}",
            fields={"ids": ", ".join(unknown)},
        )
    events = [_event(use, policy, each) for each in use.memory_ids]
    outcomes = [_outcome(each, use, policy, view) for each in events]
    taken = [
        event
        for event, outcome in zip(events, outcomes, strict=True)
        if outcome.action is Action.ENQUEUED
    ]
    late = len(events) - len(taken)
    bank = replace(view.bank, late_events=view.bank.late_events + late) if late else None
    return Changes(bank=bank, enqueued=tuple(taken), outcomes=tuple(outcomes))


def judge_reports(uses: Sequence[Use], policy: ReinforcementPolicy, view: View) -> Changes:
    """Decide which events of several reports to enqueue: all that may count.

    Raises:
        NotFoundError: Some ids of some report are not in the bank.
    """
    enqueued: list[UseEvent] = []
    outcomes: list[Outcome] = []
    bank = view.bank
    for use in uses:
        changes = judge_uses(use, policy, replace(view, bank=bank))
        enqueued.extend(changes.enqueued)
        outcomes.extend(changes.outcomes)
        bank = changes.bank or bank
    return Changes(
        enqueued=tuple(enqueued),
        bank=None if bank == view.bank else bank,
        outcomes=tuple(outcomes),
    )


def unique(ids: Iterable[str]) -> tuple[str, ...]:
    """The ids without repeats, in order.

    Raises:
        ValidationError: A single id in place of a list.
    """
    if isinstance(ids, str):
        raise ValidationError.of("ids", ids, "needs a list of ids")
    return tuple(dict.fromkeys(ids))


def _outcome(event: UseEvent, use: Use, policy: ReinforcementPolicy, view: View) -> Outcome:
    if refuse_late(event, use.now, policy.event_horizon_days):
        note = "too long ago to count"
    elif _passed(event, view):
        note = "from before what is folded in already"
    else:
        return Outcome(memory_id=event.memory_id, action=Action.ENQUEUED)
    return Outcome(memory_id=event.memory_id, action=Action.REFUSED, note=note)


def _passed(event: UseEvent, view: View) -> bool:
    record = view.records.get(event.memory_id)
    return record is not None and passed_over(record.state.checkpoint, event.at)


def _event(use: Use, policy: ReinforcementPolicy, memory_id: str) -> UseEvent:
    occasion = str(use.at) if use.recall_id is None else use.recall_id
    return UseEvent(
        event_id=event_id_of(memory_id, use.source, occasion)
        if use.event_id is None
        else use.event_id,
        memory_id=memory_id,
        source=use.source,
        weight=weight_of(use.source, policy),
        at=use.at,
        enqueued_at=use.now,
        recall_id=use.recall_id,
    )
