"""The benchmark of the product measures what it says, on few vectors."""

import numpy as np
import pytest

from benchmarks.products import _by_block, left_by_bound, measure, vectors


def test_every_way_is_measured_under_its_stable_name() -> None:
    found = measure(700)
    assert {"plain_ms", "two_threads_ms", "from_bytes_ms", "from_halves_ms"} <= set(found)
    assert all(isinstance(each, float) and each > 0 for each in found.values())


def test_a_product_taken_block_by_block_is_the_product() -> None:
    rows, question = vectors(1100)
    assert _by_block(rows, question) == pytest.approx(rows @ question, abs=1e-5)


def test_a_bound_over_all_components_leaves_the_best_alone() -> None:
    rows, question = vectors(1000)
    assert left_by_bound(rows, question, 255) == pytest.approx(0.1, abs=0.02)
    assert left_by_bound(rows, question, 1) > 0.9
    assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-6)
