"""One product, shared out among threads."""

import numpy as np
import pytest

from lapse.engine.products import LEAST_NUMBERS, SharedProduct

DIMENSION = 256


@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize("rows", [0, 1, 7, LEAST_NUMBERS // DIMENSION + 5])
def test_shares_give_what_one_product_gives(threads: int, rows: int) -> None:
    chance = np.random.default_rng(rows)
    matrix = chance.standard_normal((rows, DIMENSION), dtype=np.float32)
    vector = chance.standard_normal(DIMENSION, dtype=np.float32)

    found = SharedProduct(threads)(matrix, vector)

    assert found.dtype == np.float32
    np.testing.assert_allclose(found, matrix @ vector, rtol=0, atol=1e-4)


def test_a_closed_product_starts_its_threads_again() -> None:
    matrix = np.ones((LEAST_NUMBERS // DIMENSION + 1, DIMENSION), np.float32)
    product = SharedProduct(2)
    product(matrix, matrix[0])
    product.close()

    assert product(matrix, matrix[0]).tolist() == [float(DIMENSION)] * len(matrix)
