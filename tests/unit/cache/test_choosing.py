"""Which answer a question gets, or why none."""

import pytest

from lapse.cache.choosing import Choice, choose
from lapse.cache.matching import words_of
from lapse.cache.shelf import Answered
from lapse.model.answer import Miss
from lapse.model.instants import HOUR, Instant
from lapse.model.policy_content import CachePolicy
from tests.unit.cache.answers import NOW, entry

POLICY = CachePolicy(min_similarity=0.9)


def _chosen(query: str, entries: list[Answered], *similarity: float, hours: float = 1.0) -> Choice:
    now = Instant(NOW + round(hours * HOUR))
    likely = {each.number: one for each, one in zip(entries, similarity, strict=True)}
    return choose(POLICY, words_of(query), entries, likely, now)


def test_the_same_words_are_the_same_question_whatever_the_vectors_say() -> None:
    choice = _chosen("Who came?", [entry("who came?")], 0.1)
    assert [each.query for each in choice.chosen] == ["who came?"]
    assert choice.similarity == 1.0


def test_the_most_similar_of_those_that_ask_the_same_comes_first_then_the_latest() -> None:
    one, two = entry("Who came to see Anna then", 1), entry("Who came then to see Anna", 2)
    asked = "So who came to see Anna"
    assert [each.number for each in _chosen(asked, [one, two], 0.97, 0.93).chosen] == [1, 2]
    assert [each.number for each in _chosen(asked, [one, two], 0.95, 0.95).chosen] == [2, 1]


@pytest.mark.parametrize(
    ("query", "entries", "similarity", "hours", "miss"),
    [
        ("who came?", [], (), 1.0, Miss.NONE),
        ("how many legs has a spider", [entry("who came?")], (0.3,), 1.0, Miss.UNLIKE),
        ("Is room 3 free?", [entry("Is room 4 free?")], (0.99,), 1.0, Miss.DIFFERENT),
        ("who came?", [entry("who came?")], (1.0,), 24.0, Miss.EXPIRED),
        ("who came?", [entry("who came?", hours=0.5)], (1.0,), 0.5, Miss.EXPIRED),
    ],
)
def test_a_miss_says_why(
    query: str, entries: list[Answered], similarity: tuple[float, ...], hours: float, miss: Miss
) -> None:
    choice = _chosen(query, entries, *similarity, hours=hours)
    assert (choice.chosen, choice.miss) == ((), miss)


def test_a_fresh_answer_is_given_although_a_nearer_one_has_expired() -> None:
    old = entry("Who came to see Anna then", 1, hours=0.5)
    fresh = entry("Who came then to see Anna", 2)
    choice = _chosen("So who came to see Anna", [old, fresh], 0.99, 0.95)
    assert [each.number for each in choice.chosen] == [2]
    assert choice.similarity == 0.95
