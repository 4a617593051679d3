"""Hard filters at their edges, at two times, and always before the cut."""

import pytest

from lapse.model.instants import HOUR
from lapse.model.memory import Kind
from lapse.model.policy import RelevanceKind
from lapse.model.query import Reason, Scope
from lapse.model.retention import Lifecycle
from tests.unit.index.deltas import T0, Row
from tests.unit.recall.asking import ask, ids, policy_of, reasons, recalled, snapshot_of


@pytest.mark.parametrize(("max_age_hours", "told"), [(120, True), (119.9999, False), (0, False)])
def test_an_age_limit_is_inclusive(max_age_hours: float, told: bool) -> None:
    question = ask(scope=Scope(max_age_hours=max_age_hours))
    answer = recalled(snapshot_of(Row(row=1, age_hours=120)), question)
    assert bool(answer.picks) is told
    if not told:
        assert reasons(answer) == {"m1": Reason.TOO_OLD}


def test_the_policys_age_limit_holds_where_the_question_names_none() -> None:
    policy = policy_of(recall__max_age_hours=10.0)
    snapshot = snapshot_of(Row(row=1, age_hours=11))
    assert reasons(recalled(snapshot, policy=policy)) == {"m1": Reason.TOO_OLD}
    assert ids(recalled(snapshot, ask(scope=Scope(max_age_hours=11)), policy)) == ["m1"]


@pytest.mark.parametrize(("expires_at", "told"), [(T0, False), (T0 + 1, True), (None, True)])
def test_a_memory_expires_at_its_instant(expires_at: int | None, told: bool) -> None:
    answer = recalled(snapshot_of(Row(row=1, expires_at=expires_at)))
    assert bool(answer.picks) is told
    assert reasons(answer) == ({} if told else {"m1": Reason.EXPIRED})


@pytest.mark.parametrize(
    ("at", "reason"),
    [(9, Reason.NOT_YET_VALID), (10, None), (19, None), (20, Reason.SUPERSEDED)],
)
def test_validity_is_half_open_at_the_time_asked_about(at: int, reason: Reason | None) -> None:
    row = Row(row=1, valid_from=T0 + 10, valid_to=T0 + 20)
    answer = recalled(snapshot_of(row), ask(valid=T0 + at))
    assert reasons(answer).get("m1") is reason
    assert bool(answer.picks) is (reason is None)


@pytest.mark.parametrize(
    ("at", "reason"),
    [(9, Reason.NOT_YET_VALID), (10, None), (19, None), (20, Reason.RETRACTED)],
)
def test_what_was_known_is_half_open_at_the_time_asked_about(
    at: int, reason: Reason | None
) -> None:
    row = Row(row=1, recorded_from=T0 + 10, recorded_to=T0 + 20)
    answer = recalled(snapshot_of(row), ask(recorded=T0 + at))
    assert reasons(answer).get("m1") is reason


def test_what_another_clock_recorded_a_moment_ahead_is_known_now() -> None:
    ahead = Row(row=1, age_hours=-1, recorded_from=T0 + 5)
    assert ids(recalled(snapshot_of(ahead))) == ["m1"]


def test_a_retraction_counts_at_once_whatever_clock_wrote_it() -> None:
    answer = recalled(snapshot_of(Row(row=1, recorded_to=T0 + 5)))
    assert reasons(answer) == {"m1": Reason.RETRACTED}


OLD = Row(row=1, text="tea old", key="drink", age_hours=120)
NEW = Row(row=2, text="tea new", key="drink", age_hours=2)


def test_an_older_claim_is_out_and_comes_back_when_all_claims_are_asked_for() -> None:
    snapshot = snapshot_of(OLD, NEW)
    assert ids(recalled(snapshot)) == ["m2"]
    assert reasons(recalled(snapshot)) == {"m1": Reason.SUPERSEDED}
    policy = policy_of(recall__latest_per_key=False)
    assert set(ids(recalled(snapshot, policy=policy))) == {"m1", "m2"}


def test_a_replaced_claim_that_was_closed_comes_back_when_all_claims_are_asked_for() -> None:
    closed = Row(row=1, text="tea old", key="drink", valid_to=T0 - 5, is_latest=False)
    ended = Row(row=3, text="tea until then", valid_to=T0 - 5)
    answer = recalled(
        snapshot_of(closed, NEW, ended), policy=policy_of(recall__latest_per_key=False)
    )
    assert set(ids(answer)) == {"m1", "m2"}
    assert reasons(answer) == {"m3": Reason.SUPERSEDED}


@pytest.mark.parametrize(
    "newer",
    [
        Row(row=2, text="tea new", key="drink", age_hours=2, lifecycle=Lifecycle.SUPPRESSED),
        Row(row=2, text="tea new", key="drink", age_hours=2, lifecycle=Lifecycle.ARCHIVED),
        Row(row=2, text="tea new", key="drink", age_hours=2, expires_at=T0),
        Row(row=2, text="tea new", key="drink", age_hours=2, valid_to=T0 - 1),
        Row(row=2, text="tea new", key="drink", age_hours=2, session="other"),
    ],
)
def test_an_older_claim_stays_out_when_the_newer_one_is_kept_out_by_something_else(
    newer: Row,
) -> None:
    answer = recalled(
        snapshot_of(OLD, newer),
        ask(scope=Scope(session="mine")),
        policy_of(recall__include_other_sessions=True),
    )
    assert reasons(answer)["m1"] is Reason.SUPERSEDED


@pytest.mark.parametrize(
    "newer",
    [
        Row(row=2, text="tea new", key="drink", age_hours=2, recorded_to=T0 - 1),
        Row(row=2, text="tea new", key="drink", age_hours=2, valid_from=T0 + 1),
        Row(row=2, text="tea new", key="food", age_hours=2),
    ],
)
def test_an_older_claim_stands_while_the_newer_one_does_not_count(newer: Row) -> None:
    assert "m1" in ids(recalled(snapshot_of(OLD, newer)))


def test_a_later_start_is_newer_than_a_later_telling() -> None:
    moved = Row(row=1, text="tea moved", key="home", valid_from=T0 - 10, age_hours=50)
    late = Row(row=2, text="tea earlier", key="home", valid_from=T0 - 90, age_hours=0)
    assert ids(recalled(snapshot_of(moved, late))) == ["m1"]


def test_what_held_then_is_told_of_then() -> None:
    first = Row(row=1, text="tea first", key="home", valid_from=T0 - 90)
    second = Row(row=2, text="tea second", key="home", valid_from=T0 - 10)
    snapshot = snapshot_of(first, second)
    assert ids(recalled(snapshot, ask(valid=T0 - 50))) == ["m1"]
    assert ids(recalled(snapshot, ask(valid=T0 - 10))) == ["m2"]
    assert ids(recalled(snapshot)) == ["m2"]


def test_what_was_believed_then_is_told_of_then() -> None:
    first = Row(row=1, text="tea first", key="home", age_hours=90)
    second = Row(row=2, text="tea second", key="home", age_hours=10)
    snapshot = snapshot_of(first, second)
    assert ids(recalled(snapshot, ask(recorded=T0 - 50 * HOUR))) == ["m1"]
    assert ids(recalled(snapshot, ask(recorded=T0))) == ["m2"]


def test_an_end_that_follows_from_a_claim_told_later_was_not_believed_then() -> None:
    replaced = Row(
        row=1, text="tea first", key="home", age_hours=90, valid_to=T0 - 70 * HOUR, is_latest=False
    )
    late = Row(row=2, text="tea second", key="home", age_hours=10, valid_from=T0 - 70 * HOUR)
    end = T0 - 70 * HOUR
    ended = Row(row=3, text="tea until then", key="work", age_hours=90, valid_to=end, stated_to=end)
    snapshot = snapshot_of(replaced, late, ended)

    before = recalled(snapshot, ask(recorded=T0 - 50 * HOUR))
    assert ids(before) == ["m1"]
    assert reasons(before) == {"m2": Reason.NOT_YET_VALID, "m3": Reason.SUPERSEDED}
    assert ids(recalled(snapshot, ask(recorded=T0 - 10 * HOUR))) == ["m2"]
    assert ids(recalled(snapshot)) == ["m2"]


@pytest.mark.parametrize("shelf", [Lifecycle.ACTIVE, Lifecycle.ARCHIVED])
def test_what_holds_then_may_be_replaced_by_an_archived_claim(shelf: Lifecycle) -> None:
    old = Row(row=1, key="home", age_hours=90, valid_to=T0 - 70 * HOUR, is_latest=False)
    late = Row(row=2, key="home", age_hours=10, valid_from=T0 - 70 * HOUR, lifecycle=shelf)
    assert ids(recalled(snapshot_of(old, late), ask(recorded=T0 - 50 * HOUR))) == ["m1"]


def test_a_superseded_memory_without_a_key_is_out_until_its_successor_begins() -> None:
    gone = Row(row=1, text="tea one", is_latest=False)
    still = Row(row=2, text="tea two", is_latest=False, valid_to=T0 + 1)
    answer = recalled(snapshot_of(gone, still))
    assert ids(answer) == ["m2"]
    assert reasons(answer) == {"m1": Reason.SUPERSEDED}


def test_only_the_current_session_is_in_scope_where_the_policy_says_so() -> None:
    rows = [
        Row(row=1, text="tea a", session="mine"),
        Row(row=2, text="tea b", session="other"),
        Row(row=3, text="tea c"),
    ]
    question = ask(scope=Scope(session="mine"))
    assert len(recalled(snapshot_of(*rows), question).picks) == 3
    alone = policy_of(recall__include_other_sessions=False)
    answer = recalled(snapshot_of(*rows), question, alone)
    assert ids(answer) == ["m1"]
    assert reasons(answer) == {"m2": Reason.OTHER_SESSION, "m3": Reason.OTHER_SESSION}


def test_metadata_and_tags_must_all_hold() -> None:
    rows = [
        Row(row=1, text="tea a", tags=("x", "y"), metadata={"n": 1, "who": {"a": [1, 2]}}),
        Row(row=2, text="tea b", tags=("x",), metadata={"n": 1.0}),
        Row(row=3, text="tea c", metadata={"n": True}),
        Row(row=4, text="tea d", metadata={"n": "1"}),
    ]
    snapshot = snapshot_of(*rows)

    def told(scope: Scope) -> set[str]:
        answer = recalled(snapshot, ask(scope=scope))
        assert set(reasons(answer).values()) <= {Reason.OUT_OF_SCOPE}
        return set(ids(answer))

    assert told(Scope(tags=("x",))) == {"m1", "m2"}
    assert told(Scope(tags=("x", "y"))) == {"m1"}
    assert told(Scope(tags=("nobody",))) == set()
    assert told(Scope(metadata={"n": 1})) == {"m1", "m2"}
    assert told(Scope(metadata={"n": True})) == {"m3"}
    assert told(Scope(metadata={"who": {"a": [1, 2]}, "n": 1})) == {"m1"}
    assert told(Scope(subject="nobody")) == set()


def test_the_first_reason_is_the_one_that_comes_first_in_the_order() -> None:
    row = Row(
        row=1,
        text="tea",
        kind=Kind.EPISODIC,
        age_hours=99,
        expires_at=T0,
        valid_to=T0 - 1,
        recorded_to=T0 - 1,
        lifecycle=Lifecycle.SUPPRESSED,
    )
    scopes = [Scope(kinds=(Kind.SEMANTIC,), max_age_hours=1), Scope(max_age_hours=1), Scope()]
    first = [reasons(recalled(snapshot_of(row), ask(scope=scope)))["m1"] for scope in scopes]
    assert first == [Reason.OUT_OF_SCOPE, Reason.TOO_OLD, Reason.EXPIRED]


@pytest.mark.parametrize("kind", [RelevanceKind.HYBRID, RelevanceKind.TEXT])
def test_filters_act_before_the_cut_so_that_the_few_that_pass_are_all_found(
    kind: RelevanceKind,
) -> None:
    notes = [Row(row=at, text="tea tea tea", kind=Kind.EPISODIC) for at in range(1, 151)]
    facts = [Row(row=at, text=f"some tea with milk {at}") for at in range(151, 156)]
    policy = policy_of(recall__relevance=kind, recall__pool_minimum=5, recall__near_misses=3)
    answer = recalled(
        snapshot_of(*notes, *facts), ask(k=5, scope=Scope(kinds=(Kind.SEMANTIC,))), policy
    )
    assert set(ids(answer)) == {"m151", "m152", "m153", "m154", "m155"}
    assert len(answer.exclusions) == 3


def test_a_selective_combination_returns_all_there_is() -> None:
    rows = [
        Row(
            row=at,
            text=f"tea {at}",
            age_hours=1 if at % 5 == 0 else 500,
            key=f"k{at}" if at % 2 else None,
            lifecycle=Lifecycle.SUPPRESSED if at % 20 == 0 else Lifecycle.ACTIVE,
        )
        for at in range(1, 2001)
    ]
    wanted = {f"m{at}" for at in range(1, 2001) if at % 5 == 0 and at % 20}
    answer = recalled(snapshot_of(*rows), ask(k=500, scope=Scope(max_age_hours=24)))
    assert set(ids(answer)) == wanted


def test_retired_facts_do_not_crowd_out_the_living() -> None:
    retired = [
        Row(row=at, text="where do they work", valid_to=T0 - 1, is_latest=False)
        for at in range(1, 31)
    ]
    living = [Row(row=at, text=f"they work at site {at}") for at in range(31, 36)]
    answer = recalled(snapshot_of(*retired, *living), ask("where do they work", k=5))
    assert set(ids(answer)) == {"m31", "m32", "m33", "m34", "m35"}
