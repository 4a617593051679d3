"""The kept-fraction benchmark deals fairly, keeps to its budget and judges pairwise."""

from datetime import UTC, datetime, timedelta

import numpy as np

from benchmarks.conversations import Asked, Conversation, Turn
from benchmarks.forget import (
    FRACTIONS,
    Recalled,
    difference,
    live,
    measure,
    results,
    told_as,
)
from benchmarks.forget_policies import KEEPERS, Kept

START = datetime(2026, 1, 1, 9, tzinfo=UTC)
SHIPS = ("lantern", "harbour", "ferry", "anchor", "compass", "rudder", "galley", "mast")


def _conversation() -> Conversation:
    turns = tuple(
        Turn(
            id=f"D{session}:{at}",
            at=START + timedelta(days=9 * session, minutes=at),
            session=f"s{session}",
            text=f"Ann: the {ship} of day {session} is painted",
        )
        for session in range(4)
        for at, ship in enumerate(SHIPS)
    )
    asked = tuple(
        Asked(
            text=f"Is the {SHIPS[at]} of day {session} painted?",
            category=1,
            evidence=(f"D{session}:{at}",),
        )
        for session in range(4)
        for at in (0, 3)
    )
    return Conversation(name="ships", turns=turns, questions=asked)


def test_the_halves_and_the_delays_hang_on_the_seed_alone() -> None:
    first, again = told_as(_conversation(), 1), told_as(_conversation(), 1)
    assert first == again
    assert first != told_as(_conversation(), 2)
    assert sum(each.held_out for each in first.questions) == 4


def test_nothing_is_asked_before_its_evidence_was_told() -> None:
    for seed in range(5):
        story = told_as(_conversation(), seed)
        assert all(each.known <= each.delayed < 4 for each in story.questions)


def test_a_repeated_text_is_one_turn_and_evidence_either_way() -> None:
    told = _conversation()
    echo = Turn(
        id="echo", at=told.turns[-1].at + timedelta(days=1), session="s9", text=told.turns[0].text
    )
    question = Asked(text="Is it painted?", category=1, evidence=("echo",))
    story = told_as(Conversation(name="echo", turns=(*told.turns, echo), questions=(question,)), 0)
    assert len(story.sessions) == 4
    assert story.questions[0].evidence == {"D0:0"}


def test_who_keeps_everything_loses_nothing_and_chance_loses_much() -> None:
    story = told_as(_conversation(), 0)
    whole = live(story, 1.0, KEEPERS["random"], 0)
    part = live(story, 0.25, KEEPERS["random"], 0)
    assert min(whole.end) == min(whole.delayed) == 1.0
    assert sum(part.end) < sum(whole.end)


def test_every_policy_lives_through_a_conversation() -> None:
    found = results(measure([_conversation()], list(KEEPERS), 1))
    assert set(found) == {"none", *KEEPERS}
    ours = found["lapse"]
    assert isinstance(ours, dict)
    assert set(ours["end"]) == {str(each) for each in FRACTIONS}


def test_the_worst_go_first_and_of_equals_the_oldest() -> None:
    kept = Kept(dice=np.random.default_rng(0))
    kept.told(_conversation().turns[:4])
    assert kept.worst([1.0, 0.0, 0.0, 2.0], 2) == ["D0:1", "D0:2"]
    kept.lost(["D0:1"])
    assert list(kept.turns) == ["D0:0", "D0:2", "D0:3"]


def test_a_difference_is_paired_and_its_interval_holds_it() -> None:
    ours = [Recalled(end=(1.0, 0.5), delayed=()), Recalled(end=(1.0,), delayed=())]
    theirs = [Recalled(end=(0.5, 0.5), delayed=()), Recalled(end=(0.0,), delayed=())]
    mean, low, high = difference(ours, theirs, "end")
    assert mean == 0.5
    assert low <= mean <= high
