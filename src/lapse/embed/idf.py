"""How much a token says, learnt from one bank's own texts.

Decides the weight that static token vectors are pooled with. Refuses to look beyond the document
frequencies it is given: weights learnt on another person's conversation made retrieval worse than
none at all, so nobody's texts but the bank's may enter.
"""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from lapse.errors import DomainError


def idf_from(df: NDArray[np.integer], n: int) -> NDArray[np.float32]:
    """Inverse document frequency, idf = ln(1 + (n − df + ½) / (df + ½)) = ln((n + 1) / (df + ½)).

    Args:
        df: Shape (vocabulary,). In how many of the bank's texts each token occurs, in [0, n].
        n: How many texts were counted, ≥ 0. With 0 all tokens weigh the same.

    Returns:
        Shape (vocabulary,), > 0, so that a bank of one text has vectors too; highest for tokens no
        text holds, which a query may still bring.

    Raises:
        DomainError: A document frequency lies outside [0, n], or n is negative.

    Source: Robertson and Spärck Jones (1976), in the form that never turns negative (as in BM25).
    """
    if n < 0:
        raise DomainError.of("n", n, "must be 0 or more texts")
    if df.size and (int(df.min()) < 0 or int(df.max()) > n):
        raise DomainError.of("df", f"{df.min()}..{df.max()}", f"must lie in [0, {n}]")
    return np.log((n + 1) / (df.astype(np.float64) + 0.5)).astype(np.float32)


def document_frequencies(tokens: Iterable[NDArray[np.int64]], vocabulary: int) -> NDArray[np.int64]:
    """In how many texts each token occurs.

    Args:
        tokens: Token ids of each text, each in [0, vocabulary); repeats within a text count once.
        vocabulary: Number of token ids.

    Returns:
        Shape (vocabulary,). Sums of such counts over parts of a bank are the counts of the whole.
    """
    counts = np.zeros(vocabulary, dtype=np.int64)
    for each in tokens:
        counts[np.unique(each)] += 1
    return counts
