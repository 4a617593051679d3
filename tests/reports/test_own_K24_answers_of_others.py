"""Own case of K24: an answer is given in another bank or to another tenant."""

from lapse.model.answer import Miss
from tests.reports.helping import Place

QUESTION = "What is my door code?"


def test_an_answer_is_given_in_the_bank_it_was_put_in_and_in_no_other(place: Place) -> None:
    mind = place.open()
    mind.bank("ann").cache.put(QUESTION, "4821")
    for other in (mind.bank("ben"), mind.bank("ann", tenant="other")):
        assert other.cache.get(QUESTION).miss is Miss.NONE
        assert other.cache.clear() == 0
    assert mind.bank("ann").cache.get(QUESTION).hit
