"""Draining: folding the enqueued events of use into states.

Decides the new state of every memory with pending events. The result depends on the events alone,
not on the order they came in nor on how many drains took them (see `reinforcement`). Refuses to
read a clock or a store: it judges a view.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from lapse.laws import Law
from lapse.lifecycle.reinforcement import advance, checkpoint_horizon, fold, passed_over
from lapse.model.changeset import Changes
from lapse.model.instants import EARLIEST, Instant
from lapse.model.memory import Memory
from lapse.model.outcome import Action, Outcome
from lapse.model.policy import Policy
from lapse.model.record import Record
from lapse.model.retention import (
    Checkpoint,
    Dates,
    RetentionState,
    Strength,
    UseEvent,
    UseSource,
)
from lapse.model.view import View

Dating = Callable[[Sequence[tuple[Memory, RetentionState]]], list[Dates]]


@dataclass(frozen=True, slots=True, kw_only=True)
class DrainRules:
    """What draining is told from outside: the one `now`, the policy, its law and how to date."""

    now: Instant
    policy: Policy
    law: Law
    dating: Dating


def judge_drain(rules: DrainRules, view: View) -> Changes:
    """Fold the pending events of every memory in the view.

    An event from before its memory's checkpoint cannot be folded in any more: it is counted as
    late.
    """
    records = [view.records[each] for each in view.pending if each in view.records]
    states = [_drained(rules, each, view.events.get(each.memory.id, ())) for each in records]
    rows = [(each.memory, state) for each, state in zip(records, states, strict=True)]
    dates = rules.dating(rows)
    late = sum(
        passed_over(each.state.checkpoint, event.at)
        for each in records
        for event in view.events.get(each.memory.id, ())
    )
    return Changes(
        bank=replace(view.bank, late_events=view.bank.late_events + late) if late else None,
        states=tuple(
            (memory.id, state.dated(due)) for (memory, state), due in zip(rows, dates, strict=True)
        ),
        drained=tuple(
            (event.memory_id, event.event_id)
            for each in records
            for event in view.events.get(each.memory.id, ())
        ),
        outcomes=tuple(
            Outcome(memory_id=each.memory.id, action=Action.DRAINED) for each in records
        ),
    )


def refolded(
    rules: DrainRules, record: Record, initial: Strength, events: Sequence[UseEvent]
) -> RetentionState:
    """The state under another law: the whole use log folded from the memory's first strength."""
    start = Checkpoint(strength=initial, through=EARLIEST)
    state = replace(record.state, strength=initial, checkpoint=start)
    return _drained(rules, replace(record, state=state), events)


def _drained(rules: DrainRules, record: Record, events: Sequence[UseEvent]) -> RetentionState:
    state = record.state
    strength = fold(rules.law, rules.policy, state.checkpoint, events, state.created_at)
    # A clock that jumped ahead must not shut out what honest clocks report afterwards: the
    # checkpoint goes no further than what was learned of this memory bears out.
    learned = min(rules.now, max((each.enqueued_at for each in events), default=EARLIEST))
    horizon = checkpoint_horizon(learned, rules.policy.reinforcement.event_horizon_days)
    checkpoint = advance(
        rules.law, rules.policy, state.checkpoint, events, state.created_at, horizon
    )
    return replace(
        state,
        strength=strength,
        checkpoint=checkpoint,
        last_recalled_at=_last_returned(state, events),
        updated_at=rules.now,
    )


def _last_returned(state: RetentionState, events: Sequence[UseEvent]) -> Instant | None:
    returned = [each.at for each in events if each.source is UseSource.RETURNED]
    if state.last_recalled_at is not None:
        returned.append(state.last_recalled_at)
    return max(returned, default=None)
