import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lapse.embed.idf import document_frequencies, idf_from
from lapse.errors import DomainError


def test_rarer_tokens_weigh_more_and_unseen_ones_most() -> None:
    idf = idf_from(np.array([0, 1, 5, 10]), 10)
    assert list(np.argsort(-idf)) == [0, 1, 2, 3]
    assert idf == pytest.approx([math.log(11 / (df + 0.5)) for df in (0, 1, 5, 10)], rel=1e-6)


@given(st.integers(0, 10**6), st.integers(0, 10**6))
def test_every_weight_is_above_zero(df: int, more: int) -> None:
    assert idf_from(np.array([df]), df + more)[0] > 0


def test_an_empty_bank_weighs_all_tokens_alike() -> None:
    assert np.unique(idf_from(np.zeros(5, dtype=np.int64), 0)).size == 1


@pytest.mark.parametrize(("df", "n"), [([3], 2), ([-1], 2), ([0], -1)])
def test_frequencies_that_cannot_be_are_refused(df: list[int], n: int) -> None:
    with pytest.raises(DomainError):
        idf_from(np.array(df), n)


def test_a_token_counts_once_per_text() -> None:
    texts = [np.array([1, 1, 2]), np.array([2]), np.array([], dtype=np.int64)]
    assert list(document_frequencies(texts, 4)) == [0, 1, 2, 0]


@given(st.lists(st.lists(st.integers(0, 9), max_size=8), max_size=8), st.integers(0, 8))
def test_counts_of_parts_add_up_to_the_whole(texts: list[list[int]], cut: int) -> None:
    arrays = [np.array(each, dtype=np.int64) for each in texts]
    parts = document_frequencies(arrays[:cut], 10) + document_frequencies(arrays[cut:], 10)
    assert list(parts) == list(document_frequencies(arrays, 10))
