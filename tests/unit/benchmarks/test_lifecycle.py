"""The lifecycle benchmark keeps to its budget and puts everything back."""

from datetime import UTC, datetime, timedelta

from benchmarks.conversations import Asked, Conversation, Turn
from benchmarks.lifecycle import live

START = datetime(2026, 1, 1, 9, tzinfo=UTC)
SHIPS = ("lantern", "harbour", "ferry", "anchor", "compass", "rudder", "galley", "mast")


def _conversation() -> Conversation:
    turns = tuple(
        Turn(
            id=f"D{session}:{at}",
            at=START + timedelta(days=3 * session, minutes=at),
            session=f"s{session}",
            text=f"Ann: the {ship} of day {session} is painted",
        )
        for session in range(4)
        for at, ship in enumerate(SHIPS)
    )
    asked = (
        Asked(text="Is the lantern of day 0 painted?", category=1, evidence=("D0:0",)),
        Asked(text="Is the mast of day 3 painted?", category=1, evidence=("D3:7",)),
    )
    return Conversation(name="ships", turns=turns, questions=asked)


def test_the_active_set_comes_to_the_budget_and_stays() -> None:
    life = live(_conversation())
    assert life.told == 32
    assert max(life.active_over_time) == life.active_over_time[-1] == 16
    assert len(life.active_over_time) == 10
    assert life.questions == 2


def test_what_is_restored_answers_as_what_never_went() -> None:
    life = live(_conversation())
    assert life.restored_identical
    assert life.before >= life.after
