"""Which memories a question is judged over: the pool, and the nearest misses.

Decides how each arm's list is cut, how lists are fused, and what relevance is. Refuses to weigh
time and strength (`scoring` does).
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lapse.index.snapshot import Snapshot
from lapse.index.states import GONE, SUPPRESSED
from lapse.model.index_delta import BoolArray, FloatArray, IntArray
from lapse.model.policy import RecallPolicy, RelevanceKind
from lapse.recall.order import best_first
from lapse.recall.question import Question
from lapse.recall.relevance import (
    bm25,
    coverage,
    exact_cosine,
    query_terms,
    rounded,
    tfidf_cosine,
)
from lapse.recall.scope import Gate

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


def find(snapshot: Snapshot, question: Question, policy: RecallPolicy, also: IntArray) -> Found:
    """Find the candidates of a question.

    Args:
        also: Slots to judge in any case, whether or not they would be candidates.
    """
    postings = snapshot.postings
    arms = Arms.of(question, policy.relevance)
    if arms.vector is not None and snapshot.vectors.shape[1] != len(arms.vector):
        arms = Arms(text=True, vector=None, count=arms.count)
    query = query_terms(postings, question.terms)
    gate = Gate(snapshot=snapshot, question=question, policy=policy)
    passing = gate.passing()
    size = max(policy.pool_minimum, policy.pool_factor * question.k)
    lexical: FloatArray | None = None
    if arms.text:
        tfidf = policy.relevance is RelevanceKind.TFIDF
        lexical = (
            tfidf_cosine(postings, query)
            if tfidf
            else bm25(postings, query, policy.bm25_k1, policy.bm25_b)
        )
    rough = None if arms.vector is None else snapshot.vectors @ arms.vector
    values = [each for each in (lexical, rough) if each is not None]
    slots = _shortlist(snapshot, values, passing, size, 2 * policy.near_misses)
    slots = np.unique(np.concatenate((slots, also)))
    passed = passing[slots]
    reasons = np.zeros(len(slots), np.uint8)
    reasons[~passed] = gate.reasons(slots[~passed])
    ranker = _Ranker(snapshot=snapshot, slots=slots, passed=passed, size=size)
    exact = None if lexical is None else rounded(lexical[slots])
    cosine = (
        None if arms.vector is None else rounded(exact_cosine(snapshot.vectors, slots, arms.vector))
    )
    nowhere = np.zeros(len(slots), np.int64)
    lexical_rank = nowhere if exact is None else ranker.ranks(exact)
    vector_rank = nowhere if cosine is None else ranker.ranks(cosine)
    covered = rounded(coverage(postings, query, slots))
    found = Found(
        slots=slots,
        reasons=reasons,
        listed=(lexical_rank > 0) | (vector_rank > 0),
        asked=np.isin(slots, also),
        lexical=exact,
        lexical_rank=lexical_rank,
        cosine=None
        if cosine is None
        else np.where(snapshot.live.has_vector[slots], cosine, np.nan),
        vector_rank=vector_rank,
        coverage=covered,
        relevance=_relevance(snapshot, slots, policy.relevance, exact, cosine, covered),
        fused=_fused((lexical_rank, vector_rank), policy.rrf_k, arms.count),
    )
    inside = found.listed | found.asked
    return found if inside.all() else _taken(found, np.flatnonzero(inside))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Ranker:
    """Ranks in one arm: of its list, and those that masked rows would have had in it."""

    snapshot: Snapshot
    slots: IntArray
    passed: BoolArray
    size: int

    def ranks(self, values: FloatArray) -> IntArray:
        """Rank by value, from 1; 0 outside the list. Equal values share the better rank."""
        live = self.snapshot.live
        inside = np.flatnonzero(self.passed & (values > 0))
        mine = self.slots[inside]
        order = best_first(
            (values[inside], live.recorded_from[mine]), lambda at: live.ids[int(mine[at])]
        )
        listed = inside[order[: self.size]]
        falling = -values[listed]
        ranks = np.zeros(len(values), np.int64)
        ranks[listed] = np.searchsorted(falling, falling) + 1
        masked = np.flatnonzero(~self.passed & (values > 0))
        if len(listed) == self.size:
            masked = masked[values[masked] >= -falling[-1]]
        ranks[masked] = np.searchsorted(falling, -values[masked]) + 1
        return ranks


def _shortlist(
    snapshot: Snapshot,
    values: "list[FloatArray | NDArray[np.float32]]",
    passing: BoolArray,
    size: int,
    misses: int,
) -> IntArray:
    """Slots that can be in a list, and the best of those that the filters took out."""
    status = snapshot.live.status
    masked = np.flatnonzero(~passing & (status != GONE))
    suppressed = masked[status[masked] == SUPPRESSED]
    parts: list[IntArray] = [np.zeros(0, np.int64)]
    for each in values:
        # What is masked counts as 0 here, and 0 is never listed.
        inside = each * passing
        parts.append(_top(inside, size))
        if len(masked) and misses:
            parts.append(masked[_top(each[masked], misses)])
        if len(suppressed):
            best = float(inside.max())
            strong = np.flatnonzero(each[suppressed] >= max(best - _SLACK, _SLACK))
            parts.append(suppressed[strong])
    return np.concatenate(parts)


def _top(values: "FloatArray | NDArray[np.float32]", size: int) -> IntArray:
    """Places of the `size` greatest values above 0, and of all that rounding may lift to them."""
    if len(values) <= size:
        return np.flatnonzero(values > 0)
    floor = float(np.partition(values, len(values) - size)[len(values) - size]) - _SLACK
    return np.flatnonzero(values >= floor) if floor > 0 else np.flatnonzero(values > 0)


def _relevance(
    snapshot: Snapshot,
    slots: IntArray,
    kind: RelevanceKind,
    lexical: FloatArray | None,
    cosine: FloatArray | None,
    covered: FloatArray,
) -> FloatArray:
    """What `min_relevance` is compared with.

    The cosine, not below 0; the share of the question's IDF mass where there is no vector to
    compare, so that nothing is lost because an embedder failed; the TF-IDF cosine under `tfidf`.
    """
    if kind is RelevanceKind.TFIDF and lexical is not None:
        return lexical
    if cosine is None or kind is RelevanceKind.TEXT:
        return covered
    positive = np.maximum(cosine, 0.0)
    if kind is RelevanceKind.VECTOR:
        return positive
    return np.where(snapshot.live.has_vector[slots], positive, covered)


def _fused(ranks: tuple[IntArray, ...], constant: int, arms: int) -> FloatArray:
    """Reciprocal rank fusion Σ 1/(k + rank), divided by what the first of every arm gets.

    Source: Cormack, Clarke & Büttcher (2009).
    """
    total: FloatArray = np.zeros(len(ranks[0]))
    for rank in ranks:
        total += np.where(rank > 0, 1 / (constant + rank), 0.0)
    return total * ((constant + 1) / arms)


def _taken(found: Found, kept: IntArray) -> Found:
    return Found(
        slots=found.slots[kept],
        reasons=found.reasons[kept],
        listed=found.listed[kept],
        asked=found.asked[kept],
        lexical=None if found.lexical is None else found.lexical[kept],
        lexical_rank=found.lexical_rank[kept],
        cosine=None if found.cosine is None else found.cosine[kept],
        vector_rank=found.vector_rank[kept],
        coverage=found.coverage[kept],
        relevance=found.relevance[kept],
        fused=found.fused[kept],
    )
