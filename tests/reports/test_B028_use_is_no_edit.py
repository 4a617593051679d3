"""B028: keeping track of use disturbs the time of the last edit, or the history.

Waits: reading the history itself, for `history`.
"""

import pytest

from lapse.bank import Bank
from lapse.errors import VersionConflictError
from tests.reports.helping import Place, ago


def third_version(place: Place) -> Bank:
    place.clock.set(ago(days=30))
    bank = place.bank()
    bank.remember("the ferry leaves at eight", id="a")
    place.clock.set(ago(days=29))
    bank.update("a", text="the ferry leaves at nine")
    place.clock.set(ago(days=28))
    bank.update("a", tags=["travel"])
    return bank


def use_ten_times(place: Place, bank: Bank) -> None:
    for days in range(27, 17, -1):
        place.clock.set(ago(days=days))
        bank.used(["a"])
    bank.drain()


def test_ten_uses_leave_the_content_its_version_and_its_dates_alone(place: Place) -> None:
    bank = third_version(place)
    before = bank.get("a")
    use_ten_times(place, bank)
    after = bank.get("a")
    assert after.memory == before.memory
    assert after.memory.content_version == 3
    assert after.memory.recorded_from == ago(days=28)
    assert after.state.strength.reinforcement_count == 10


def test_an_update_on_condition_of_the_version_read_before_the_uses_succeeds(place: Place) -> None:
    bank = third_version(place)
    use_ten_times(place, bank)
    bank.update("a", text="the ferry leaves at ten", if_version=3)
    assert bank.get("a").memory.content_version == 4
    with pytest.raises(VersionConflictError):
        bank.update("a", text="the ferry leaves at noon", if_version=3)
