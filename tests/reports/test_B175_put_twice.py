"""B175: the same question stored twice makes two rows, or a hit silently renews its life."""

from lapse.model.answer import Miss
from lapse.testing.fakes import FakeClock
from tests.reports.helping import Place

QUESTION = "who has the key?"


def test_the_second_answer_takes_the_place_of_the_first_and_no_hit_prolongs_it(
    place: Place, clock: FakeClock
) -> None:
    bank = place.bank()
    bank.cache.put(QUESTION, "answer 1")
    clock.advance(hours=1)
    bank.cache.put(QUESTION, "answer 2")
    assert bank.cache.counts().answers == 1
    for wait in (1.0, 22.5):
        clock.advance(hours=wait)
        found = bank.cache.get(QUESTION).answer
        assert found is not None
        assert found.answer == "answer 2"
    clock.advance(hours=0.5)
    assert bank.cache.get(QUESTION).miss is Miss.EXPIRED
