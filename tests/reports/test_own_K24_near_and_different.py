"""Own case of K24: a question that differs in one telling word gets the other one's answer."""

import pytest

from lapse.model.answer import Miss
from tests.reports.helping import Place

LOOSE = {"cache.min_similarity": 0.5}


@pytest.mark.parametrize(
    ("asked", "near"),
    [
        ("How much are 3 nights in May?", "How much are 4 nights in May?"),
        ("Which of the drugs may I take?", "Which of the drugs may I not take?"),
        ("Does Anna owe Boris money?", "Does Boris owe Anna money?"),
        ("the weather in paris today", "the weather in rome today"),
        ("Is ann@example.org her address?", "Is anna@example.org her address?"),
        ("Does the new rule affect us?", "Does the new rule affect US?"),
    ],
)
def test_it_is_a_miss_however_alike_they_are(place: Place, asked: str, near: str) -> None:
    bank = place.bank(LOOSE)
    bank.cache.put(asked, "so it is")
    assert bank.cache.get(asked).hit
    assert bank.cache.get(near).miss is Miss.DIFFERENT
