"""One code for what several columns say of a row."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from lapse.recall.field import codes_of

VALUES = st.one_of(st.integers(-2, 5), st.integers(-(2**40), 2**40))


@given(st.lists(st.tuples(VALUES, VALUES, VALUES), max_size=20))
def test_rows_have_one_code_exactly_when_they_agree_in_all_columns(
    rows: list[tuple[int, int, int]],
) -> None:
    columns = np.array(rows, dtype=np.int64).reshape(-1, 3).T
    codes = codes_of(*columns).tolist()
    assert [[a == b for b in codes] for a in codes] == [[a == b for b in rows] for a in rows]


def test_small_columns_give_codes_of_a_larger_type() -> None:
    narrow = np.array([2_000_000_000, -1, 2_000_000_000], dtype=np.int32)
    codes = codes_of(narrow, narrow)
    assert codes.dtype == np.int64
    assert codes[0] == codes[2] != codes[1]
