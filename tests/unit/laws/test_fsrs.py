"""FSRS-6 against py-fsrs, and what Lapse makes of uses."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from fsrs import Card, Rating, Scheduler
from hypothesis import given
from hypothesis import strategies as st

from lapse.errors import DomainError
from lapse.laws import law_for
from lapse.laws.fsrs import (
    HIGHEST_WEIGHTS,
    LOWEST_WEIGHTS,
    Grade,
    Review,
    check_weights,
    first_review,
    next_review,
    retrievability,
)
from lapse.laws.fsrs_law import grade_of
from lapse.model.policy import FSRS6_WEIGHTS, LawName, LawPolicy
from lapse.model.retention import UseSource
from tests.unit.laws.examples import after, columns, told, use

STEPS = st.tuples(st.sampled_from(Grade), st.floats(0, 400))


def by_py_fsrs(steps: list[tuple[Grade, float]]) -> Card:
    """The same reviews by another hand; the first gap is none."""
    # Without learning steps every card is in review after its first, as every memory is.
    scheduler = Scheduler(learning_steps=(), relearning_steps=(), enable_fuzzing=False)
    card, at = Card(card_id=1), datetime(2026, 3, 1, tzinfo=UTC)
    for place, (grade, gap_days) in enumerate(steps):
        at += timedelta(days=gap_days if place else 0)
        card, _ = scheduler.review_card(card, Rating(int(grade)), review_datetime=at)
    return card


@given(steps=st.lists(STEPS, min_size=1, max_size=12))
def test_any_sequence_of_reviews_gives_what_py_fsrs_gives(
    steps: list[tuple[Grade, float]],
) -> None:
    state = first_review(steps[0][0], FSRS6_WEIGHTS)
    for grade, gap_days in steps[1:]:
        # py-fsrs adds gaps as datetimes, which hold whole microseconds.
        whole = timedelta(days=gap_days) / timedelta(days=1)
        state = next_review(state, whole, grade, FSRS6_WEIGHTS)
    card = by_py_fsrs(steps)
    assert state.stability_days == pytest.approx(card.stability, rel=1e-9)
    assert state.difficulty == pytest.approx(card.difficulty, rel=1e-9)


def test_good_reviews_ever_further_apart_grow_as_published() -> None:
    state, grown = first_review(Grade.GOOD, FSRS6_WEIGHTS), []
    for gap_days in (1, 3, 7, 15, 30, 60, 120):
        state = next_review(state, gap_days, Grade.GOOD, FSRS6_WEIGHTS)
        grown.append(state.stability_days)
    assert grown == pytest.approx([7.3, 19.8, 45, 93, 178, 330, 601], rel=0.01)


def test_fifty_uses_in_four_hours_leave_stability_where_it_was() -> None:
    law = law_for(LawPolicy(name=LawName.FSRS))
    massed = told(law, [use(each / 300) for each in range(1, 51)])
    assert massed.strength.stability_days == pytest.approx(2.3065)


def test_a_neutral_memory_starts_at_the_published_numbers() -> None:
    strength = told(law_for(LawPolicy(name=LawName.FSRS))).strength
    assert strength.stability_days == 2.3065
    assert strength.difficulty == pytest.approx(2.11810397046)


@pytest.mark.parametrize(
    ("source", "grade"),
    [
        (UseSource.EXPLICIT, Grade.EASY),
        (UseSource.CITED, Grade.GOOD),
        (UseSource.EVIDENCE, Grade.GOOD),
        (UseSource.RETURNED, Grade.GOOD),
        (UseSource.RECONFIRMED, Grade.HARD),
        (UseSource.REJECTED, Grade.AGAIN),
    ],
)
def test_each_source_of_use_is_a_grade(source: UseSource, grade: Grade) -> None:
    assert grade_of(source) is grade


def test_stronger_evidence_makes_stability_grow_more() -> None:
    law = law_for(LawPolicy(name=LawName.FSRS))
    grown = [
        told(law, [use(5, source=source)]).strength.stability_days
        for source in (UseSource.RECONFIRMED, UseSource.CITED, UseSource.EXPLICIT)
    ]
    assert 2.3065 < grown[0] < grown[1] < grown[2]


def test_a_rejection_is_a_lapse_from_the_same_anchor() -> None:
    law = law_for(LawPolicy(name=LawName.FSRS))
    held = told(law, [use(5)])
    left = law.reject(held.strength, after(20), 0.5)
    reviewed = next_review(
        Review(stability_days=held.strength.stability_days, difficulty=held.strength.difficulty),
        15,
        Grade.AGAIN,
        FSRS6_WEIGHTS,
    )
    assert (left.stability_days, left.difficulty) == (
        reviewed.stability_days,
        reviewed.difficulty,
    )
    rows = columns(held, replace(held, strength=left))
    before, now = law.retrievability(rows, after(21))
    assert now < before


@given(
    stabilities=st.tuples(st.floats(0.001, 5_000), st.floats(0.001, 5_000)).map(sorted),
    difficulty=st.floats(1, 10),
    gap_days=st.floats(0, 5_000),
    grade=st.sampled_from(Grade),
)
def test_what_was_more_stable_stays_more_stable_after_any_review(
    stabilities: list[float], difficulty: float, gap_days: float, grade: Grade
) -> None:
    less, more = (
        next_review(
            Review(stability_days=each, difficulty=difficulty), gap_days, grade, FSRS6_WEIGHTS
        ).stability_days
        for each in stabilities
    )
    assert less <= more * (1 + 1e-12)


def test_weights_at_the_published_bounds_keep_every_state_finite() -> None:
    for weights in (LOWEST_WEIGHTS, HIGHEST_WEIGHTS):
        state = first_review(Grade.GOOD, check_weights(weights))
        for gap_days in (0, 1, 400, 36_500):
            for grade in Grade:
                state = next_review(state, gap_days, grade, weights)
        assert np.isfinite(state.stability_days)
        assert 1 <= state.difficulty <= 10


def test_weights_outside_the_published_bounds_are_all_named() -> None:
    wrong = (*FSRS6_WEIGHTS[:16], 0.5, *FSRS6_WEIGHTS[17:20], 0.0)
    with pytest.raises(DomainError) as caught:
        law_for(LawPolicy(name=LawName.FSRS, fsrs_weights=wrong))
    assert set(caught.value.fields) == {"fsrs_weights[16]", "fsrs_weights[20]"}


def test_too_few_weights_are_refused() -> None:
    with pytest.raises(DomainError, match="needs 21 weights"):
        check_weights(FSRS6_WEIGHTS[:19])


@pytest.mark.parametrize(
    ("age", "stability", "field"),
    [(np.nan, 1.0, "age_days"), (1.0, 0.0, "stability_days"), (1.0, np.inf, "stability_days")],
)
def test_numbers_outside_the_curves_domain_are_refused(
    age: float, stability: float, field: str
) -> None:
    with pytest.raises(DomainError, match=field):
        retrievability(np.array([age]), np.array([stability]), FSRS6_WEIGHTS[20])
