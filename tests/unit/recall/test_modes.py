"""What each mode does, strong cues, near misses, why; and answers that are the same everywhere."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lapse.model.instants import DAY, HOUR
from lapse.model.policy import (
    Anchor,
    ImportanceEffect,
    LawName,
    Mode,
    Policy,
    RelevanceKind,
    StrongCue,
)
from lapse.model.query import Flag, Reason
from lapse.model.retention import Lifecycle
from lapse.recall.judging import OUTSIDE_POOL
from tests.unit.index.deltas import T0, Row
from tests.unit.recall.asking import (
    ask,
    asked_why,
    ids,
    policy_of,
    reasons,
    recalled,
    snapshot_of,
)

RANK = Policy()
OFF = policy_of(forgetting__mode=Mode.OFF)
OBSERVE = policy_of(forgetting__mode=Mode.OBSERVE)
FILTER = policy_of(forgetting__mode=Mode.FILTER)
HIDDEN = Lifecycle.SUPPRESSED
OLD = Row(row=1, text="tea long ago", age_hours=40_000, importance=0.1)
FRESH = Row(row=2, text="tea lately with very much milk", age_hours=1)


def test_strength_bends_the_order_of_comparable_memories() -> None:
    snapshot = snapshot_of(OLD, FRESH)
    bent = policy_of(scoring__strong_cue=StrongCue.BENT)
    assert ids(recalled(snapshot, policy=OFF)) == ["m1", "m2"]
    assert ids(recalled(snapshot, policy=bent)) == ["m2", "m1"]


def test_a_precise_question_brings_back_the_old() -> None:
    old = Row(row=1, text="the lunch at the harbour", age_hours=40_000, importance=0.0)
    rows = [old, *(Row(row=at, text=f"lunch number {at}") for at in range(2, 9))]
    assert ids(recalled(snapshot_of(*rows), ask("lunch harbour")))[0] == "m1"


@given(st.permutations(range(1, 9)), st.booleans())
def test_observing_orders_exactly_as_without_forgetting(order: list[int], pinned: bool) -> None:
    rows = [
        Row(
            row=at,
            text=f"tea {'x ' * (at % 4)}w{at}",
            age_hours=100 * place,
            importance=place / 9,
            pinned=pinned and at == 3,
        )
        for at, place in enumerate(order, start=1)
    ]
    snapshot = snapshot_of(*rows)
    off, observed = recalled(snapshot, policy=OFF), recalled(snapshot, policy=OBSERVE)
    assert ids(off) == ids(observed)
    assert [pick.score for pick in off.picks] == [pick.score for pick in observed.picks]
    assert reasons(off) == reasons(observed)


def test_observing_shows_what_forgetting_would_do() -> None:
    why = recalled(snapshot_of(OLD, FRESH), policy=OBSERVE).picks[0].explanation
    assert why.boost == 1
    assert why.retrievability < 0.02
    assert why.terms["forgetting_boost"] < 1.2
    assert why.half_life_days is not None


def test_without_forgetting_nothing_of_strength_is_told() -> None:
    row = replace(OLD, uses=3, last_counted_at=T0 - DAY, importance=0.9)
    why = recalled(snapshot_of(row), policy=OFF).picks[0].explanation
    assert (why.retrievability, why.need, why.boost) == (1, 1, 1)
    assert why.stability_days is why.half_life_days is why.base_level_activation is None
    assert (why.last_used_at, why.use_count, why.importance) == (None, 0, 0.5)


def test_forgetting_that_is_not_enabled_is_mode_off() -> None:
    snapshot = snapshot_of(OLD, FRESH)
    disabled = policy_of(forgetting__enabled=False, forgetting__mode=Mode.LIFECYCLE)
    assert recalled(snapshot, policy=disabled).picks == recalled(snapshot, policy=OFF).picks


def test_a_faded_memory_is_out_in_mode_filter_unless_a_strong_cue_names_it() -> None:
    snapshot = snapshot_of(OLD, replace(FRESH, text="tea"))
    answer = recalled(snapshot, ask("tea"), FILTER)
    assert ids(answer) == ["m2"]
    assert reasons(answer) == {"m1": Reason.FADED}
    named = recalled(snapshot, ask("tea long ago"), FILTER)
    assert ids(named)[0] == "m1"
    assert Flag.STRONG_CUE in named.picks[0].explanation.flags
    assert "m1" in ids(recalled(snapshot, ask("tea"), RANK))


def test_the_threshold_of_mode_filter_is_the_laws_own_unless_the_policy_has_one() -> None:
    snapshot = snapshot_of(FRESH, replace(OLD, text="coffee tea x y z", age_hours=24 * 200))
    level = recalled(snapshot, ask("tea milk"), RANK).picks[-1].explanation.retrievability
    for threshold, told in ((level * 0.99, True), (level * 1.01, False)):
        policy = policy_of(forgetting__mode=Mode.FILTER, forgetting__recall_threshold=threshold)
        assert ("m1" in ids(recalled(snapshot, ask("tea milk"), policy))) is told


def test_what_is_spared_never_fades_away() -> None:
    rows = [
        Row(row=1, text="tea"),
        replace(OLD, row=2, text="tea w2", pinned=True),
        replace(OLD, row=3, text="tea w3", verified=True),
        replace(OLD, row=4, text="tea w4", exempt=True),
    ]
    answer = recalled(snapshot_of(*rows), policy=FILTER)
    assert set(ids(answer)) == {"m1", "m2", "m3", "m4"}


def test_a_suppressed_memory_is_left_out_and_a_strong_cue_shows_it_apart() -> None:
    rows = [Row(row=1, text="secret garden", lifecycle=HIDDEN), Row(row=2, text="garden")]
    snapshot = snapshot_of(*rows)
    vague = recalled(snapshot, ask("garden of many other things", k=1))
    assert vague.revived == ()
    assert reasons(vague)["m1"] is Reason.SUPPRESSED
    named = recalled(snapshot, ask("secret garden", k=1, words=1))
    assert ids(named) == ["m2"]
    assert [pick.id for pick in named.revived] == ["m1"]
    assert "m1" not in reasons(named)


def test_at_most_two_are_revived_the_best_first_and_only_if_the_policy_allows() -> None:
    rows = [Row(row=at, text="secret garden" + " x" * at, lifecycle=HIDDEN) for at in (1, 2, 3)]
    snapshot = snapshot_of(*rows)
    cue = ask("secret garden")
    tied = snapshot_of(*(replace(r, text="secret garden", row=r.row) for r in rows))
    assert [pick.id for pick in recalled(snapshot, cue).revived] == ["m1", "m2"]
    assert len(recalled(tied, cue).revived) == 2
    assert recalled(snapshot, cue, policy_of(forgetting__revive=False)).revived == ()
    assert recalled(snapshot, cue, policy_of(forgetting__revive_limit=1)).revived[0].id == "m1"
    assert recalled(snapshot, cue, OFF).revived == ()


def test_a_suppressed_memory_that_is_also_out_of_date_is_not_revived() -> None:
    row = Row(row=1, text="secret garden", lifecycle=HIDDEN, expires_at=T0)
    answer = recalled(snapshot_of(row), ask("secret garden"))
    assert answer.revived == ()
    assert reasons(answer) == {"m1": Reason.EXPIRED}


def test_suppressed_memories_are_revived_even_behind_many_nearer_misses() -> None:
    expired = [Row(row=at, text="secret garden", expires_at=T0) for at in range(1, 80)]
    row = Row(row=99, text="secret garden far", lifecycle=HIDDEN)
    answer = recalled(snapshot_of(*expired, row), ask("secret garden"))
    assert [pick.id for pick in answer.revived] == ["m99"]
    assert len(answer.exclusions) == 20


def test_near_misses_are_the_best_of_what_the_filters_took_out() -> None:
    angles = [at / 100 for at in range(1, 40)]
    rows = [
        Row(row=at, text=f"w{at}", vector=(math.cos(a), math.sin(a)), expires_at=T0)
        for at, a in enumerate(angles, start=1)
    ]
    answer = recalled(snapshot_of(*rows, Row(row=50, vector=(1, 0))), ask("x", (1, 0)))
    assert [each.id for each in answer.exclusions] == [f"m{at}" for at in range(1, 21)]
    assert {each.reason for each in answer.exclusions} == {Reason.EXPIRED}
    assert recalled(snapshot_of(*rows), policy=policy_of(recall__near_misses=0)).exclusions[:] == ()


def test_nothing_relevant_gives_an_empty_tray() -> None:
    rows = [Row(row=at, text=f"w{at}", vector=(0.1, math.sqrt(0.99))) for at in range(1, 9)]
    policy = policy_of(recall__min_relevance=0.3)
    snapshot = snapshot_of(*rows, Row(row=9, text="x", vector=(0.9, math.sqrt(0.19))))
    assert ids(recalled(snapshot, ask("nothing of it", (0.995, -0.0999)), policy)) == ["m9"]
    assert recalled(snapshot, ask("nothing of it", (0, -1)), policy).picks == ()
    assert recalled(snapshot_of(), ask("tea")).picks == ()


@pytest.mark.parametrize("kind", list(RelevanceKind))
def test_a_question_without_a_vector_goes_on_with_its_words(kind: RelevanceKind) -> None:
    rows = [Row(row=1, text="tea", vector=(1, 0)), Row(row=2, text="ale", vector=(0, 1))]
    policy = policy_of(recall__relevance=kind)
    for vector in (None, (0.0, 0.0), (1.0, 0.0, 0.0)):
        answer = recalled(snapshot_of(*rows), ask("tea", vector), policy)
        assert ids(answer) == ["m1"]
        assert answer.picks[0].explanation.relevance == 1


def test_a_memory_without_a_vector_is_found_by_its_words_and_says_so() -> None:
    rows = [Row(row=1, text="tea"), Row(row=2, text="ale", vector=(1, 0))]
    answer = recalled(snapshot_of(*rows), ask("tea", (0.9, math.sqrt(0.19))))
    found = {pick.id: pick.explanation for pick in answer.picks}
    assert Flag.NO_VECTOR in found["m1"].flags
    assert found["m1"].cosine is None
    assert found["m1"].relevance == found["m1"].coverage == 1
    assert Flag.NO_VECTOR not in found["m2"].flags


def test_k_is_exact_when_recency_and_similarity_disagree() -> None:
    near = [Row(row=at, text="tea tea", age_hours=5000) for at in range(1, 11)]
    new = [Row(row=at, text=f"x{at} y z tea", age_hours=0) for at in range(11, 21)]
    rows = [replace(each, text=f"{each.text} w{each.row}") for each in (*near, *new)]
    snapshot = snapshot_of(*rows)
    for k, told in ((3, 3), (0, 0), (100, 20)):
        answer = recalled(snapshot, ask(k=k))
        assert len(set(ids(answer))) == len(answer.picks) == told


def test_equals_are_told_newer_first_and_then_by_id_in_any_order_of_arrival() -> None:
    generator = np.random.default_rng(7)
    rows = [Row(row=at, text=f"tea w{at}", id=f"id{at:02}", age_hours=1) for at in range(1, 21)]
    rows[4] = replace(rows[4], recorded_from=T0)
    for _ in range(5):
        order = generator.permutation(20).tolist()
        shuffled = [replace(rows[i], row=at) for at, i in enumerate(order, start=1)]
        answer = recalled(snapshot_of(*shuffled), ask(k=3))
        assert ids(answer) == ["id05", "id01", "id02"]


def test_a_rebuilt_index_gives_the_same_answer_to_the_last_bit() -> None:
    generator = np.random.default_rng(7)
    vectors = generator.standard_normal((60, 256)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    rows = [
        Row(row=at, text=f"tea w{at % 7} x{at % 5}", id=f"a{at}", vector=v.tolist())
        for at, v in enumerate(vectors, start=1)
    ]
    question = ask("tea w1 x2", vectors[3].tolist())
    backwards = [replace(r, row=61 - r.row, recorded_from=r.created_at) for r in rows]
    one, other = (recalled(snapshot_of(*each), question) for each in (rows, backwards))
    assert [(p.id, p.score, p.explanation) for p in one.picks] == [
        (p.id, p.score, p.explanation) for p in other.picks
    ]
    assert one.exclusions == other.exclusions


def test_why_answers_for_a_hit_a_miss_and_what_no_list_holds() -> None:
    rows = [Row(row=at, text="tea" + " x" * at) for at in range(1, 30)]
    rows += [Row(row=30, text="ale"), Row(row=31, text="tea gone", expires_at=T0)]
    policy = policy_of(recall__pool_minimum=5, recall__pool_factor=1, recall__near_misses=0)
    snapshot, question = snapshot_of(*rows), ask(k=2)
    seen = {name: asked_why(snapshot, name, question, policy) for name in ("m1", "m4", "m9")}
    assert [(each.rank, each.reason, each.detail) for each in seen.values() if each] == [
        (1, None, ""),
        (None, Reason.OVER_COUNT, ""),
        (None, Reason.OVER_COUNT, OUTSIDE_POOL),
    ]
    unlike, expired = (asked_why(snapshot, name, question, policy) for name in ("m30", "m31"))
    assert unlike is not None
    assert expired is not None
    assert (unlike.reason, expired.reason) == (Reason.NO_MATCH, Reason.EXPIRED)
    assert asked_why(snapshot, "nobody", question, policy) is None


def test_why_tells_of_a_suppressed_memory_whether_it_was_revived() -> None:
    rows = [Row(row=1, text="secret garden", lifecycle=HIDDEN), Row(row=2, text="garden")]
    snapshot = snapshot_of(*rows)
    found = [asked_why(snapshot, "m1", ask(text)) for text in ("secret garden", "garden of trees")]
    assert [(each.reason, each.rank, each.detail) for each in found if each] == [
        (Reason.SUPPRESSED, None, "revived"),
        (Reason.SUPPRESSED, None, ""),
    ]


def test_why_answers_in_every_mode_for_what_has_no_relevance_at_all() -> None:
    snapshot = snapshot_of(Row(row=1, text="tea", vector=(1, 0)), Row(row=2, vector=(-1, 0)))
    for mode in Mode:
        verdict = asked_why(snapshot, "m2", ask("x", (1, 0)), policy_of(forgetting__mode=mode))
        assert verdict is not None
        assert verdict.reason is Reason.NO_MATCH
        assert verdict.explanation.cosine == -1


@pytest.mark.parametrize(
    ("anchor", "expected"),
    [(Anchor.LAST_USE, T0 - DAY), (Anchor.CREATED, T0 - 9 * DAY), (Anchor.EVENT, T0 - 30 * DAY)],
)
def test_age_counts_from_the_policys_anchor(anchor: Anchor, expected: int) -> None:
    row = Row(
        row=1,
        age_hours=9 * 24,
        occurred_at=T0 - 30 * DAY,
        last_counted_at=T0 - DAY if anchor is not Anchor.EVENT else None,
        uses=1,
        stability_days=1.0,
    )
    policy = policy_of(law__name=LawName.EXPONENTIAL, law__anchor=anchor)
    why = recalled(snapshot_of(row), policy=policy).picks[0].explanation
    assert why.anchor == expected
    assert why.retrievability == pytest.approx(0.995 ** ((T0 - expected) / HOUR))


def test_well_founded_memories_decay_more_slowly_where_importance_slows_decay() -> None:
    policy = policy_of(law__importance_effect=ImportanceEffect.DECAY)
    rows = [
        Row(row=1, text="tea a", age_hours=4000),
        Row(row=2, text="tea b", age_hours=4000, confidence=1.0, proof_count=5),
    ]
    answer = recalled(snapshot_of(*rows), policy=policy)
    found = {pick.id: pick.explanation for pick in answer.picks}
    assert found["m1"].retrievability < found["m2"].retrievability
    assert (found["m1"].half_life_days or 0) < (found["m2"].half_life_days or 0)


def test_asking_why_does_not_change_what_would_be_answered() -> None:
    rows = [Row(row=at, text="tea" + " x" * at, age_hours=at) for at in range(1, 30)]
    policy = policy_of(recall__pool_minimum=5, recall__pool_factor=1)
    snapshot = snapshot_of(*rows)
    answer = recalled(snapshot, ask(k=3), policy)
    for rank, pick in enumerate(answer.picks, start=1):
        verdict = asked_why(snapshot, pick.id, ask(k=3), policy)
        assert verdict is not None
        assert (verdict.rank, verdict.explanation) == (rank, pick.explanation)


def test_explanations_can_be_kept_short() -> None:
    long = recalled(snapshot_of(OLD, FRESH)).picks
    short = recalled(snapshot_of(OLD, FRESH), policy=policy_of(recall__explain=False)).picks
    assert [pick.score for pick in long] == [pick.score for pick in short]
    assert [p.explanation.retrievability for p in long] == [
        p.explanation.retrievability for p in short
    ]
    assert long[0].explanation.half_life_days is not None
    assert short[0].explanation.half_life_days is None


def test_the_half_life_told_is_the_laws_for_hits_and_misses_alike() -> None:
    rows = [
        Row(row=at, text=f"tea {at}", age_hours=at * 50, importance=at / 10) for at in range(1, 9)
    ]
    answer = recalled(snapshot_of(*rows), ask(k=8))
    told = {pick.id: pick.explanation.half_life_days for pick in answer.picks}
    cut = recalled(snapshot_of(*rows), ask(k=1))
    left = {each.id: each.explanation.half_life_days for each in cut.exclusions}
    assert len(left) == 7
    for name, half_life in left.items():
        assert half_life == pytest.approx(told[name], rel=1e-9)
