"""Likeness by folded vectors finds what the products of whole vectors find."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lapse.recall.selection import _Likeness

COSINE = 0.95


def _units(
    seed: int, count: int, dimension: int, spread: float
) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
    """Unit vectors around one direction: all alike for a spread near 0, strangers for a large."""
    dice = np.random.default_rng(seed)
    rows = dice.normal(size=dimension) + spread * dice.normal(size=(count, dimension))
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    return rows.astype(np.float32)


@given(
    seed=st.integers(0, 10_000),
    count=st.integers(1, 60),
    dimension=st.sampled_from([1, 2, 63, 64, 65, 256]),
    spread=st.floats(0.0, 2.0),
)
def test_alike_is_what_has_the_cosine(seed: int, count: int, dimension: int, spread: float) -> None:
    vectors = _units(seed, count, dimension, spread)
    places = np.arange(count)
    pairs = np.random.default_rng(seed + 1).random((count, count)) < 0.7
    found = _Likeness.of(vectors, COSINE).among(places, places, pairs.copy())
    cosines = vectors.astype(np.float64) @ vectors.T.astype(np.float64)
    # At the edge itself float32 and float64 may differ.
    sure = np.abs(cosines - COSINE) > 1e-5
    assert (found == (pairs & (cosines >= COSINE)))[sure].all()
    assert not found[~pairs].any()


@pytest.mark.parametrize("spread", [0.01, 0.3, 2.0])
def test_few_and_many_alike_are_found_in_any_block(spread: float) -> None:
    vectors = _units(1, 500, 256, spread)
    vectors[400:] = vectors[:100]
    likeness = _Likeness.of(vectors, COSINE)
    these, those = np.arange(300, 500), np.arange(0, 300)
    found = likeness.among(these, those, np.ones((200, 300), np.bool_))
    assert found[100:, :100].diagonal().all()
    expected = vectors[these] @ vectors[those].T >= COSINE
    assert np.count_nonzero(found != expected) <= 2


def test_vectors_of_zeros_are_like_nothing() -> None:
    vectors = np.zeros((3, 256), np.float32)
    places = np.arange(3)
    found = _Likeness.of(vectors, COSINE).among(places, places, np.ones((3, 3), np.bool_))
    assert not found.any()


def test_without_vectors_nothing_is_alike() -> None:
    places = np.arange(3)
    likeness = _Likeness.of(np.zeros((3, 0), np.float32), COSINE)
    assert not likeness.among(places, places, np.ones((3, 3), np.bool_)).any()
