"""Duplicates, diversity and packing, each at its edges."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lapse.errors import ValidationError
from lapse.model.policy import Diversity, DuplicatePolicy, RelevanceKind
from lapse.model.query import Reason
from lapse.recall.selection import Room, Tray, pack
from tests.unit.index.deltas import Row
from tests.unit.recall.asking import ask, ids, policy_of, reasons, recalled, snapshot_of

MMR = policy_of(recall__diversity=Diversity.MMR, recall__duplicates=DuplicatePolicy.OFF)


def of_words(row: int, count: int, *, pinned: bool = False) -> Row:
    """A memory of so many words; fewer rows come first, because they match better."""
    filler = " ".join(f"r{row}w{at}" for at in range(count - 1))
    return Row(row=row, text=f"tea {filler}".strip(), pinned=pinned)


def packed(costs: list[int], *, k: int, budget: int) -> Tray:
    tray = Tray()
    pack(range(len(costs)), Room(k=k, costs=(costs,), budgets=(budget,)), tray)
    return tray


def test_what_is_too_long_is_passed_over_and_what_follows_may_fit() -> None:
    tray = packed([200, 20, 30, 10], k=9, budget=50)
    assert tray.picked == [1, 2]
    assert tray.left == {0: Reason.OVER_BUDGET, 3: Reason.OVER_BUDGET}


@pytest.mark.parametrize(("budget", "told"), [(6, True), (5, False), (0, False)])
def test_a_budget_is_exact_to_the_word(budget: int, told: bool) -> None:
    row = Row(row=1, text="retry at most three attempts tea")
    answer = recalled(snapshot_of(row), ask(words=budget))
    assert bool(answer.picks) is told
    assert reasons(answer) == ({} if told else {"m1": Reason.OVER_BUDGET})


def test_negative_budgets_are_errors_told_together() -> None:
    with pytest.raises(ValidationError) as caught:
        ask(k=-1, words=-1, tokens=-1)
    assert {each.field for each in caught.value.faults} == {"k", "budget_words", "budget_tokens"}


@given(st.lists(st.integers(1, 30), max_size=12), st.integers(0, 5), st.integers(0, 60))
def test_packing_never_goes_over_and_leaves_out_nothing_that_fits_at_its_turn(
    costs: list[int], k: int, budget: int
) -> None:
    tray = packed(costs, k=k, budget=budget)
    assert len(tray.picked) <= k
    assert sum(costs[place] for place in tray.picked) <= budget
    assert sorted([*tray.picked, *tray.left]) == list(range(len(costs)))
    for place, reason in tray.left.items():
        before = [each for each in tray.picked if each < place]
        if reason is Reason.OVER_BUDGET:
            assert sum(costs[each] for each in before) + costs[place] > budget
        else:
            assert len(before) == k


def test_k_of_zero_tells_nothing_and_says_so() -> None:
    answer = recalled(snapshot_of(Row(row=1)), ask(k=0))
    assert answer.picks == ()
    assert reasons(answer) == {"m1": Reason.OVER_COUNT}


def test_a_tray_is_filled_as_far_as_k_and_budget_allow() -> None:
    rows = [of_words(row, 40 + row) for row in range(1, 60)]
    answer = recalled(snapshot_of(*rows), ask(k=5, words=120))
    assert len(answer.picks) == 2
    assert sum(pick.words for pick in answer.picks) <= 120
    answer = recalled(snapshot_of(*rows), ask(k=5))
    assert len(answer.picks) == 5


def test_pinned_memories_are_packed_first_and_the_rest_is_for_others() -> None:
    pinned = [of_words(row, 30, pinned=True) for row in (1, 2, 3)]
    others = [of_words(row, 8) for row in (4, 5)]
    answer = recalled(snapshot_of(*pinned, *others), ask(words=70))
    assert ids(answer)[:2] == ["m1", "m2"]
    assert ids(answer)[2:] == ["m4"]
    assert reasons(answer)["m3"] is Reason.OVER_BUDGET


def test_a_pin_does_not_bring_up_what_is_not_relevant_enough() -> None:
    rows = [
        Row(row=1, text="w", vector=(0.3, math.sqrt(0.91)), pinned=True),
        Row(row=2, text="v", vector=(1, 0)),
    ]
    policy = policy_of(recall__min_relevance=0.5)
    assert ids(recalled(snapshot_of(*rows), ask("x", (1, 0)), policy)) == ["m2"]


def test_tokens_are_counted_by_the_hosts_counter_over_what_is_ranked() -> None:
    rows = [Row(row=at, text=f"tea {'x ' * at}") for at in (1, 2, 3)]
    costs = {1: 60, 2: 50, 3: 50}
    answer = recalled(
        snapshot_of(*rows),
        ask(tokens=100),
        token_counts=lambda seen: [costs[n] for n in seen],
    )
    assert ids(answer) == ["m1"]
    assert reasons(answer) == {"m2": Reason.OVER_BUDGET, "m3": Reason.OVER_BUDGET}


def test_a_budget_of_tokens_without_a_counter_is_an_error() -> None:
    with pytest.raises(ValidationError):
        recalled(snapshot_of(Row(row=1)), ask(tokens=100))


@pytest.mark.parametrize(
    ("policy", "told"),
    [(DuplicatePolicy.OFF, 3), (DuplicatePolicy.EXACT, 2), (DuplicatePolicy.NEAR, 1)],
)
def test_duplicates_are_left_out_as_far_as_the_policy_says(
    policy: DuplicatePolicy, told: int
) -> None:
    near = (0.99, math.sqrt(1 - 0.99**2))
    rows = [
        Row(row=1, text="green tea", vector=(1, 0)),
        Row(row=2, text="Green tea", vector=(1, 0)),
        Row(row=3, text="the green tea", vector=near),
    ]
    question = ask("green tea", (1, 0))
    answer = recalled(snapshot_of(*rows), question, policy_of(recall__duplicates=policy))
    assert len(answer.picks) == told
    duplicates = {e.id: e.detail for e in answer.exclusions if e.reason is Reason.DUPLICATE}
    assert len(duplicates) == 3 - told
    assert set(duplicates.values()) <= {"m1"}


def test_texts_that_differ_in_a_number_are_not_duplicates_however_alike() -> None:
    rows = [
        Row(row=1, text="gate 4", vector=(1, 0), distinctions=b"4"),
        Row(row=2, text="gate 5", vector=(1, 0), distinctions=b"5"),
    ]
    assert len(recalled(snapshot_of(*rows), ask("gate", (1, 0))).picks) == 2


@pytest.mark.parametrize("other", [{"subject": "bob"}, {"key": "bob/drink"}, {"subject": None}])
@pytest.mark.parametrize("text", ["prefers tea", "prefers the tea"])
def test_what_is_said_of_another_subject_or_under_another_key_is_no_duplicate(
    other: dict[str, str | None], text: str
) -> None:
    row = Row(row=1, text="prefers tea", subject="ann", vector=(1, 0))
    rows = [row, replace(row, row=2, text=text, **other)]  # type: ignore[arg-type]  # named above
    answer = recalled(snapshot_of(*rows), ask("who prefers tea", (1, 0)))
    assert (sorted(ids(answer)), reasons(answer)) == (["m1", "m2"], {})


def test_what_is_said_twice_of_one_subject_is_a_duplicate() -> None:
    row = Row(row=1, text="prefers tea", subject="ann")
    rows = [row, replace(row, row=2)]
    assert reasons(recalled(snapshot_of(*rows))) == {"m2": Reason.DUPLICATE}


@pytest.mark.parametrize(("cosine", "told"), [(0.95, 1), (0.949, 2)])
def test_near_begins_exactly_at_the_policys_cosine(cosine: float, told: int) -> None:
    rows = [
        Row(row=1, text="a", vector=(1, 0)),
        Row(row=2, text="b", vector=(cosine, math.sqrt(1 - cosine**2))),
    ]
    assert len(recalled(snapshot_of(*rows), ask("x", (1, 0))).picks) == told


def test_a_near_duplicate_of_a_near_duplicate_that_is_left_out_is_told() -> None:
    angles = [0.0, 0.3, 0.6]
    rows = [
        Row(row=at, text=f"w{at}", vector=(math.cos(a), math.sin(a)))
        for at, a in enumerate(angles, start=1)
    ]
    answer = recalled(snapshot_of(*rows), ask("x", (1, 0)))
    assert ids(answer) == ["m1", "m3"]
    assert reasons(answer) == {"m2": Reason.DUPLICATE}


@given(
    st.lists(st.floats(0, math.pi / 2), min_size=1, max_size=12),
    st.integers(1, 5),
    st.sampled_from([0.3, 0.7, 1.0]),
)
def test_spreading_picks_what_the_definition_picks(
    angles: list[float], k: int, share: float
) -> None:
    vectors = [(math.cos(a), math.sin(a)) for a in angles]
    rows = [Row(row=at, text=f"w{at}", vector=v) for at, v in enumerate(vectors, start=1)]
    policy = policy_of(
        recall__diversity=Diversity.MMR,
        recall__diversity_lambda=share,
        recall__duplicates=DuplicatePolicy.OFF,
        recall__relevance=RelevanceKind.VECTOR,
    )
    everything = recalled(
        snapshot_of(*rows),
        ask("x", (1, 0), k=99),
        policy_of(recall__duplicates=DuplicatePolicy.OFF, recall__relevance=RelevanceKind.VECTOR),
    )
    ranked = [(pick.id, pick.score) for pick in everything.picks]
    of = {f"m{at}": np.array(v, dtype=np.float32) for at, v in enumerate(vectors, start=1)}
    expected: list[str] = []
    while len(expected) < min(k, len(ranked)):
        free = [(name, score) for name, score in ranked if name not in expected]
        worth = [
            round(
                share * score
                - (1 - share) * max((float(of[name] @ of[e]) for e in expected), default=0.0),
                5,
            )
            for name, score in free
        ]
        expected.append(free[worth.index(max(worth))][0])
    found = ids(recalled(snapshot_of(*rows), ask("x", (1, 0), k=k), policy))
    assert found == expected


def test_what_gives_way_to_diversity_says_so_and_the_rest_is_over_count() -> None:
    rows = [
        Row(row=1, text="w1", vector=(1, 0)),
        Row(row=2, text="w2", vector=(0.999, math.sqrt(1 - 0.999**2))),
        Row(row=3, text="w3", vector=(0.9, -math.sqrt(1 - 0.9**2))),
        Row(row=4, text="w4", vector=(0.99, math.sqrt(1 - 0.99**2))),
    ]
    policy = policy_of(
        recall__diversity=Diversity.MMR,
        recall__diversity_lambda=0.3,
        recall__duplicates=DuplicatePolicy.OFF,
    )
    answer = recalled(snapshot_of(*rows), ask("x", (1, 0), k=2), policy)
    assert ids(answer) == ["m1", "m3"]
    assert reasons(answer) == {"m2": Reason.NOT_DIVERSE, "m4": Reason.OVER_COUNT}


def test_spreading_keeps_budgets_and_pinned_memories() -> None:
    rows = [
        Row(row=1, text="w1 " * 5, vector=(1, 0)),
        Row(row=2, text="w2 " * 3, vector=(0.8, 0.6), pinned=True),
        Row(row=3, text="w3 " * 4, vector=(0.9, -math.sqrt(1 - 0.81))),
    ]
    answer = recalled(snapshot_of(*rows), ask("x", (1, 0), words=7), MMR)
    assert ids(answer) == ["m2", "m3"]
    assert reasons(answer) == {"m1": Reason.OVER_BUDGET}
