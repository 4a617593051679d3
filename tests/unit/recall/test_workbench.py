"""The teaching workbench's ten records and everything its page says of them.

Two teams' records, each team a bank of its own. The texts are ours; ages, keys, lengths and
sessions are such that the page's statements can be made. No question here uses a stop word.
"""

from dataclasses import replace
from typing import Any

import pytest

from lapse.index.snapshot import Snapshot
from lapse.model import presets
from lapse.model.memory import Kind
from lapse.model.policy import Policy
from lapse.model.query import Reason, Scope
from lapse.recall.question import Answer
from tests.unit.index.deltas import T0, Row, terms_of
from tests.unit.recall.asking import ask, asked_why, ids, reasons, recalled, snapshot_of
from tests.unit.recall.naive import Naive

NOW_SESSION, EARLIER = "today", "last week"
SEMANTIC, EPISODIC = Kind.SEMANTIC, Kind.EPISODIC
RETRY = "retry policy attempts allowed"


TEAM_A = [
    Row(
        row=1,
        id="M1",
        text="retry policy allows three attempts now",
        age_hours=2,
        key="retry",
        session=EARLIER,
    ),
    Row(
        row=2,
        id="M2",
        text="deploys go out on tuesday mornings after the review",
        age_hours=30,
        session=EARLIER,
    ),
    Row(
        row=3,
        id="M3",
        text="yesterday the retry storm hit the payment queue",
        age_hours=20,
        kind=EPISODIC,
    ),
    Row(
        row=4,
        id="M4",
        text="to roll back press the red button twice",
        age_hours=90,
        kind=Kind.PROCEDURAL,
    ),
    Row(
        row=5,
        id="M5",
        text="draft of the retry note is open in the editor",
        age_hours=1,
        kind=Kind.WORKING,
    ),
    Row(
        row=6,
        id="M6",
        text="retry policy allows five attempts",
        age_hours=120,
        key="retry",
        session=EARLIER,
    ),
    Row(
        row=7,
        id="M7",
        text="lunch was ordered for twelve people",
        age_hours=48,
        kind=EPISODIC,
        session=NOW_SESSION,
    ),
    Row(
        row=8, id="M8", text="the on call phone is kept by dana", age_hours=10, session=NOW_SESSION
    ),
]
TEAM_B = [
    Row(
        row=9,
        id="M9",
        text="retry policy allows nine attempts",
        age_hours=3,
        key="retry",
        session=EARLIER,
    ),
    Row(row=10, id="M10", text="invoices are paid on the first", age_hours=60, session=EARLIER),
]


@pytest.fixture(scope="module")
def team_a() -> Snapshot:
    return snapshot_of(*TEAM_A)


def bench(**recall: object) -> Policy:
    """The workbench's policy as the page sets it, with its controls changed."""
    policy = presets.workbench()
    controls: dict[str, Any] = {"latest_per_key": True, "include_other_sessions": True, **recall}
    weight = controls.pop("recency_weight", 0.0)
    return replace(
        policy,
        recall=replace(policy.recall, **controls),
        scoring=replace(policy.scoring, blend_recency_weight=weight),
    )


def tray(snapshot: Snapshot, policy: Policy, *, age: float = 168, words: int = 80) -> Answer:
    """Ask the retry question of team A's semantic facts."""
    scope = Scope(kinds=(SEMANTIC,), session=NOW_SESSION, max_age_hours=age)
    return recalled(snapshot, ask(RETRY, k=10, words=words, scope=scope), policy)


def test_both_policies_are_retrieved_until_only_the_latest_fact_is_kept(team_a: Snapshot) -> None:
    every, latest = bench(latest_per_key=False), bench(latest_per_key=True)
    assert set(ids(tray(team_a, every))) == {"M1", "M6"}
    kept = tray(team_a, latest)
    assert ids(kept) == ["M1"]
    assert reasons(kept)["M6"] is Reason.SUPERSEDED
    assert set(ids(tray(team_a, every))) == {"M1", "M6"}


def test_the_age_boundary_is_exact_for_either_policy(team_a: Snapshot) -> None:
    every = bench(latest_per_key=False)
    assert "M6" in ids(tray(team_a, every, age=120))
    younger = tray(team_a, every, age=119)
    assert "M6" not in ids(younger)
    assert reasons(younger)["M6"] is Reason.TOO_OLD
    assert ids(tray(team_a, every, age=2)) == ["M1"]
    assert ids(tray(team_a, every, age=1)) == []


def test_six_words_fit_exactly_five_do_not_and_nothing_stale_takes_the_place(
    team_a: Snapshot,
) -> None:
    assert ids(tray(team_a, bench(), words=6)) == ["M1"]
    short = tray(team_a, bench(), words=5)
    assert ids(short) == []
    assert reasons(short)["M1"] is Reason.OVER_BUDGET
    assert reasons(short)["M6"] is Reason.SUPERSEDED
    assert ids(tray(team_a, bench(), words=80)) == ["M1"]


def test_without_previous_sessions_both_are_outside_and_say_why(team_a: Snapshot) -> None:
    answer = tray(team_a, bench(include_other_sessions=False))
    assert ids(answer) == []
    assert {reasons(answer)[each] for each in ("M1", "M6")} == {Reason.OTHER_SESSION}


def test_a_stale_fact_is_not_brought_back_by_an_age_limit_that_hides_the_new_one() -> None:
    new, old = (each for each in TEAM_A if each.key)
    swapped = [replace(new, expires_at=T0), old]
    answer = tray(snapshot_of(*swapped), bench())
    assert ids(answer) == []
    assert reasons(answer) == {"M1": Reason.EXPIRED, "M6": Reason.SUPERSEDED}


def test_teams_cannot_select_one_anothers_records(team_a: Snapshot) -> None:
    other = snapshot_of(*TEAM_B)
    assert ids(tray(other, bench())) == ["M9"]
    named = ids(tray(team_a, bench())) + list(reasons(tray(team_a, bench())))
    assert not {"M9", "M10"} & set(named)
    assert asked_why(team_a, "M9") is None


def test_scopes_choose_the_store_of_memory(team_a: Snapshot) -> None:
    for kind, expected in ((EPISODIC, {"M3"}), (Kind.WORKING, {"M5"}), (Kind.PROCEDURAL, set())):
        answer = recalled(team_a, ask("retry", k=10, scope=Scope(kinds=(kind,))), bench())
        assert set(ids(answer)) == expected


def test_the_cosine_told_is_the_tf_idf_cosine(team_a: Snapshot) -> None:
    naive = Naive(TEAM_A, bench())
    answer = tray(team_a, bench(latest_per_key=False))
    for pick in answer.picks:
        row = next(each for each in TEAM_A if each.name == pick.id)
        expected = naive.tfidf(row, terms_of(RETRY))
        assert pick.explanation.relevance == pytest.approx(expected, abs=1e-6)
        assert pick.score == pytest.approx(expected, abs=1e-6)


def test_the_recency_weight_blends_and_never_admits_what_shares_no_word(team_a: Snapshot) -> None:
    half = tray(team_a, bench(latest_per_key=False, recency_weight=0.5))
    for pick in half.picks:
        age = 2 if pick.id == "M1" else 120
        blended = 0.5 * pick.explanation.relevance + 0.5 * 2 ** (-age / 24)
        assert pick.score == pytest.approx(blended, abs=1e-6)
    alone = tray(team_a, bench(latest_per_key=False, recency_weight=1.0))
    assert ids(alone) == ["M1", "M6"]
    assert alone.picks[0].score == pytest.approx(2 ** (-2 / 24), abs=1e-6)
    assert "M8" not in ids(alone)


def test_packing_goes_on_after_what_does_not_fit(team_a: Snapshot) -> None:
    scope = Scope(max_age_hours=168)
    question = ask("retry", k=10, words=13, scope=scope)
    answer = recalled(team_a, question, bench(latest_per_key=False))
    assert sum(pick.words for pick in answer.picks) <= 13
    left = reasons(answer)
    assert Reason.OVER_BUDGET in left.values()
    assert ids(answer)[0] == "M6"


def test_excluded_records_are_not_deleted(team_a: Snapshot) -> None:
    tray(team_a, bench(), words=0)
    for row in TEAM_A:
        assert team_a.live.find(row.name) is not None
