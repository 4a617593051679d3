"""Judging another store's candidates by what this bank knows of them."""

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lapse.index.snapshot import Snapshot
from lapse.laws import law_for
from lapse.model.instants import DAY, HOUR, Instant
from lapse.model.memory import Kind
from lapse.model.policy import (
    Diversity,
    LawName,
    Mode,
    Normalise,
    Policy,
    RelevanceKind,
    Scorer,
    StrongCue,
)
from lapse.model.query import Candidate, Reason, Scope
from lapse.model.retention import Lifecycle
from lapse.recall.overlay import Offer, rank
from lapse.recall.question import Answer, Instruments, Question
from tests.unit.index.deltas import T0, Row, terms_of
from tests.unit.recall.asking import ask, ids, policy_of, reasons, snapshot_of

EMPTY = snapshot_of()
BENT = policy_of(scoring__strong_cue=StrongCue.BENT)


def offered(
    *candidates: Candidate, erased: Sequence[int] = (), distinctions: Sequence[bytes] | None = None
) -> Offer:
    """What the engine makes of candidates: terms, digests and vectors."""
    vectors = None
    if any(each.vector is not None for each in candidates):
        width = max(len(each.vector or ()) for each in candidates)
        vectors = np.array([each.vector or (0.0,) * width for each in candidates], dtype=np.float32)
    return Offer(
        candidates=candidates,
        terms=[terms_of(each.text) for each in candidates],
        vectors=vectors,
        fingerprints=[each.text.casefold().encode() for each in candidates],
        distinctions=distinctions or [b""] * len(candidates),
        words=[len(each.text.split()) for each in candidates],
        erased=frozenset(erased),
    )


def ranked(
    offer: Offer,
    question: Question | None = None,
    policy: Policy | None = None,
    snapshot: Snapshot = EMPTY,
) -> Answer:
    policy = policy or Policy()
    instruments = Instruments(stopwatch=lambda: 0.0)
    law = law_for(policy.law)
    return rank(offer, snapshot, question or ask(), policy, law, instruments)


def told(name: str, score: float | None = None, *, hours_ago: float = 1) -> Candidate:
    return Candidate(
        id=name,
        text=f"tea {name}",
        score=score,
        created_at=Instant(T0 - round(hours_ago * HOUR)),
    )


def test_own_scores_in_the_unit_range_are_taken_as_they_are() -> None:
    answer = ranked(offered(told("a", 0.2), told("b", 0.9), told("c", 0.5)))
    assert ids(answer) == ["b", "c", "a"]
    assert [pick.explanation.base for pick in answer.picks] == [0.9, 0.5, 0.2]
    assert [pick.explanation.relevance for pick in answer.picks] == [0.9, 0.5, 0.2]


def test_own_scores_on_another_scale_are_brought_to_one_and_none_is_lost() -> None:
    answer = ranked(offered(told("a", -3.0), told("b", 11.0), told("c", 4.0)))
    assert ids(answer) == ["b", "c", "a"]
    assert [pick.explanation.base for pick in answer.picks] == [1.0, 0.5, 0.0]


def test_equal_own_scores_on_another_scale_are_one_constant() -> None:
    answer = ranked(offered(told("b", 7.0), told("a", 7.0)))
    assert ids(answer) == ["a", "b"]
    assert {pick.explanation.base for pick in answer.picks} == {0.5}


def test_a_score_of_zero_is_a_score_and_no_match() -> None:
    answer = ranked(offered(told("a", 0.0), told("b", 0.9)), ask(k=1))
    assert ids(answer) == ["b"]
    assert reasons(answer) == {"a": Reason.NO_MATCH}


def test_without_own_scores_relevance_is_the_base() -> None:
    near, far = (1.0, 0.0), (0.6, 0.8)
    candidates = [
        Candidate(id="far", text="w", vector=far, created_at=Instant(T0)),
        Candidate(id="near", text="v", vector=tuple(3 * each for each in near)),
    ]
    answer = ranked(offered(*candidates), ask("x", (1, 0)))
    assert ids(answer) == ["near", "far"]
    assert [pick.explanation.base for pick in answer.picks] == [1.0, 0.6]


def test_without_scores_and_vectors_words_are_compared() -> None:
    candidates = [Candidate(id="a", text="coffee"), Candidate(id="b", text="tea")]
    answer = ranked(offered(*candidates), ask("tea"))
    assert ids(answer) == ["b"]
    assert reasons(answer) == {"a": Reason.NO_MATCH}


@pytest.mark.parametrize("kind", list(RelevanceKind))
def test_every_way_to_measure_relevance_works_beside_another_store(kind: RelevanceKind) -> None:
    candidates = [
        Candidate(id="a", text="tea with milk", vector=(1.0, 0.0)),
        Candidate(id="b", text="ale", vector=(0.0, 1.0)),
    ]
    policy = policy_of(recall__relevance=kind)
    answer = ranked(offered(*candidates), ask("tea milk", (1, 0)), policy)
    assert ids(answer) == ["a"]
    assert 0 < answer.picks[0].explanation.relevance <= 1


def test_unknown_candidates_are_judged_from_their_own_dates() -> None:
    answer = ranked(offered(told("old", 0.5, hours_ago=40_000), told("new", 0.5)), policy=BENT)
    assert ids(answer) == ["new", "old"]
    found = {pick.id: pick.explanation for pick in answer.picks}
    assert found["old"].retrievability < 0.05 < found["new"].retrievability
    assert found["old"].anchor == T0 - 40_000 * HOUR
    undated = ranked(offered(Candidate(id="a", text="tea", score=0.5)), policy=BENT)
    assert undated.picks[0].explanation.anchor == T0


def test_a_known_candidate_has_the_strength_it_has_here() -> None:
    used = Row(row=1, id="old", age_hours=40_000, last_counted_at=T0 - DAY, uses=3, pinned=True)
    answer = ranked(
        offered(told("new", 0.5), told("old", 0.5, hours_ago=40_000)),
        policy=policy_of(scoring__scorer=Scorer.WEIGHTED, scoring__normalise=Normalise.NONE),
        snapshot=snapshot_of(used),
    )
    why = answer.picks[0].explanation
    assert ids(answer) == ["old", "new"]
    assert (why.use_count, why.last_used_at, why.retrievability) == (3, T0 - DAY, 1.0)
    assert why.flags[0] == "pinned"


def test_the_importance_of_an_unknown_candidate_is_the_one_it_brings() -> None:
    candidates = [replace(told("a", 0.5), importance=0.0), told("b", 0.5)]
    found = {pick.id: pick.explanation.importance for pick in ranked(offered(*candidates)).picks}
    assert found == {"a": 0.0, "b": 0.5}


@pytest.mark.parametrize("law", list(LawName))
def test_every_law_judges_candidates_told_once(law: LawName) -> None:
    policy = policy_of(law__name=law, scoring__strong_cue=StrongCue.BENT)
    candidates = [
        replace(told("a", 0.5, hours_ago=2000), kind=Kind.WORKING, importance=0.1),
        replace(told("b", 0.5, hours_ago=2000), kind=Kind.SEMANTIC, importance=0.9),
    ]
    answer = ranked(offered(*candidates), policy=policy)
    found = {pick.id: pick.explanation for pick in answer.picks}
    assert found["a"].retrievability <= found["b"].retrievability
    if law is LawName.EBBINGHAUS:
        stability = {name: each.stability_days for name, each in found.items()}
        assert stability == {"a": pytest.approx(30 * 0.1 * 0.6), "b": pytest.approx(30 * 2 * 1.4)}


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        (Row(row=1, id="a", lifecycle=Lifecycle.SUPPRESSED), Reason.SUPPRESSED),
        (Row(row=1, id="a", lifecycle=Lifecycle.ARCHIVED), Reason.ARCHIVED),
        (Row(row=1, id="a", valid_to=T0 - 1), Reason.SUPERSEDED),
        (Row(row=1, id="a", recorded_to=T0 - 1), Reason.RETRACTED),
        (Row(row=1, id="a", expires_at=T0), Reason.EXPIRED),
        (Row(row=1, id="a", is_latest=False), Reason.SUPERSEDED),
    ],
)
def test_what_the_bank_knows_of_an_id_or_of_a_text_keeps_it_out(row: Row, reason: Reason) -> None:
    quiet = policy_of(forgetting__revive=False)
    by_id = ranked(offered(told("a", 0.9), told("b", 0.8)), policy=quiet, snapshot=snapshot_of(row))
    assert reasons(by_id) == {"a": reason}
    same_text = snapshot_of(replace(row, id="elsewhere", text="Tea a"))
    by_text = ranked(offered(told("a", 0.9), told("b", 0.8)), policy=quiet, snapshot=same_text)
    assert reasons(by_text) == {"a": reason}
    assert ids(by_text) == ["b"]


def test_what_was_erased_here_does_not_come_back() -> None:
    answer = ranked(offered(told("a", 0.9), told("b", 0.8), erased=[0]))
    assert ids(answer) == ["b"]
    assert reasons(answer) == {"a": Reason.ERASED}


IN_SCOPE = replace(
    told("a", 0.9),
    kind=Kind.SEMANTIC,
    subject="bob",
    session="mine",
    tags=("x", "y"),
    metadata={"n": 1, "m": 2},
)


@pytest.mark.parametrize(
    ("candidate", "reason"),
    [
        (IN_SCOPE, None),
        (replace(IN_SCOPE, kind=Kind.EPISODIC), Reason.OUT_OF_SCOPE),
        (replace(IN_SCOPE, kind=None), Reason.OUT_OF_SCOPE),
        (replace(IN_SCOPE, subject=None), Reason.OUT_OF_SCOPE),
        (replace(IN_SCOPE, tags=("y",)), Reason.OUT_OF_SCOPE),
        (replace(IN_SCOPE, metadata={"n": 2}), Reason.OUT_OF_SCOPE),
        (replace(IN_SCOPE, metadata={"n": 1.0}), None),
        (replace(IN_SCOPE, metadata={"n": True}), Reason.OUT_OF_SCOPE),
        (replace(IN_SCOPE, session="other"), Reason.OTHER_SESSION),
        (replace(IN_SCOPE, created_at=Instant(T0 - 24 * HOUR)), None),
        (replace(IN_SCOPE, created_at=Instant(T0 - 24 * HOUR - 1)), Reason.TOO_OLD),
        (replace(IN_SCOPE, expires_at=Instant(T0)), Reason.EXPIRED),
        (replace(IN_SCOPE, expires_at=Instant(T0 + 1)), None),
        (replace(IN_SCOPE, valid_from=Instant(T0)), None),
        (replace(IN_SCOPE, valid_from=Instant(T0 + 1)), Reason.NOT_YET_VALID),
        (replace(IN_SCOPE, valid_to=Instant(T0)), Reason.SUPERSEDED),
        (replace(IN_SCOPE, valid_to=Instant(T0 + 1)), None),
    ],
)
def test_what_a_candidate_says_of_itself_is_held_against_the_question(
    candidate: Candidate, reason: Reason | None
) -> None:
    scope = Scope(
        kinds=(Kind.SEMANTIC,),
        subject="bob",
        session="mine",
        tags=("x",),
        metadata={"n": 1},
        max_age_hours=24,
    )
    policy = policy_of(recall__include_other_sessions=False)
    answer = ranked(offered(candidate), ask(scope=scope), policy)
    assert reasons(answer).get("a") is reason
    assert bool(answer.picks) is (reason is None)


def test_a_newer_claim_among_the_candidates_or_in_the_bank_replaces_an_older_one() -> None:
    old = replace(told("old", 0.9, hours_ago=50), key="drink")
    new = replace(told("new", 0.1, hours_ago=2), key="drink")
    answer = ranked(offered(old, new))
    assert ids(answer) == ["new"]
    assert reasons(answer) == {"old": Reason.SUPERSEDED}
    for lifecycle in (Lifecycle.ACTIVE, Lifecycle.ARCHIVED):
        begun = T0 - 2 * HOUR
        bank = snapshot_of(Row(row=1, key="drink", valid_from=begun, lifecycle=lifecycle))
        assert reasons(ranked(offered(old), snapshot=bank)) == {"old": Reason.SUPERSEDED}
    itself = snapshot_of(Row(row=1, id="old", key="drink", age_hours=2))
    assert ids(ranked(offered(old), snapshot=itself)) == ["old"]
    every = policy_of(recall__latest_per_key=False)
    assert len(ranked(offered(old, new), policy=every).picks) == 2


def test_an_id_offered_twice_is_told_once() -> None:
    answer = ranked(offered(told("a", 0.5), replace(told("a", 0.9), text="tea other")))
    assert ids(answer) == ["a"]
    assert reasons(answer) == {"a": Reason.DUPLICATE}


def test_every_candidate_is_told_or_left_out_however_many_there_are() -> None:
    candidates = [replace(told(f"c{at}", at / 200), expires_at=Instant(T0)) for at in range(1, 60)]
    candidates += [told(f"d{at}", at / 200) for at in range(1, 60)]
    answer = ranked(offered(*candidates), ask(k=5, words=9))
    assert len(answer.picks) + len(answer.exclusions) == 118
    assert ids(answer) == ["d59", "d58", "d57", "d56"]


def test_observing_and_off_keep_the_other_stores_order() -> None:
    candidates = [told("a", 0.5, hours_ago=90_000), told("b", 0.4), told("c", 0.3)]
    for mode in (Mode.OFF, Mode.OBSERVE):
        answer = ranked(offered(*candidates), policy=policy_of(forgetting__mode=mode))
        assert ids(answer) == ["a", "b", "c"]
        assert [pick.score for pick in answer.picks] == [0.5, 0.4, 0.3]


def test_relevance_is_the_cosine_and_else_the_providers_score_in_the_weighted_scorer() -> None:
    policy = policy_of(
        scoring__scorer=Scorer.WEIGHTED,
        scoring__normalise=Normalise.NONE,
        scoring__weight_recency=0.0,
        scoring__weight_importance=0.0,
    )
    answer = ranked(offered(told("a", 0.2), told("b", 0.7)), policy=policy)
    assert [(pick.id, pick.score) for pick in answer.picks] == [("b", 0.7), ("a", 0.2)]


def test_duplicates_and_diversity_apply_to_candidates() -> None:
    def candidate(name: str, angle: float, score: float) -> Candidate:
        vector = (2 * math.cos(angle), 2 * math.sin(angle))
        return Candidate(id=name, text=f"tea {name}", vector=vector, score=score)

    candidates = [candidate("a", 0, 0.9), candidate("b", 0.1, 0.8), candidate("c", 1.2, 0.7)]
    question = ask("tea", (1, 0))
    plain = ranked(offered(*candidates), question)
    assert ids(plain) == ["a", "c"]
    assert reasons(plain) == {"b": Reason.DUPLICATE}
    differing = offered(*candidates, distinctions=[b"1", b"2", b"3"])
    assert ids(ranked(differing, question)) == ["a", "b", "c"]
    spread = policy_of(recall__diversity=Diversity.MMR, recall__diversity_lambda=0.5)
    two = replace(question, k=2)
    assert ids(ranked(differing, two, spread)) == ["a", "c"]
    assert reasons(ranked(differing, two, spread)) == {"b": Reason.NOT_DIVERSE}


def test_no_candidate_gives_an_empty_answer() -> None:
    for snapshot in (EMPTY, snapshot_of(Row(row=1))):
        answer = ranked(offered(), snapshot=snapshot)
        assert answer.picks == ()
        assert list(answer.exclusions) == []


SCORES = st.one_of(st.none(), st.floats(-5, 5), st.floats(0, 1), st.just(0.0))


@given(st.lists(st.tuples(SCORES, st.integers(-10, 50_000)), max_size=15), st.integers(0, 4))
def test_any_scores_and_dates_give_finite_numbers_and_one_fate_each(
    given_: list[tuple[float | None, int]], k: int
) -> None:
    candidates = [told(f"c{at}", score, hours_ago=age) for at, (score, age) in enumerate(given_)]
    answer = ranked(offered(*candidates), ask(k=k))
    named = ids(answer) + [each.id for each in answer.exclusions]
    assert sorted(named) == sorted(each.id for each in candidates)
    for why in [
        *(pick.explanation for pick in answer.picks),
        *(each.explanation for each in answer.exclusions),
    ]:
        assert math.isfinite(why.score)
        assert why.score >= 0
        assert 0 <= why.relevance <= 1


def test_other_candidates_that_say_the_same_of_two_subjects_are_both_told() -> None:
    said = [
        Candidate(id=name, text="prefers tea", score=0.5, subject=of, key=key)
        for name, of, key in [
            ("a", "ann", None),
            ("b", "bob", None),
            ("c", "bob", None),
            ("d", "bob", "bob/drink"),
        ]
    ]
    answer = ranked(offered(*said))
    assert sorted(ids(answer)) == ["a", "b", "d"]
    assert reasons(answer) == {"c": Reason.DUPLICATE}
