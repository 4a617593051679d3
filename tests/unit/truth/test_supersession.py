"""Claims of one key in order of validity: one chain, whatever arrived when."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lapse.model.instants import DAY, EARLIEST, Instant
from lapse.model.memory import Memory
from lapse.testing.fakes import START, memory
from lapse.truth.supersession import alone, current, settle


def _day(count: float) -> Instant:
    return Instant(START + round(count * DAY))


def _claim(
    name: str, start: float | None, end: float | None = None, *, told: float = 0.0
) -> Memory:
    """A claim that holds from day `start` (until day `end` by its own word), told on day `told`."""
    return replace(
        memory(name, at=_day(told)),
        key="user/city",
        valid_from=None if start is None else _day(start),
        valid_to=None if end is None else _day(end),
        stated_to=None if end is None else _day(end),
    )


CLAIMS = st.builds(
    lambda start, told, length: (start, told, length),
    st.integers(0, 8) | st.none(),
    st.integers(0, 8),
    st.integers(1, 9) | st.none(),
)


@st.composite
def histories(draw: st.DrawFn) -> list[Memory]:
    """Claims of one key, told one after another.

    Some start together, some have an end of their own, some are retracted.
    """
    claims = []
    drawn = draw(st.lists(CLAIMS, min_size=1, max_size=6, unique_by=lambda each: each[1]))
    for at, (start, told, length) in enumerate(drawn):
        ends = None if length is None or start is None else start + length
        claim = _claim(f"c{at}", start, ends, told=told)
        retracted = draw(st.booleans()) and draw(st.booleans())
        claims.append(replace(claim, recorded_to=_day(20)) if retracted else claim)
    return claims


def _told_one_by_one(claims: Sequence[Memory]) -> dict[str, Memory]:
    """What is stored after each claim was settled among those told before it."""
    stored: dict[str, Memory] = {}
    for claim in claims:
        stored[claim.id] = claim
        stored |= {each.id: each for each in settle(list(stored.values()))}
    return stored


@given(histories(), st.randoms(use_true_random=False))
def test_any_order_of_arrival_gives_the_same_chain(claims: list[Memory], chance: Random) -> None:
    other = list(claims)
    chance.shuffle(other)

    assert _told_one_by_one(other) == _told_one_by_one(claims)
    assert settle(other) == settle(claims)


@given(histories())
def test_settling_what_is_settled_changes_nothing(claims: list[Memory]) -> None:
    settled = settle(claims)

    assert settle(settled) == settled


@given(histories())
def test_the_links_run_through_all_standing_claims_and_back(claims: list[Memory]) -> None:
    settled = settle(claims)
    standing = [each for each in claims if each.recorded_to is None]

    assert sorted(each.id for each in settled) == sorted(each.id for each in standing)
    assert [each.is_latest for each in settled] == [False] * (len(settled) - 1) + [True] * bool(
        settled
    )
    for before, after in pairwise(settled):
        assert before.superseded_by == after.id
        assert after.supersedes == before.id
        assert _start(before) <= _start(after)
    if settled:
        assert settled[0].supersedes is None
        assert settled[-1].superseded_by is None


@given(histories())
def test_no_two_standing_claims_hold_at_once(claims: list[Memory]) -> None:
    settled = settle(claims)

    for at in range(-1, 20):
        holding = [each for each in settled if _holds(each, _day(at))]
        assert len(holding) <= 1, [each.id for each in holding]


@given(histories())
def test_between_claims_there_is_a_gap_only_by_a_claims_own_word(claims: list[Memory]) -> None:
    own = {each.id: each.valid_to for each in claims}
    settled = settle(claims)

    for before, after in pairwise(settled):
        begins = _start(after)
        if before.valid_to is None or before.valid_to < begins:
            assert before.valid_to == own[before.id]
        else:
            assert before.valid_to == begins


@given(histories())
def test_only_links_and_ends_are_touched(claims: list[Memory]) -> None:
    given_claims = {each.id: each for each in claims}

    for each in settle(claims):
        before = given_claims[each.id]
        assert (
            replace(
                each,
                valid_to=before.valid_to,
                supersedes=before.supersedes,
                superseded_by=before.superseded_by,
                is_latest=before.is_latest,
            )
            == before
        )


@given(histories())
def test_the_current_claim_is_the_last_of_the_chain(claims: list[Memory]) -> None:
    settled = settle(claims)
    latest = current(claims)

    assert (latest.id if latest else None) == (settled[-1].id if settled else None)


def test_a_late_older_fact_takes_its_place_in_the_past() -> None:
    paris, london = _claim("paris", 0), _claim("london", 20)
    lyon = _claim("lyon", 10, told=30)

    chain = settle([*settle([paris, london]), lyon])

    assert [each.id for each in chain] == ["paris", "lyon", "london"]
    assert [each.valid_to for each in chain] == [_day(10), _day(20), None]
    assert [each.is_latest for each in chain] == [False, False, True]


def test_an_own_end_before_the_next_claim_is_kept() -> None:
    chain = settle([_claim("paris", 0, 5), _claim("london", 20)])

    assert [each.valid_to for each in chain] == [_day(5), None]


def test_an_own_end_after_the_next_claim_gives_way_to_it() -> None:
    chain = settle([_claim("paris", 0, 50), _claim("london", 20)])

    assert [each.valid_to for each in chain] == [_day(20), None]


def test_the_last_claim_keeps_its_own_end() -> None:
    assert settle([_claim("paris", 0), _claim("london", 20, 40)])[-1].valid_to == _day(40)


def test_retracting_the_last_claim_gives_the_one_before_its_open_end_back() -> None:
    paris, london = settle([_claim("paris", 0), _claim("london", 20)])

    (again,) = settle([paris, replace(london, recorded_to=_day(30))])

    assert again == _claim("paris", 0)


def test_retracting_one_in_the_middle_closes_the_gap() -> None:
    paris, lyon, london = settle([_claim("paris", 0), _claim("lyon", 10), _claim("london", 20)])

    chain = settle([paris, replace(lyon, recorded_to=_day(30)), london])

    assert [each.valid_to for each in chain] == [_day(20), None]
    assert chain == settle([_claim("paris", 0), _claim("london", 20)])


def test_retracting_keeps_an_end_of_the_claims_own() -> None:
    paris, london = settle([_claim("paris", 0, 5), _claim("london", 20)])

    (again,) = settle([paris, replace(london, recorded_to=_day(30))])

    assert again == _claim("paris", 0, 5)


def test_taking_a_retraction_back_gives_the_same_chain_again() -> None:
    before = settle([_claim("paris", 0), _claim("lyon", 10), _claim("london", 20)])
    without = [
        each if each.id != "lyon" else replace(each, recorded_to=_day(30)) for each in before
    ]
    retracted = {each.id: each for each in without} | {each.id: each for each in settle(without)}
    lyon = replace(retracted["lyon"], recorded_to=None)

    assert settle([retracted["paris"], lyon, retracted["london"]]) == before


def test_a_claim_that_moved_takes_the_end_before_it_along() -> None:
    paris, london = settle([_claim("paris", 0), _claim("london", 20)])
    moved = replace(london, valid_from=_day(25))

    chain = settle([paris, moved])

    assert [each.valid_to for each in chain] == [_day(25), None]


def test_a_claim_that_left_the_key_leaves_no_end_behind() -> None:
    paris, _ = settle([_claim("paris", 0), _claim("london", 20)])

    assert settle([paris]) == []
    (left,) = settle([alone(paris)])

    assert left == _claim("paris", 0)


def test_a_stated_end_outlives_a_successor_that_began_at_it_and_moved_on() -> None:
    paris, london = settle([_claim("paris", 0, 5), _claim("london", 5)])
    assert paris.valid_to == _day(5)

    paris, london = settle([paris, replace(london, valid_from=_day(3))])
    assert paris.valid_to == _day(3)

    paris, london = settle([paris, replace(london, valid_from=_day(9))])
    assert paris.valid_to == _day(5)


def test_values_that_stand_beside_each_other_have_no_place_in_the_chain() -> None:
    beside = replace(_claim("rome", 5), multi=True)

    assert [each.id for each in settle([_claim("paris", 0), beside])] == ["paris"]
    assert current([_claim("paris", 0), beside]) == _claim("paris", 0)


def test_alone_a_claim_has_the_end_it_states_and_no_links() -> None:
    paris, _ = settle([_claim("paris", 0, 9), _claim("london", 5)])

    assert alone(paris) == _claim("paris", 0, 9)


def test_claims_of_the_same_start_are_in_order_of_telling_then_of_arrival() -> None:
    claims = [_claim("b", 0, told=2), _claim("c", 0, told=1), _claim("a", 0, told=2)]
    chain = settle(claims)

    assert [each.id for each in chain] == ["c", "b", "a"]
    assert [each.valid_to for each in chain] == [_day(0), _day(0), None]
    assert settle(chain) == chain
    assert current(claims) == claims[2]


def test_a_claim_without_a_start_comes_before_all_others() -> None:
    chain = settle([_claim("paris", 0), _claim("always", None)])

    assert [each.id for each in chain] == ["always", "paris"]


def test_of_two_claims_without_a_start_the_later_told_holds() -> None:
    chain = settle([_claim("new", None, told=2), _claim("old", None, told=1)])

    assert [each.id for each in chain] == ["old", "new"]
    assert [each for each in chain if _holds(each, _day(0))] == [chain[1]]


@pytest.mark.parametrize("claims", [[], [replace(_claim("a", 0), recorded_to=_day(1))]])
def test_without_a_standing_claim_there_is_no_chain(claims: list[Memory]) -> None:
    assert settle(claims) == []
    assert current(claims) is None


def _start(claim: Memory) -> Instant:
    return EARLIEST if claim.valid_from is None else claim.valid_from


def _holds(claim: Memory, at: Instant) -> bool:
    return _start(claim) <= at and (claim.valid_to is None or at < claim.valid_to)
