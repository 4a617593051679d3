"""K02, not reported: the clock of the host steps back between two calls, and catches up again."""

import pytest

from lapse.model.query import Flag
from tests.reports.helping import EXPONENTIAL, T0, Place, ago


def test_a_clock_that_steps_back_breaks_nothing_and_is_told(place: Place) -> None:
    bank = place.bank(EXPONENTIAL)
    bank.remember("harbour", id="a")
    place.clock.set(ago(hours=1))
    bank.used(["a"])
    bank.drain()
    bank.remember("lighthouse", id="b")
    hit = bank.recall("harbour plans").hits[0]
    assert hit.explanation.retrievability == 1.0
    assert Flag.CLOCK_SKEW in hit.explanation.flags
    assert bank.get("a").state.strength.access_count == 1
    assert bank.doctor() == []


def test_when_the_clock_has_caught_up_ages_count_from_the_later_time(place: Place) -> None:
    bank = place.bank(EXPONENTIAL)
    bank.remember("harbour", id="a")
    place.clock.set(ago(hours=1))
    bank.used(["a"])
    bank.drain()
    place.clock.set(ago(hours=-10))
    hit = bank.recall("harbour plans").hits[0]
    assert hit.explanation.anchor == T0
    assert hit.explanation.retrievability == pytest.approx(0.995**10)
    assert Flag.CLOCK_SKEW not in hit.explanation.flags


def test_a_use_told_to_happen_in_the_future_happened_now(place: Place) -> None:
    bank = place.bank(EXPONENTIAL)
    bank.remember("harbour", id="a", created_at=ago(days=3))
    bank.used(["a"], at=ago(days=-30))
    bank.drain()
    assert bank.get("a").state.strength.last_counted_at == T0


def test_a_use_reported_before_the_step_counts_once_when_repeated_after_it(place: Place) -> None:
    bank = place.bank(EXPONENTIAL)
    bank.remember("harbour", id="a", created_at=ago(days=3))
    recall = bank.recall("harbour plans")
    first = bank.used(["a"], recall=recall.id)
    place.clock.set(ago(hours=1))
    again = bank.used(["a"], recall=recall.id)
    bank.drain()
    assert (first.enqueued, again.enqueued, again.repeated) == (1, 0, 1)
    assert bank.get("a").state.strength.reinforcement_count == 1
