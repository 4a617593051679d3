"""B172: the life time is documented in one unit and used in another."""

import pytest

from lapse.errors import PolicyError
from lapse.model.answer import Miss
from lapse.testing.fakes import FakeClock
from tests.reports.helping import Place

QUESTION = "who has the key?"


def test_an_hour_is_an_hour(place: Place, clock: FakeClock) -> None:
    bank = place.bank({"cache.ttl_hours": 1})
    bank.cache.put(QUESTION, "Anna")
    clock.advance(seconds=3599)
    assert bank.cache.get(QUESTION).hit
    clock.advance(seconds=1)
    assert bank.cache.get(QUESTION).miss is Miss.EXPIRED


def test_half_an_hour_is_half_an_hour(place: Place, clock: FakeClock) -> None:
    bank = place.bank({"cache.ttl_hours": 0.5})
    bank.cache.put(QUESTION, "Anna")
    clock.advance(seconds=1799)
    assert bank.cache.get(QUESTION).hit
    clock.advance(seconds=1)
    assert bank.cache.get(QUESTION).miss is Miss.EXPIRED


def test_no_hours_never_keep_and_less_than_none_are_refused(place: Place) -> None:
    bank = place.bank({"cache.ttl_hours": 0})
    assert bank.cache.put(QUESTION, "Anna") is None
    assert bank.cache.get(QUESTION).miss is Miss.OFF
    assert bank.cache.counts().answers == 0
    with pytest.raises(PolicyError, match="ttl_hours"):
        place.bank({"cache.ttl_hours": -1})
