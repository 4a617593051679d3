"""The adaptive cache does what its paper says, and is a fair baseline at any size."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lapse.lab.arc import Arc, arc_scores
from lapse.lab.comparing import SHARES, beside, compare
from lapse.lab.log import Entry, Happening, in_order
from lapse.lab.replaying import moments
from lapse.laws import law_for
from lapse.model.instants import DAY, HOUR, Instant
from lapse.model.policy import LawPolicy

POLICY = LawPolicy()


def _held(cache: Arc, keys: str) -> str:
    return "".join(each for each in keys if each in cache)


def _touched(capacity: int, keys: str) -> Arc:
    cache = Arc(capacity)
    for each in keys:
        cache.touch(each)
    return cache


def test_without_repeats_it_is_a_queue() -> None:
    assert _held(_touched(3, "abcde"), "abcde") == "cde"


def test_what_was_asked_for_twice_outlives_a_scan() -> None:
    assert "a" in _touched(3, "aabcdefgh")
    assert "a" not in _touched(3, "abcdefgh")


def test_a_ghost_that_returns_is_kept_as_often_asked_for() -> None:
    cache = _touched(2, "abba" + "c" + "a")
    assert "a" in cache
    cache.touch("d")
    assert "a" in cache


def test_what_is_dropped_is_as_if_it_had_never_been() -> None:
    cache = _touched(2, "aa")
    cache.drop("a")
    assert len(cache) == 0


@given(st.lists(st.sampled_from("abcdefghij"), max_size=80), st.integers(1, 6), st.integers(1, 6))
def test_it_never_holds_more_than_its_size_and_always_what_came_last(
    keys: Sequence[str], size: int, later: int
) -> None:
    cache = Arc(size)
    for each in keys:
        cache.touch(each)
        assert len(cache) <= size
        assert each in cache
    cache.resize(later)
    assert len(cache) <= later
    for each in keys:
        cache.touch(each)
        assert len(cache) <= later
        assert each in cache


def _log() -> list[Entry]:
    created = [
        Entry(at=Instant(number * HOUR), memory=f"m{number}", event=Happening.CREATED)
        for number in range(40)
    ]
    used = [
        Entry(at=Instant(day * DAY), memory=f"m{day % 8}", event=Happening.USED)
        for day in range(4, 200)
    ]
    return in_order([*created, *used])


def test_on_a_log_it_keeps_what_is_used_again_and_again() -> None:
    asked = list(moments(_log(), law_for(POLICY), POLICY.decay, 30.0, 60.0))
    scores = arc_scores(_log(), asked, 0.2)
    kept = {name for name, score in zip(asked[-1].names, scores[-1], strict=True) if score}
    assert kept == {f"m{number}" for number in range(8)}


def test_baselines_stand_beside_the_laws_and_nothing_beats_knowing_the_future() -> None:
    curves = beside(_log(), POLICY, warm_up_days=60)
    law = compare(_log(), {"activation": POLICY}, warm_up_days=60)["activation"]
    assert set(curves) == {"lru", "lfu", "random", "clairvoyant", "arc"}
    best = curves["clairvoyant"].hit_rates
    at = SHARES.index(0.2)
    assert curves["arc"].hit_rates[at] == pytest.approx(1.0)
    assert curves["random"].hit_rates[at] < 0.5
    for each in (law, *curves.values()):
        assert all(one <= top + 1e-9 for one, top in zip(each.hit_rates, best, strict=True))
    assert all(each.mean >= 0 for each in curves["clairvoyant"].lead_on_first)
