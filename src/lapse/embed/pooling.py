"""Token vectors to one vector of a text.

Decides how the vectors of a text's tokens are brought together. Refuses to know where they come
from.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from lapse.errors import DomainError


def pool(
    tokens: Sequence[NDArray[np.int64]],
    table: NDArray[np.float32] | NDArray[np.int8],
    idf: NDArray[np.float32] | None,
) -> NDArray[np.float32]:
    """Weighted mean direction of each text's distinct tokens t: s = Σ idf[t]·E[t], v = s / |s|.

    A token counts once however often a text repeats it: that found more evidence than counting
    each occurrence. Rows are summed one after the other in the order of token ids, not by a
    matrix product, so that a text has the same vector alone and in any batch, on any processor.

    Args:
        tokens: Token ids of each text, each a row of `table`.
        table: Shape (vocabulary, dimension). The token vectors E.
        idf: Shape (vocabulary,), ≥ 0; None weighs all tokens alike.

    Returns:
        Shape (len(tokens), dimension). Unit length, or all zeros where nothing is left to sum.

    Raises:
        DomainError: `idf` is for another vocabulary.
    """
    if idf is not None and idf.shape != (len(table),):
        raise DomainError.of("idf", idf.shape, f"must have the shape ({len(table)},)")
    pooled = np.zeros((len(tokens), table.shape[1]), dtype=np.float32)
    for row, each in zip(pooled, tokens, strict=True):
        distinct = np.unique(each)
        if distinct.size == 0:
            continue
        vectors = table[distinct].astype(np.float32, copy=False)
        if idf is not None:
            vectors *= idf[distinct, np.newaxis]
        np.add.reduce(vectors, axis=0, out=row)
    return unit_rows(pooled)


def unit_rows(vectors: NDArray[np.float32] | NDArray[np.float64]) -> NDArray[np.float32]:
    """Each row at unit length; rows of zeros stay zeros. Shape (n, dimension) in and out."""
    lengths = np.sqrt(np.einsum("ij,ij->i", vectors, vectors, dtype=np.float64))
    lengths[lengths == 0.0] = 1.0
    units: NDArray[np.float32] = (vectors / lengths[:, np.newaxis]).astype(np.float32)
    return units
