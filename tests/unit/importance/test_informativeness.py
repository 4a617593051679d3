"""Informativeness: the IDF mass of a text, and its place among the others."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lapse.importance.informativeness import masses, percentiles
from lapse.index.postings import distinct
from lapse.model.index_delta import FloatArray


def _masses(texts: list[list[int]], memories: int | None = None) -> FloatArray:
    arrays = [np.array(each, dtype=np.int32) for each in texts]
    forward, _counts, sizes = distinct(arrays)
    size = max((max(each, default=0) for each in texts), default=0) + 1
    frequency = np.zeros(size, np.int32)
    np.add.at(frequency, forward, 1)
    return masses(forward, np.cumsum(sizes), frequency, memories or len(texts))


def test_the_mass_is_the_sum_of_the_distinct_terms_idf() -> None:
    found = _masses([[0, 1, 1], [0, 2, 3], [0]])

    assert found[0] == pytest.approx(math.log(4 / 2))
    assert found[1] == pytest.approx(2 * math.log(4 / 2))
    assert found[2] == 0


def test_a_word_that_every_memory_holds_weighs_nothing_and_repeats_weigh_no_more() -> None:
    found = _masses([[0, 5], [0, 5, 5, 5], [0]])

    assert found[0] == found[1] > found[2] == 0


@given(st.lists(st.lists(st.integers(0, 30), max_size=12), min_size=1, max_size=12))
def test_the_mass_is_what_a_plain_sum_gives(texts: list[list[int]]) -> None:
    count = len(texts)

    def idf(term: int) -> float:
        return math.log((1 + count) / (1 + sum(term in each for each in texts)))

    plain = [sum(idf(term) for term in set(each)) for each in texts]

    assert _masses(texts).tolist() == pytest.approx(plain, abs=1e-8)


def test_without_texts_or_terms_there_is_no_mass() -> None:
    empty = np.zeros(0, np.int32)

    assert masses(empty, np.zeros(0, np.int64), empty, 0).shape == (0,)
    assert masses(empty, np.zeros(2, np.int64), empty, 2).tolist() == [0, 0]


def test_a_term_beyond_the_table_of_frequencies_is_unknown_and_weighs_nothing() -> None:
    forward = np.array([0, 7], dtype=np.int32)

    found = masses(forward, np.array([2]), np.array([1], dtype=np.int32), 9)

    assert found[0] == pytest.approx(math.log(10 / 2))


def test_equal_values_share_the_middle_of_their_places() -> None:
    assert percentiles(np.array([3.0, 1.0, 3.0, 2.0])).tolist() == [0.75, 0.125, 0.75, 0.375]
    assert percentiles(np.array([5.0])).tolist() == [0.5]
    assert percentiles(np.zeros(0)).shape == (0,)


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=30))
def test_percentiles_lie_inside_and_keep_the_order(values: list[float]) -> None:
    found = percentiles(np.array(values))

    assert ((found > 0) & (found < 1)).all()
    for one, share in zip(values, found.tolist(), strict=True):
        for other, its in zip(values, found.tolist(), strict=True):
            assert (one < other) == (share < its)
