"""How relevant each memory is to a question, before time enters: BM25, TF-IDF cosine, cosine.

Decides the formulas. Refuses to filter, to cut and to fuse (`candidates` does) and to know how
strongly anything is held.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lapse.index.postings import Postings
from lapse.model.index_delta import BoolArray, FloatArray, IntArray

DECIMALS = 6
"""Every ranked value is rounded to this many decimals, so that no order hangs on the last bit."""

_UNKNOWN = -1
_DENSE_SHARE = 16
_WORTH_KEEPING = 256
_MEMO_BYTES = 32 << 20
_NORMS = ("tfidf", "norms")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class QueryTerms:
    """The distinct terms of a question, as the bank knows them.

    Attributes:
        ids: Term ids, -1 for a term that no memory of the bank ever held.
        counts: How often each occurs in the question.
        idf: ln(1 + (N − df + 0.5)/(df + 0.5)) of each, > 0; shape (t,).
        smooth_idf: ln((1 + N)/(1 + df)) + 1 of each, ≥ 1; shape (t,).
    """

    ids: tuple[int, ...]
    counts: tuple[int, ...]
    idf: FloatArray
    smooth_idf: FloatArray


def query_terms(postings: Postings, terms: Sequence[str]) -> QueryTerms:
    """Look up the terms of a question."""
    counts: dict[str, int] = {}
    for term in terms:
        counts[term] = counts.get(term, 0) + 1
    ids = tuple(postings.terms.get(term, _UNKNOWN) for term in counts)
    found = np.array([postings.frequency(each) for each in ids], dtype=np.float64)
    total = postings.memory_count
    return QueryTerms(
        ids=ids,
        counts=tuple(counts.values()),
        idf=np.log1p((total - found + 0.5) / (found + 0.5)),
        smooth_idf=np.log((1 + total) / (1 + found)) + 1,
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TermWeights:
    """What one term of a question adds to the BM25 of each slot that holds it.

    Attributes:
        idf: The term's IDF.
        slots: Slots that hold it, ascending.
        weights: What it adds, > 0; by place in `slots`, or over all slots for a common term (adding
            zeros where it is absent is faster than finding where it is present).
        dense: Whether `weights` is over all slots.
    """

    idf: float
    slots: IntArray
    weights: FloatArray
    dense: bool


def term_weights(
    postings: Postings, query: QueryTerms, k1: float, b: float
) -> tuple[TermWeights, ...]:
    """Weights of the question's terms that any living memory holds.

        idf(t) · tf·(k1 + 1) / (tf + k1·(1 − b + b·length/mean length))

    Statistics are those of the living memories of this snapshot. Dead slots have weights, too.

    Source: Robertson & Zaragoza (2009); idf with 1 added inside the logarithm, as in Lucene.
    """
    weights: list[TermWeights] = []
    for term, idf in zip(query.ids, query.idf.tolist(), strict=True):
        if term != _UNKNOWN and postings.frequency(term):
            slots, counts = postings.of(term)
            dense = len(slots) * _DENSE_SHARE > len(postings.lengths)
            key = ("bm25", term, k1, b)
            added = postings.memo.get(key)
            if added is None:
                frequency = counts.astype(np.float64)
                added = frequency + _length_norms(postings, k1, b)[slots]
                added = idf * (k1 + 1) * frequency / added
                if dense:
                    added = _spread_out(slots, added, len(postings.lengths))
                if len(slots) > _WORTH_KEEPING:
                    _keep(postings, key, added)
            weights.append(TermWeights(idf=idf, slots=slots, weights=added, dense=dense))
    return tuple(weights)


def bm25(weights: Sequence[TermWeights], count: int) -> FloatArray:
    """BM25 of every slot: the sum over the distinct terms of the question.

    Returns:
        Shape (count,), ≥ 0; 0 where no term occurs.
    """
    scores: FloatArray = np.zeros(count)
    for each in weights:
        if each.dense:
            scores += each.weights
        else:
            scores[each.slots] += each.weights
    return scores


def tfidf_cosine(postings: Postings, query: QueryTerms) -> FloatArray:
    """Cosine of TF-IDF vectors of every slot with the question.

    A term's weight is (1 + ln tf)·(ln((1 + N)/(1 + df)) + 1), on both sides; a term that the bank
    does not know lengthens the question's vector.

    Returns:
        Shape (n,), in [0, 1]; 0 where no term occurs.

    Source: the workbench's "log term frequency with smoothed inverse document frequency".
    """
    weights = (1 + np.log(np.array(query.counts, dtype=np.float64))) * query.smooth_idf
    length = math.sqrt(float((weights * weights).sum()))
    products: FloatArray = np.zeros(len(postings.lengths))
    if length == 0:
        return products
    for at, term in enumerate(query.ids):
        slots, counts = postings.of(term)
        products[slots] += weights[at] * (1 + np.log(counts)) * query.smooth_idf[at]
    norms = _norms(postings)
    return np.divide(products, length * norms, out=products, where=norms > 0)


def coverage(weights: Sequence[TermWeights], query: QueryTerms, slots: IntArray) -> FloatArray:
    """Share of the question's IDF mass that each slot's text covers.

        Σ idf(t) over terms in both / Σ idf(t) over the question's distinct terms

    Terms unknown to the bank count as uncovered, at the greatest IDF there is.

    Returns:
        Shape (m,), in [0, 1]; 0 for a question without terms.
    """
    share: FloatArray = np.zeros(len(slots))
    mass = float(query.idf.sum())
    if mass == 0 or len(slots) == 0:
        return share
    for each in weights:
        if each.dense:
            held = each.weights[slots] > 0
        elif len(each.slots) == 0:
            continue  # of a large bank's memories those at hand need not hold each term
        else:
            at = np.searchsorted(each.slots, slots)
            held = each.slots[np.minimum(at, len(each.slots) - 1)] == slots
        share += each.idf * held
    share /= mass
    return np.minimum(share, 1.0)


def holding(postings: Postings, terms: Sequence[str], slots: IntArray) -> BoolArray:
    """Which slots hold any of some terms; shape of `slots`."""
    held: BoolArray = np.zeros(len(slots), np.bool_)
    for term in terms:
        held |= np.isin(slots, postings.of(postings.terms.get(term, _UNKNOWN))[0])
    return held


def exact_cosine(vectors: NDArray[np.float32], vector: NDArray[np.float32]) -> FloatArray:
    """Cosine of unit vectors with a unit vector, in float64.

    The sum runs in the same order wherever a row lies, so that a rebuilt index gives the same bits.

    Args:
        vectors: Shape (m, dimension).
        vector: Shape (dimension,).

    Returns:
        Shape (m,), in [-1, 1].
    """
    products = vectors.astype(np.float64)
    products *= vector
    cosines: FloatArray = np.clip(products.sum(axis=1), -1.0, 1.0)
    return cosines


def rounded(values: FloatArray) -> FloatArray:
    """Values as they are ranked."""
    # Adding 0 turns -0.0 into 0.0, which is the same number with another face.
    return np.round(values, DECIMALS) + 0.0


def _keep(postings: Postings, key: tuple[object, ...], values: FloatArray) -> None:
    """Remember weights while there is room: a snapshot's memory of them is bounded."""
    if sum(each.nbytes for each in list(postings.memo.values())) + values.nbytes <= _MEMO_BYTES:
        postings.memo[key] = values


def _spread_out(slots: IntArray, values: FloatArray, count: int) -> FloatArray:
    spread: FloatArray = np.zeros(count)
    spread[slots] = values
    return spread


def _length_norms(postings: Postings, k1: float, b: float) -> FloatArray:
    key = ("bm25", "norms", k1, b)
    known = postings.memo.get(key)
    if known is not None:
        return known
    lengths = postings.lengths.astype(np.float64)
    norms: FloatArray = k1 * (1 - b + b * lengths / postings.mean_length)
    postings.memo[key] = norms
    return norms


def _norms(postings: Postings) -> FloatArray:
    """Length of every slot's TF-IDF vector."""
    known = postings.memo.get(_NORMS)
    if known is not None:
        return known
    frequency = postings.document_frequency[postings.forward]
    idf = np.log((1 + postings.memory_count) / (1 + frequency.astype(np.float64))) + 1
    weights = (1 + np.log(postings.forward_counts.astype(np.float64))) * idf
    owners = np.repeat(np.arange(len(postings.ends)), np.diff(postings.ends, prepend=0))
    squares = np.bincount(owners, weights=weights * weights, minlength=len(postings.ends))
    norms: FloatArray = np.sqrt(squares)
    postings.memo[_NORMS] = norms
    return norms
