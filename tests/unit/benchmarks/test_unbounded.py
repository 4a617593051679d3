"""Rankings by unbounded decay, over three memories whose order can be worked out."""

import numpy as np

from benchmarks.unbounded import UNBOUNDED, by_factor, by_sum, within

DAY = 24.0
RELEVANCE = np.array([0.9, 0.6, 0.5])
AGES = np.array([60 * DAY, 2 * DAY, 1 * DAY])


def test_an_unbounded_factor_lets_age_beat_any_relevance() -> None:
    assert by_factor(0.995)(RELEVANCE, AGES).tolist() == [1, 2, 0]
    assert by_factor(1.0)(RELEVANCE, AGES).tolist() == [0, 1, 2]


def test_a_factor_too_small_to_be_told_from_nothing_still_ranks() -> None:
    ages = np.array([9000 * DAY, 8000 * DAY, 7000 * DAY])
    assert by_factor(0.5)(RELEVANCE, ages).tolist() == [2, 1, 0]


def test_a_sum_ranks_the_pool_and_nothing_outside_it() -> None:
    assert by_sum(400)(RELEVANCE, AGES).tolist() == [1, 0, 2]
    assert by_sum(1)(RELEVANCE, AGES).tolist() == [0]


def test_a_deadline_takes_out_what_is_older_and_keeps_the_order_of_the_rest() -> None:
    assert within(30)(RELEVANCE, AGES).tolist() == [1, 2]
    assert within(60)(RELEVANCE, AGES).tolist() == [0, 1, 2]
    assert within(0.5)(RELEVANCE, AGES).tolist() == []


def test_every_ranking_has_an_answer_for_nothing_and_for_equals() -> None:
    nothing = np.zeros(0)
    for ranked in UNBOUNDED.values():
        assert ranked(nothing, nothing).tolist() == []
        assert ranked(np.full(3, 0.5), np.full(3, DAY)).tolist() == [0, 1, 2]
