"""Lapse beside another store: judging what that store found.

Decides how relevant another store's candidate is and which number of its own is bent. Refuses to
fetch candidates, to embed them and to know what was erased: its caller brings all that.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from lapse.index.postings import Postings, PostingTable
from lapse.index.snapshot import Snapshot
from lapse.laws import Law
from lapse.model.index_delta import BoolArray, FloatArray, IntArray
from lapse.model.policy import Policy, RelevanceKind
from lapse.model.query import Candidate
from lapse.recall.candidates import Arms, Found, Lists, relevance_of
from lapse.recall.field import Field
from lapse.recall.judging import Case, judge
from lapse.recall.overlay_gate import Told, reasons_of
from lapse.recall.overlay_known import Known, known_among
from lapse.recall.overlay_strength import held_by
from lapse.recall.question import Answer, Instruments, Question
from lapse.recall.relevance import (
    bm25,
    coverage,
    exact_cosine,
    holding,
    query_terms,
    rounded,
    term_weights,
    tfidf_cosine,
)
from lapse.recall.scoring import min_max

_LONGEST = 1e37

LEAST_FOUND = 1e-6
"""Least relevance of what another store found and scored on a scale of its own."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Offer:
    """c candidates of another store, with what the text and embedding layers read off them.

    Attributes:
        candidates: As the caller gave them.
        terms: Stemmed terms of each, as a memory's are made.
        vectors: Shape (c, dimension), float32, in the space of the question's vector; zeros where
            there is none; None when there are none at all. Need not have unit length.
        fingerprints: Digest of each normalised text.
        words: Words of each.
        distinctions: Digest of each text's numbers, identifiers, names and negation; None where the
            instruments tell whether two texts say the same, so that only alike ones need be read.
        erased: Places of those whose content was erased here and may not come back.
    """

    candidates: Sequence[Candidate]
    terms: Sequence[Sequence[str]]
    vectors: NDArray[np.float32] | None
    fingerprints: Sequence[bytes]
    words: Sequence[int]
    distinctions: Sequence[bytes] | None = None
    erased: frozenset[int] = frozenset()


def rank(
    offer: Offer,
    snapshot: Snapshot,
    question: Question,
    policy: Policy,
    law: Law,
    instruments: Instruments,
) -> Answer:
    """Judge another store's candidates by this bank's policy and what it knows of them.

    What forgetting bends is the candidate's own score: as it is when all own scores lie in [0, 1],
    else brought there by min-max; a candidate without one has its relevance. A candidate whose id
    the bank knows has the strength it has here; any other is taken as told once, at its own
    `created_at`. Every candidate is told or left out; `Pick.row` is its place in the offer.

    Raises:
        ValidationError: A budget of tokens without a counter, or a reranker's score outside [0, 1].
    """
    started = instruments.stopwatch()
    known = known_among(offer.candidates, snapshot)
    given = _given(offer.candidates)
    found = _found(offer, given, known, snapshot, question, policy)
    located = instruments.stopwatch()
    held = held_by(offer.candidates, known, snapshot.states, question.now, (policy, law))
    field = Field(
        found=found,
        base=_base(given, found.relevance),
        own_score=False,
        strengths=held.columns,
        rows=np.arange(len(offer.candidates), dtype=np.int64),
        ids=[each.id for each in offer.candidates],
        fingerprint=_codes(offer.fingerprints),
        distinctions=_distinctions(offer),
        matter=_matter(offer.candidates),
        created_at=held.created_at,
        occurred_at=held.occurred_at,
        recorded_from=held.created_at,
        proof_count=held.proof_count,
        words=np.array(offer.words, dtype=np.int64),
        guards=held.guards,
        lifecycle=held.lifecycle,
        use_count=held.use_count,
        vectors=found.vectors,
    )
    case = Case(field=field, half_lives=None, question=question, policy=policy, law=law)
    prepared = instruments.stopwatch()
    answer = judge(case, instruments)
    return replace(
        answer,
        find_ms=1e3 * (located - started),
        strength_ms=answer.strength_ms + 1e3 * (prepared - located),
    )


def _found(
    offer: Offer,
    given: FloatArray,
    known: Known,
    snapshot: Snapshot,
    question: Question,
    policy: Policy,
) -> Found:
    candidates, recall = offer.candidates, policy.recall
    count = len(candidates)
    arms = Arms.of(question, recall.relevance)
    vectors = _unit(offer.vectors, count)
    if arms.vector is not None and vectors.shape[1] != len(arms.vector):
        arms = Arms(text=True, vector=None, count=arms.count)
    postings = _postings(offer.terms, question, recall.relevance)
    query = query_terms(postings, question.sought)
    weights = term_weights(postings, query, recall.bm25_k1, recall.bm25_b)
    lexical: FloatArray | None = None
    if arms.text:
        if recall.relevance is RelevanceKind.TFIDF:
            lexical = rounded(tfidf_cosine(postings, query))
        else:
            lexical = rounded(bm25(weights, count))
    cosine = None if arms.vector is None else rounded(exact_cosine(vectors, arms.vector))
    # A vector that is not all zeros has unit length, so that some number of it is not small.
    compared: BoolArray = np.einsum("ij,ij->i", vectors, vectors) > 0.5
    places = np.arange(count, dtype=np.int64)
    covered = rounded(coverage(weights, query, places))
    called = holding(postings, question.classes, places)
    measured = relevance_of(recall.relevance, lexical, cosine, compared, covered, called)
    told = Told(candidates=candidates, fingerprints=offer.fingerprints, erased=offer.erased)
    reasons = reasons_of(told, known, snapshot, question, recall)
    created = [question.now if c.created_at is None else c.created_at for c in candidates]
    lists = Lists(
        passed=reasons == 0,
        recorded_from=np.array(created, dtype=np.int64),
        id_at=lambda at: candidates[at].id,
        size=count,
    )
    everyone: BoolArray = np.ones(count, np.bool_)
    return Found(
        slots=np.arange(count, dtype=np.int64),
        reasons=reasons,
        listed=everyone,
        asked=everyone,
        lexical=lexical,
        lexical_rank=lists.ranks(lexical),
        cosine=None if cosine is None else np.where(compared, cosine, np.nan),
        vector_rank=lists.ranks(cosine),
        coverage=covered,
        relevance=_relevance(given, measured),
        fused=np.zeros(count),
        vectors=vectors,
    )


def _relevance(given: FloatArray, measured: FloatArray) -> FloatArray:
    """Relevance of each candidate: its own score in [0, 1], else what is measured here.

    Scores on another scale say nothing that a threshold could be held against, so that relevance is
    measured here; but what the other store found is never taken for no match at all.
    """
    scored = ~np.isnan(given)
    if _within(given[scored]):
        return rounded(np.where(scored, given, measured))
    return np.where(scored, np.maximum(measured, LEAST_FOUND), measured)


def _base(given: FloatArray, relevance: FloatArray) -> FloatArray:
    """What forgetting bends: own scores in [0, 1], else brought there, else relevance."""
    scored = ~np.isnan(given)
    if _within(given[scored]):
        return np.where(scored, given, relevance)
    return np.where(scored, min_max(np.where(scored, given, 0.0), scored), relevance)


def _given(candidates: Sequence[Candidate]) -> FloatArray:
    """Own scores, NaN for none. A score of 0 is a score."""
    scores = [np.nan if each.score is None else each.score for each in candidates]
    return np.array(scores, dtype=np.float64)


def _within(scores: FloatArray) -> bool:
    return bool(((scores >= 0) & (scores <= 1)).all())


def _postings(terms: Sequence[Sequence[str]], question: Question, kind: RelevanceKind) -> Postings:
    """Postings of the candidates: their own small collection, with its own statistics."""
    table = PostingTable()
    if kind is RelevanceKind.TFIDF:
        known = table.terms
        table.extend(
            [
                np.array([known.setdefault(t, len(known)) for t in each], dtype=np.int32)
                for each in terms
            ]
        )
    else:
        _add_asked(table, terms, question)
    table.count_in(np.arange(len(terms), dtype=np.int64))
    return table.postings()


def _add_asked(table: PostingTable, terms: Sequence[Sequence[str]], question: Question) -> None:
    """Add the question's terms only; the others count for the length of a text alone."""
    for term in question.sought:
        table.terms.setdefault(term, len(table.terms))
    numbers, asked = table.terms, frozenset(table.terms)
    found = [
        (place, numbers[term], each.count(term))
        for place, each in enumerate(terms)
        for term in asked.intersection(each)
    ]
    flat = np.fromiter(chain.from_iterable(found), np.int32, 3 * len(found))
    places, ids, counts = flat.reshape(-1, 3).T
    order = np.lexsort((ids, places))
    sizes = np.bincount(places, minlength=len(terms))
    lengths = np.fromiter(map(len, terms), np.int32, len(terms))
    table.add(ids[order], counts[order], sizes, lengths)


def _unit(vectors: NDArray[np.float32] | None, count: int) -> NDArray[np.float32]:
    """Vectors of unit length, zeros where there is none."""
    if vectors is None:
        return np.zeros((count, 0), np.float32)
    lengths = np.sqrt(np.einsum("ij,ij->i", vectors, vectors, dtype=np.float64))
    lengths[lengths == 0] = 1.0
    # Halves the time; a length beyond float32 is divided by as it is.
    divisors = lengths if lengths.max(initial=1) > _LONGEST else lengths.astype(np.float32)
    return np.asarray(vectors / divisors[:, np.newaxis], dtype=np.float32)


def _matter(candidates: Sequence[Candidate]) -> IntArray:
    """Codes of subject and key together; one code where no candidate has either."""
    if all(each.subject is None and each.key is None for each in candidates):
        return np.zeros(len(candidates), np.int64)
    return _codes([(each.subject, each.key) for each in candidates])


def _distinctions(offer: Offer) -> IntArray:
    """Codes of the distinctions; one code for all where nobody has read them yet."""
    if offer.distinctions is None:
        return np.zeros(len(offer.candidates), np.int64)
    return _codes(offer.distinctions)


def _codes(values: Sequence[Hashable]) -> IntArray:
    codes: dict[Hashable, int] = {}
    return np.array([codes.setdefault(each, len(codes)) for each in values], dtype=np.int64)
