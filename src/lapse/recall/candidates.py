"""Which memories a question is judged over: the pool, and the nearest misses.

Decides how each arm's list is cut, how lists are fused, and what relevance is. Refuses to weigh
time and strength (`scoring` does).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lapse.index.snapshot import Snapshot
from lapse.index.states import GONE, SUPPRESSED
from lapse.model.index_delta import BoolArray, FloatArray, IntArray
from lapse.model.policy import RecallPolicy, RelevanceKind
from lapse.recall.order import best_first
from lapse.recall.question import Product, Question
from lapse.recall.relevance import (
    QueryTerms,
    TermWeights,
    bm25,
    coverage,
    exact_cosine,
    holding,
    query_terms,
    rounded,
    term_weights,
    tfidf_cosine,
)
from lapse.recall.scope import Gate

_STRIDE = 16

POOL_LIMIT = 100_000
"""Most candidates a pool can be made of; the policy's own upper end."""

TRACE = 0.01
"""Relevance, per share of IDF mass covered, of what a class alone calls to mind: hardly any."""

_SLACK = 4e-6
"""More than float32 cosines of unit vectors and the rounding of ranked values can be off."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Found:
    """c candidates: those that passed the filters, and near misses that did not.

    Attributes:
        slots: Ascending slots of the snapshot's live columns, shape (c,).
        reasons: Code of the filter that took each out; 0 for none.
        listed: Whether it is in an arm's list, or would be had no filter taken it out.
        asked: Whether it is judged because somebody asked for it by name.
        lexical: BM25, or TF-IDF cosine where the policy asks for that; None without that arm.
        lexical_rank, vector_rank: From 1 in each arm's list; 0 where it is not in it.
        cosine: NaN without a vector; None without that arm.
        coverage: Share of the question's IDF mass, in [0, 1].
        relevance: In [0, 1].
        fused: Reciprocal rank fusion, 1 for the first of every arm.
        vectors: Shape (c, dimension), float32; zeros where there is none.
        size: Most entries that an arm's list could have; 0 where nothing is cut.
    """

    slots: IntArray
    reasons: NDArray[np.uint8]
    listed: BoolArray
    asked: BoolArray
    lexical: FloatArray | None
    lexical_rank: IntArray
    cosine: FloatArray | None
    vector_rank: IntArray
    coverage: FloatArray
    relevance: FloatArray
    fused: FloatArray
    vectors: NDArray[np.float32]
    size: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Arms:
    """Which lists a question asks for.

    Attributes:
        text: Whether terms are asked for.
        vector: The question's vector, or None when vectors are not asked for.
        count: How many lists the policy wants, whether or not the question can ask for all.
    """

    text: bool
    vector: NDArray[np.float32] | None
    count: int

    @classmethod
    def of(cls, question: Question, kind: RelevanceKind) -> "Arms":
        """What a policy asks for. Without a vector the text arm stands in for the other."""
        vector = question.vector
        if vector is not None and not vector.any():
            vector = None
        wants_vector = kind in (RelevanceKind.HYBRID, RelevanceKind.VECTOR)
        text = kind is not RelevanceKind.VECTOR or vector is None
        return cls(
            text=text,
            vector=vector if wants_vector else None,
            count=2 if kind is RelevanceKind.HYBRID else 1,
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Search:
    """One question over one snapshot.

    Attributes:
        size: Most entries of an arm's list.
    """

    snapshot: Snapshot
    policy: RecallPolicy
    arms: Arms
    query: QueryTerms
    weights: tuple[TermWeights, ...]
    size: int

    @classmethod
    def of(cls, snapshot: Snapshot, question: Question, policy: RecallPolicy) -> "_Search":
        arms = Arms.of(question, policy.relevance)
        if arms.vector is not None and snapshot.vectors.shape[1] != len(arms.vector):
            # Vectors of another space are never compared; the text arm goes on alone.
            arms = Arms(text=True, vector=None, count=arms.count)
        query = query_terms(snapshot.postings, question.sought)
        return cls(
            snapshot=snapshot,
            policy=policy,
            arms=arms,
            query=query,
            weights=term_weights(snapshot.postings, query, policy.bm25_k1, policy.bm25_b),
            size=max(policy.pool_minimum, policy.pool_factor * question.k),
        )

    def lexical(self) -> FloatArray | None:
        """Value in the text arm of every slot."""
        if not self.arms.text:
            return None
        if self.policy.relevance is RelevanceKind.TFIDF:
            return tfidf_cosine(self.snapshot.postings, self.query)
        return bm25(self.weights, len(self.snapshot.live))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Lists:
    """What decides an arm's list beside the values: who may be in it, how long it is, ties.

    Attributes:
        passed: Which rows no filter took out.
        recorded_from: The newer goes first among equals.
        id_at: Id by place, asked only where all else is equal.
        size: Most entries of a list.
    """

    passed: BoolArray
    recorded_from: IntArray
    id_at: Callable[[int], str]
    size: int

    def ranks(self, values: FloatArray | None) -> IntArray:
        """Rank of each row in one arm, from 1; 0 outside the list.

        Equal values share the better rank. A row that a filter took out gets the rank it would have
        had.
        """
        count = len(self.passed)
        ranks = np.zeros(count, np.int64)
        if values is None:
            return ranks
        inside = np.flatnonzero(self.passed & (values > 0))
        listed = inside[self._first(values[inside], inside)]
        falling = -values[listed]
        ranks[listed] = np.searchsorted(falling, falling) + 1
        if len(inside) < count:
            masked = np.flatnonzero(~self.passed & (values > 0))
            if len(listed) == self.size:
                masked = masked[values[masked] >= -falling[-1]]
            ranks[masked] = np.searchsorted(falling, -values[masked]) + 1
        return ranks

    def _first(self, values: FloatArray, inside: IntArray) -> IntArray:
        """Places of the `size` greatest values, best first."""
        order = np.argsort(-values, kind="stable")
        if len(order) <= self.size or values[order[self.size]] < values[order[self.size - 1]]:
            # Equal values share a rank: who of them goes first matters at the end of the list only.
            return order[: self.size]
        keys = (values, self.recorded_from[inside])
        return best_first(keys, lambda at: self.id_at(int(inside[at])))[: self.size]


def find(
    snapshot: Snapshot,
    question: Question,
    policy: RecallPolicy,
    also: IntArray,
    product: Product = np.matmul,
) -> Found:
    """Find the candidates of a question.

    Args:
        also: Slots to judge in any case, whether or not they would be candidates.
        product: Multiplies all vectors with the question's.
    """
    search = _Search.of(snapshot, question, policy)
    gate = Gate(snapshot=snapshot, question=question, policy=policy)
    passing = gate.passing()
    lexical = search.lexical()
    vector = search.arms.vector
    values = [] if lexical is None else [lexical]
    rough = [] if vector is None else [product(snapshot.vectors, vector)]
    parts = _shortlist(snapshot, [*values, *rough], passing, search.size, 2 * policy.near_misses)
    slots = all_slots = np.unique(np.concatenate((*parts, also)))
    passed = passing[slots]
    exact = None if lexical is None else rounded(lexical[slots])
    cosine = None
    vectors = snapshot.vectors[slots]
    if vector is not None:
        cosine = rounded(exact_cosine(vectors, vector))
    live = snapshot.live
    lists = Lists(
        passed=passed,
        recorded_from=live.recorded_from[slots],
        id_at=lambda at: live.ids[int(all_slots[at])],
        size=search.size,
    )
    ranks = (lists.ranks(exact), lists.ranks(cosine))
    listed = (ranks[0] > 0) | (ranks[1] > 0)
    asked = np.isin(slots, also) if len(also) else np.zeros(len(slots), np.bool_)
    kept = np.flatnonzero(listed | asked)
    slots, passed = slots[kept], passed[kept]
    exact, cosine = _of(exact, kept), _of(cosine, kept)
    lexical_rank, vector_rank = ranks[0][kept], ranks[1][kept]
    reasons = np.zeros(len(slots), np.uint8)
    if not passed.all():
        reasons[~passed] = gate.reasons(slots[~passed])
    covered = rounded(coverage(search.weights, search.query, slots))
    compared = live.has_vector[slots]
    called = holding(snapshot.postings, question.classes, slots)
    return Found(
        slots=slots,
        reasons=reasons,
        listed=listed[kept],
        asked=asked[kept],
        lexical=exact,
        lexical_rank=lexical_rank,
        cosine=None if cosine is None else np.where(compared, cosine, np.nan),
        vector_rank=vector_rank,
        coverage=covered,
        relevance=relevance_of(policy.relevance, exact, cosine, compared, covered, called),
        vectors=vectors[kept],
        size=search.size,
        fused=fused((lexical_rank, vector_rank), policy.rrf_k, search.arms.count),
    )


def relevance_of(
    kind: RelevanceKind,
    lexical: FloatArray | None,
    cosine: FloatArray | None,
    compared: BoolArray,
    covered: FloatArray,
    called: BoolArray,
) -> FloatArray:
    """What `min_relevance` is compared with.

    The cosine, not below 0; the share of the question's IDF mass where there is no vector to
    compare, so that nothing is lost because an embedder failed; the TF-IDF cosine under `tfidf`.
    Under `hybrid`, what belongs to a class that is asked for has a trace of relevance whatever its
    cosine: the vectors of "people" and "Olivia" do not tell that one is of the other.

    Args:
        kind: What the policy measures relevance by.
        lexical: Values of the text arm.
        cosine: Cosines; 0 where there is no vector.
        compared: Where there is a vector.
        covered: Share of the question's IDF mass.
        called: Where a text belongs to a class that the question asks for.
    """
    if kind is RelevanceKind.TFIDF and lexical is not None:
        return lexical
    if cosine is None or kind is RelevanceKind.TEXT:
        return covered
    positive = np.maximum(cosine, 0.0)
    if kind is RelevanceKind.VECTOR:
        return positive
    positive = np.where(called, np.maximum(positive, rounded(TRACE * covered)), positive)
    return np.where(compared, positive, covered)


def fused(ranks: tuple[IntArray, ...], constant: int, arms: int) -> FloatArray:
    """Reciprocal rank fusion Σ 1/(k + rank), divided by what the first of every arm gets.

    Source: Cormack, Clarke & Büttcher (2009).
    """
    total: FloatArray = np.zeros(len(ranks[0]))
    for rank in ranks:
        total += np.where(rank > 0, 1 / (constant + rank), 0.0)
    return total * ((constant + 1) / arms)


def _shortlist(
    snapshot: Snapshot,
    values: Sequence[FloatArray | NDArray[np.float32]],
    passing: BoolArray,
    size: int,
    misses: int,
) -> list[IntArray]:
    """Slots that can be in a list, and the best of those that the filters took out.

    `values` are written to and restored.
    """
    status = snapshot.live.status
    barred = np.zeros(0, np.int64)
    if np.count_nonzero(passing) < len(passing):
        barred = np.flatnonzero(~passing)
    masked = barred[status[barred] != GONE]
    suppressed = masked[status[masked] == SUPPRESSED]
    parts: list[IntArray] = []
    for each in values:
        kept = each[barred]
        # What is masked counts as 0 here, and 0 is never listed.
        each[barred] = 0
        parts.append(_top(each, size))
        best = float(each.max()) if len(suppressed) else 0.0
        each[barred] = kept
        if len(masked) and misses:
            parts.append(masked[_top(each[masked], misses)])
        if len(suppressed):
            strong = np.flatnonzero(each[suppressed] >= max(best - _SLACK, _SLACK))
            parts.append(suppressed[strong])
    return parts


def _top(values: FloatArray | NDArray[np.float32], size: int) -> IntArray:
    """Places of the `size` greatest values above 0, and of all that rounding may lift to them."""
    count = len(values)
    if count <= size:
        return np.flatnonzero(values > 0)
    floor = _low_bound(values, size)
    if floor is None:
        floor = float(np.partition(values, count - size)[count - size])
    else:
        above = values[values >= floor]
        floor = float(np.partition(above, len(above) - size)[len(above) - size])
    floor -= _SLACK
    return np.flatnonzero(values >= floor) if floor > 0 else np.flatnonzero(values > 0)


def _low_bound(values: FloatArray | NDArray[np.float32], size: int) -> float | None:
    """A number that at least `size` values reach and few more do, or None.

    Read off every sixteenth value: it is much faster to find the greatest among few than among all.
    """
    sample = values[::_STRIDE]
    rank = 2 * size // _STRIDE + 8
    if len(sample) < 4 * rank:
        return None
    bound = float(np.partition(sample, len(sample) - rank)[len(sample) - rank])
    return bound if int(np.count_nonzero(values >= bound)) >= size else None


def _of(column: FloatArray | None, kept: IntArray) -> FloatArray | None:
    return None if column is None else column[kept]
