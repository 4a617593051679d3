"""AUC, kept uses and medians of times, against what can be counted by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.measures import auc, kept_uses, quiet_median


def _auc(scores: list[float], needed: list[bool]) -> float:
    return auc(np.array(scores), np.array(needed))


def _kept(scores: list[float], uses: list[int], share: float) -> float:
    return kept_uses(np.array(scores), np.array(uses), share)


@pytest.mark.parametrize(
    ("scores", "needed", "value"),
    [
        ([3, 2, 1], [True, False, False], 1.0),
        ([1, 2, 3], [True, False, False], 0.0),
        ([2, 3, 1], [True, False, False], 0.5),
        ([5, 5, 5, 5], [True, False, True, False], 0.5),
        ([2, 2, 1], [True, False, False], 0.75),
    ],
)
def test_auc_counts_pairs_in_the_right_order_and_half_of_the_ties(
    scores: list[float], needed: list[bool], value: float
) -> None:
    assert _auc(scores, needed) == value


@given(
    st.lists(st.tuples(st.integers(0, 5), st.booleans()), min_size=2, max_size=30).filter(
        lambda rows: 0 < sum(needed for _, needed in rows) < len(rows)
    )
)
def test_auc_is_the_share_of_pairs_whoever_counts_them(rows: list[tuple[int, bool]]) -> None:
    scores, needed = [float(score) for score, _ in rows], [each for _, each in rows]
    pairs = [
        1.0 if a > b else 0.5 if a == b else 0.0
        for a, wanted in zip(scores, needed, strict=True)
        if wanted
        for b, other in zip(scores, needed, strict=True)
        if not other
    ]
    assert _auc(scores, needed) == pytest.approx(sum(pairs) / len(pairs), abs=1e-12)


def test_the_best_fifth_is_kept() -> None:
    assert _kept([5, 4, 3, 2, 1], [7, 1, 1, 1, 0], 0.2) == 7


def test_a_cut_through_equals_keeps_each_of_them_with_the_same_chance() -> None:
    assert _kept([9, 1, 1, 1, 1], [2, 4, 0, 0, 0], 0.4) == pytest.approx(2 + 4 / 4)


def test_at_least_one_item_is_kept() -> None:
    assert _kept([1, 2], [3, 5], 0.2) == 5


@pytest.mark.parametrize(
    ("spent", "median"),
    [
        ([5.0], 5.0),
        ([9.0, 9.0, 9.0, 1.0, 2.0, 3.0], 2.0),
        ([1.0, 8.0, 9.0, 7.0, 7.0, 7.0], 7.0),
        ([4.0, 4.0, 4.0, 1.0], 4.0),
    ],
)
def test_the_median_of_the_quietest_stretch_is_given(spent: list[float], median: float) -> None:
    assert quiet_median(spent, 3) == median
