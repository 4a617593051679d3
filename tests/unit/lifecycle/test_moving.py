"""Out of sight and back: nothing of a state is lost on the way."""

from dataclasses import replace

from lapse.lifecycle.moving import Move, archived, restored, suppressed, told_again
from lapse.model.instants import DAY, Instant
from lapse.model.retention import Lifecycle, RetentionState
from lapse.testing.fakes import START, state

HELD = replace(
    state(Instant(START - 50 * DAY), counted=7),
    importance=0.3,
    pinned=True,
    verified=True,
    last_recalled_at=START,
)
LATER = Instant(START + 5 * DAY)


def _move(days: float = 0.0, by: str = "anna") -> Move:
    return Move(at=Instant(round(START + days * DAY)), by=by, reason="unwanted")


def _back(held: RetentionState, at: Instant = LATER) -> RetentionState:
    return restored(held, at, dates=held.dates, grace_days=30.0)


def test_a_move_changes_the_lifecycle_and_its_note_alone() -> None:
    moved = suppressed(HELD, _move())
    assert moved.lifecycle is Lifecycle.SUPPRESSED
    assert moved.transition is not None
    assert (moved.transition.by, moved.transition.reason) == ("anna", "unwanted")
    like_before = replace(
        moved, lifecycle=HELD.lifecycle, transition=HELD.transition, updated_at=HELD.updated_at
    )
    assert like_before == HELD


def test_coming_back_is_exact_ten_times_over() -> None:
    held = HELD
    for turn in range(10):
        for move in (suppressed, archived):
            at = Instant(LATER + turn * DAY)
            back = _back(move(held, replace(_move(), at=at)), at)
            assert back == replace(held, protected_until=Instant(at + 30 * DAY))
            held = back


def test_each_step_back_undoes_the_last_step_out() -> None:
    first = suppressed(HELD, _move())
    second = archived(first, _move(1, by="ben"))
    assert _back(second) == first
    assert _back(_back(second)) == replace(HELD, protected_until=Instant(LATER + 30 * DAY))


def test_what_happened_meanwhile_stays() -> None:
    moved = suppressed(HELD, _move())
    used = replace(moved, pinned=False, updated_at=Instant(START + DAY))
    back = _back(used)
    assert not back.pinned
    assert back.updated_at == Instant(START + DAY)


def test_told_again_is_active_at_once_from_wherever_it_was() -> None:
    away = archived(suppressed(HELD, _move()), _move(1))
    back = told_again(away, _move(2), grace_days=30.0)
    assert back.lifecycle is Lifecycle.ACTIVE
    assert back.protected_until == Instant(START + 32 * DAY)
    assert back.transition is not None
    assert back.transition.prior is Lifecycle.ARCHIVED
    assert back.transition.prior_transition is None
    assert back.strength == HELD.strength


def test_an_instant_of_zero_is_an_instant() -> None:
    held = replace(HELD, updated_at=Instant(0))
    assert _back(suppressed(held, _move())).updated_at == Instant(0)
