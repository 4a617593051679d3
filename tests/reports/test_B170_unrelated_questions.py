"""B170: unrelated questions all hit the same entry."""

from lapse.model.answer import Miss
from tests.reports.helping import Place

ANSWERS = {
    "thanks": "You are welcome.",
    "how many legs has a spider": "Eight.",
    "is the shop open on Sunday": "No.",
}


def test_each_question_gets_its_own_answer_and_another_gets_none(place: Place) -> None:
    bank = place.bank()
    for question, answer in ANSWERS.items():
        bank.cache.put(question, answer)
    for question, answer in ANSWERS.items():
        found = bank.cache.get(question).answer
        assert found is not None
        assert found.answer == answer
    assert bank.cache.get("which way to the harbour").miss is Miss.UNLIKE
