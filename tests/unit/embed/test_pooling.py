import numpy as np
import pytest

from lapse.embed.pooling import pool, unit_rows
from lapse.errors import DomainError

TABLE = np.random.default_rng(7).normal(size=(50, 8)).astype(np.float32)
IDF = np.linspace(0.1, 5.0, 50).astype(np.float32)


def ids(*tokens: int) -> "np.ndarray[tuple[int], np.dtype[np.int64]]":
    return np.array(tokens, dtype=np.int64)


def test_a_vector_is_the_weighted_sum_of_its_tokens_at_unit_length() -> None:
    expected = IDF[3] * TABLE[3] + IDF[40] * TABLE[40]
    assert pool([ids(3, 40)], TABLE, IDF)[0] == pytest.approx(
        expected / np.linalg.norm(expected), abs=1e-6
    )


def test_neither_order_nor_repetition_of_tokens_matters() -> None:
    vectors = pool([ids(3, 40, 7), ids(7, 3, 40), ids(7, 7, 7, 3, 40, 3)], TABLE, IDF)
    assert (vectors == vectors[0]).all()


def test_without_idf_all_tokens_weigh_alike() -> None:
    flat = np.full(50, 2.5, dtype=np.float32)
    assert pool([ids(1, 2)], TABLE, None) == pytest.approx(pool([ids(1, 2)], TABLE, flat), abs=1e-6)


def test_a_text_without_tokens_gives_zeros() -> None:
    assert not pool([ids(), ids(1)], TABLE, IDF)[0].any()
    assert pool([], TABLE, IDF).shape == (0, 8)


def test_the_company_of_other_texts_changes_no_bit() -> None:
    generator = np.random.default_rng(1)
    texts = [generator.integers(0, 50, size=n).astype(np.int64) for n in range(1, 60)]
    together = pool(texts, TABLE, IDF)
    assert all(
        (pool([each], TABLE, IDF)[0] == row).all()
        for each, row in zip(texts, together, strict=True)
    )


def test_idf_of_another_vocabulary_is_refused() -> None:
    with pytest.raises(DomainError, match="idf"):
        pool([ids(1)], TABLE, IDF[:-1])


def test_rows_of_zeros_stay_and_others_get_unit_length() -> None:
    rows = unit_rows(np.array([[0.0, 0.0], [3.0, 4.0], [1e-20, 0.0]], dtype=np.float32))
    assert rows == pytest.approx(np.array([[0.0, 0.0], [0.6, 0.8], [1.0, 0.0]]), abs=1e-6)
