"""B168: expired entries win the search as long as no clean-up has run."""

from lapse.model.answer import CacheCounts, Miss
from lapse.testing.fakes import FakeClock
from tests.reports.helping import Place


def test_an_expired_answer_is_a_miss_although_nothing_was_written_since(
    place: Place, clock: FakeClock
) -> None:
    bank = place.bank({"cache.ttl_hours": 1 / 3600})
    bank.cache.put("who has the key?", "Anna")
    clock.advance(seconds=1.1)
    assert bank.cache.get("who has the key?").miss is Miss.EXPIRED
    assert bank.cache.counts() == CacheCounts(answers=1, misses=1)
