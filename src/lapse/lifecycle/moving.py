"""Moves on the axis of attention: suppressed, archived, and back.

Decides what a state is after each move: only its lifecycle, the note of the move and what protects
it afterwards. Strength, traces, counts, pins and dates stay, so that a move back is exact. This is
the one place where a state of another lifecycle is made. Refuses to decide whether a memory may
move: the guards do.
"""

from dataclasses import dataclass, replace

from lapse.model.instants import Instant, plus_days
from lapse.model.retention import Dates, Lifecycle, RetentionState, Transition


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """Who moves memories, when and why.

    Attributes:
        at: The verb's one reading of the clock.
        by: The actor, as the caller named them.
        reason: Why; never the text of a memory.
        plan_id: The plan that asked for it, or None for a choice acted on at once.
    """

    at: Instant
    by: str
    reason: str
    plan_id: str | None = None


def suppressed(state: RetentionState, move: Move) -> RetentionState:
    """Out of recall, kept whole."""
    return _moved(state, move, Lifecycle.SUPPRESSED)


def archived(state: RetentionState, move: Move) -> RetentionState:
    """Out of recall and of its index; still found by who searches the archive."""
    return _moved(state, move, Lifecycle.ARCHIVED)


def restored(
    state: RetentionState, at: Instant, *, dates: Dates, grace_days: float
) -> RetentionState:
    """Undo the last move: the exact prior state, which for what was active is active.

    What happened to the memory meanwhile stays: a pin, a use. Scores spare it for the grace period
    once it is active again, or it would go at once for the reason it went before.

    Args:
        state: A state that is not active.
        at: When.
        dates: When it is due, by the policy in force.
        grace_days: The policy's grace period.
    """
    last = state.transition
    prior = Lifecycle.ACTIVE if last is None else last.prior
    return replace(
        state.dated(dates),
        lifecycle=prior,
        transition=None if last is None else last.prior_transition,
        protected_until=plus_days(at, grace_days)
        if prior is Lifecycle.ACTIVE
        else state.protected_until,
        updated_at=_updated_before(state, at),
    )


def told_again(state: RetentionState, move: Move, *, grace_days: float) -> RetentionState:
    """Active, because somebody with the right to say so told it again."""
    return replace(
        _moved(state, move, Lifecycle.ACTIVE), protected_until=plus_days(move.at, grace_days)
    )


def _moved(state: RetentionState, move: Move, lifecycle: Lifecycle) -> RetentionState:
    transition = Transition(
        at=move.at,
        by=move.by,
        reason=move.reason,
        plan_id=move.plan_id,
        prior=state.lifecycle,
        # A memory that is back needs no path back: chains stay as short as the moves in force.
        prior_transition=None if lifecycle is Lifecycle.ACTIVE else state.transition,
        prior_updated_at=state.updated_at,
    )
    return replace(state, lifecycle=lifecycle, transition=transition, updated_at=move.at)


def _updated_before(state: RetentionState, at: Instant) -> Instant:
    """When the state had last changed before the move, if nothing has happened to it since."""
    last = state.transition
    if last is None or last.prior_updated_at is None:
        return at
    return last.prior_updated_at if state.updated_at == last.at else state.updated_at
