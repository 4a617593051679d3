"""Recall and its formulas against the same rules written out memory by memory."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lapse.model.index_delta import FloatArray
from lapse.model.memory import Kind
from lapse.model.policy import Policy, RelevanceKind, StrongCue
from lapse.model.query import Scope
from lapse.model.retention import Lifecycle
from lapse.recall.relevance import bm25, coverage, query_terms, term_weights, tfidf_cosine
from lapse.recall.scope import REASONS, Gate
from tests.unit.index.deltas import T0, Row, terms_of
from tests.unit.recall.asking import ask, ids, policy_of, reasons, recalled, snapshot_of
from tests.unit.recall.naive import Naive, reason_of

WORDS = st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=6).map(" ".join)
TURNS = (0.0, 0.1, 0.3, 0.9, 1.6, 2.5, 3.1)
VECTORS = st.one_of(
    st.none(), st.sampled_from([(math.cos(t), math.sin(t)) for t in TURNS]), st.just((0.0, 0.0))
)
INSTANTS = st.one_of(st.none(), st.none(), st.integers(T0 - 2, T0 + 2))
ROWS = st.lists(
    st.builds(
        Row,
        row=st.just(0),
        text=WORDS,
        age_hours=st.sampled_from([-1, 0, 1, 1, 24, 2000]),
        kind=st.sampled_from([Kind.SEMANTIC, Kind.EPISODIC]),
        key=st.sampled_from([None, None, None, "k", "l"]),
        session=st.sampled_from([None, "s", "t"]),
        subject=st.sampled_from([None, "bob"]),
        tags=st.sampled_from([(), ("x",), ("x", "y")]),
        metadata=st.sampled_from([{}, {"n": 1}, {"n": True}, {"n": "1"}]),
        valid_from=INSTANTS,
        valid_to=INSTANTS,
        recorded_to=st.sampled_from([None, None, None, T0 - 1]),
        expires_at=INSTANTS,
        is_latest=st.sampled_from([True, True, True, False]),
        vector=VECTORS,
        importance=st.sampled_from([None, 0.0, 0.5, 1.0]),
        pinned=st.sampled_from([False, False, False, True]),
        distinctions=st.sampled_from([b"", b"7"]),
        lifecycle=st.sampled_from(
            [Lifecycle.ACTIVE, Lifecycle.ACTIVE, Lifecycle.SUPPRESSED, Lifecycle.ARCHIVED]
        ),
    ),
    max_size=14,
).map(lambda rows: [replace(each, row=at) for at, each in enumerate(rows, start=1)])
# Most of these pass every filter, so that orders are long and ties, pins and duplicates common.
OPEN_ROWS = st.lists(
    st.builds(
        Row,
        row=st.just(0),
        text=st.sampled_from(["a", "a b", "b", "a b c", "A", "d", "a a"]),
        age_hours=st.sampled_from([0, 1, 1, 2000]),
        key=st.sampled_from([None] * 7 + ["k"]),
        subject=st.sampled_from([None] * 7 + ["bob"]),
        vector=VECTORS,
        importance=st.sampled_from([None, 0.0, 1.0]),
        pinned=st.sampled_from([False] * 4 + [True]),
        distinctions=st.sampled_from([b"", b"", b"7"]),
        lifecycle=st.sampled_from([Lifecycle.ACTIVE] * 7 + [Lifecycle.SUPPRESSED]),
    ),
    min_size=3,
    max_size=14,
).map(lambda rows: [replace(each, row=at) for at, each in enumerate(rows, start=1)])
SCOPES = st.builds(
    Scope,
    kinds=st.sampled_from([(), (), (Kind.SEMANTIC,)]),
    session=st.sampled_from([None, "s"]),
    subject=st.sampled_from([None, None, "bob"]),
    tags=st.sampled_from([(), (), ("x",), ("x", "y"), ("z",)]),
    metadata=st.sampled_from([{}, {}, {"n": 1}, {"n": "1"}, {"n": 1.0}]),
    max_age_hours=st.sampled_from([None, None, 0, 1, 24]),
)


def close(found: FloatArray, expected: list[float]) -> bool:
    return bool(np.allclose(found, expected, rtol=1e-12, atol=1e-15))


@given(ROWS, WORDS, st.sampled_from([0.0, 1.2, 2.0]), st.sampled_from([0.0, 0.75, 1.0]))
def test_bm25_and_tfidf_and_coverage_are_their_formulas(
    rows: list[Row], query: str, k1: float, b: float
) -> None:
    snapshot = snapshot_of(*rows)
    naive = Naive(rows, policy_of(recall__bm25_k1=k1, recall__bm25_b=b))
    terms = terms_of(query)
    asked = query_terms(snapshot.postings, terms)
    slots = np.arange(len(snapshot.live), dtype=np.int64)
    weights = term_weights(snapshot.postings, asked, k1, b)
    assert close(bm25(weights, len(slots)), [naive.bm25(r, terms) for r in naive.rows])
    assert close(coverage(weights, asked, slots), [naive.coverage(r, terms) for r in naive.rows])
    assert close(
        tfidf_cosine(snapshot.postings, asked), [naive.tfidf(r, terms) for r in naive.rows]
    )


@pytest.mark.parametrize("size", [40, 700])
def test_rare_and_common_terms_are_weighed_alike_the_first_time_and_the_second(size: int) -> None:
    rows = [Row(row=at, text=f"a {'b ' * (at % 5)}r{at} s{at % 40}") for at in range(1, size + 1)]
    snapshot = snapshot_of(*rows, Row(row=size + 1, text="c", lifecycle=Lifecycle.ARCHIVED))
    postings, slots = snapshot.postings, np.arange(size, dtype=np.int64)
    terms = terms_of("a a r7 s3 b nowhere c")
    asked = query_terms(postings, terms)
    naive = Naive(rows, Policy())
    some = [2, 6, 9, 33, size - 1]
    for _ in range(2):
        weights = term_weights(postings, asked, 1.2, 0.75)
        assert {each.dense for each in weights} == {True, False}
        found = bm25(weights, size)
        assert close(found[some], [naive.bm25(rows[at], terms) for at in some])
        covered = coverage(weights, asked, slots)
        assert close(covered[some], [naive.coverage(rows[at], terms) for at in some])


@given(ROWS, SCOPES, st.booleans(), st.booleans())
def test_the_first_reason_of_every_row_is_the_rule_applied_to_it_alone(
    rows: list[Row], scope: Scope, sessions: bool, latest: bool
) -> None:
    # 1 and true are the same to Python and different in JSON, so the rule cannot be naive there.
    rows = [each for each in rows if each.metadata.get("n") is not True]
    policy = policy_of(recall__include_other_sessions=sessions, recall__latest_per_key=latest)
    snapshot = snapshot_of(*rows)
    gate = Gate(snapshot=snapshot, question=ask(scope=scope), policy=policy.recall)
    live = [each for each in rows if each.lifecycle is not Lifecycle.ARCHIVED]
    expected = [reason_of(each, rows, scope, policy, T0) for each in live]
    slots = np.arange(len(live), dtype=np.int64)
    assert [REASONS[code] for code in gate.reasons(slots).tolist()] == expected
    assert gate.passing().tolist() == [reason is None for reason in expected]


@pytest.mark.parametrize("kind", list(RelevanceKind))
@settings(max_examples=70)
@given(
    rows=st.one_of(OPEN_ROWS, OPEN_ROWS, ROWS),
    query=st.sampled_from(["a", "b", "a b", "c a", "b d e", "e"]),
    vector=VECTORS,
    k=st.integers(1, 4),
    pool=st.integers(1, 9),
)
def test_orders_and_reasons_are_those_of_the_rules_written_out(
    kind: RelevanceKind,
    rows: list[Row],
    query: str,
    vector: tuple[float, ...] | None,
    k: int,
    pool: int,
) -> None:
    policy = policy_of(
        recall__relevance=kind,
        recall__pool_minimum=pool,
        recall__pool_factor=1,
        recall__near_misses=100,
        scoring__strong_cue=StrongCue.BENT,
        forgetting__revive=False,
    )
    answer = recalled(snapshot_of(*rows), ask(query, vector, k=k), policy)
    usable = vector if vector is not None and any(vector) else None
    if not any(each.vector is not None for each in rows):
        usable = None
    expected = Naive(rows, policy).order(terms_of(query), usable, Scope(), T0, k)
    assert (ids(answer), reasons(answer)) == expected


@given(st.one_of(OPEN_ROWS, ROWS), WORDS, VECTORS, st.integers(0, 5))
def test_every_candidate_is_one_hit_or_one_exclusion_and_no_id_comes_twice(
    rows: list[Row], query: str, vector: tuple[float, ...] | None, k: int
) -> None:
    answer = recalled(snapshot_of(*rows), ask(query, vector, k=k), Policy())
    named = ids(answer) + [each.id for each in answer.revived] + list(reasons(answer))
    assert len(answer.exclusions) == len(reasons(answer))
    assert len(named) == len(set(named))
    assert len(answer.picks) <= k
    explained = [each.explanation for each in answer.picks]
    for why in [*explained, *(each.explanation for each in answer.exclusions)]:
        assert 0 <= why.relevance <= 1
        assert 0 <= why.retrievability <= 1
        assert 0 <= why.coverage <= 1
        assert math.isfinite(why.score)
        assert why.score >= 0
