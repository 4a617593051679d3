"""Marks: what a person or host says about a memory's keeping, apart from its content.

Decides how pin, unpin, exempt and a verified outcome change a state. Refuses to change strength: a
pinned memory keeps the curve it had, and shows it again when unpinned.
"""

from collections.abc import Callable
from dataclasses import replace

from lapse.errors import NotFoundError
from lapse.model.changeset import Changes
from lapse.model.instants import Instant
from lapse.model.memory import Memory
from lapse.model.outcome import Action, Outcome
from lapse.model.record import Record
from lapse.model.retention import Dates, ImportanceSource, RetentionState
from lapse.model.view import View

Mark = Callable[[RetentionState], RetentionState]
Dating = Callable[[Memory, RetentionState], Dates]


def pin(state: RetentionState) -> RetentionState:
    """A user's wish to keep it: it does not fade, and no score removes it."""
    return replace(state, pinned=True)


def unpin(state: RetentionState) -> RetentionState:
    """It may fade again, from where its curve stands now."""
    return replace(state, pinned=False)


def exempt_for(reason: str | None) -> Mark:
    """It does not fade, for a reason; None ends the exemption."""

    def mark(state: RetentionState) -> RetentionState:
        return replace(state, exempt=reason is not None, exempt_reason=reason)

    return mark


def verify(state: RetentionState) -> RetentionState:
    """Its outcome was verified: importance becomes 1, the only way a rating ever rises."""
    return replace(
        state, verified=True, importance=1.0, importance_source=ImportanceSource.VERIFIED
    )


def judge_mark(
    ids: tuple[str, ...], mark: Mark, dating: Dating, now: Instant, view: View
) -> Changes:
    """Apply a mark to every memory named, or to none.

    Raises:
        NotFoundError: Some ids are not in the bank.
        CorruptStoreError: Some of the memories lost their state.
    """
    view.require_states()
    unknown = [each for each in ids if each not in view.records]
    if unknown:
        raise NotFoundError(
            f"no such memories in this bank: {', '.join(unknown)}",
            fields={"ids": ", ".join(unknown)},
        )
    marked = [(view.records[each], mark(view.records[each].state)) for each in ids]
    changed = [(record, state) for record, state in marked if state != record.state]
    return Changes(
        states=tuple(
            (record.memory.id, _finished(record, state, dating, now)) for record, state in changed
        ),
        outcomes=tuple(
            Outcome(
                memory_id=record.memory.id,
                action=Action.UNCHANGED if state == record.state else Action.UPDATED,
            )
            for record, state in marked
        ),
    )


def _finished(
    record: Record, state: RetentionState, dating: Dating, now: Instant
) -> RetentionState:
    return replace(state.dated(dating(record.memory, state)), updated_at=now)
