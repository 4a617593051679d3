"""Which questions ask the same."""

import pytest

from lapse.cache.matching import asks_the_same, enough, likeness, same_words
from lapse.text.distinctions import distinctions_of


def _same(one: str, other: str) -> bool:
    return asks_the_same(distinctions_of(one), distinctions_of(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("what did I pay for 3 nights?", "what did I pay for 4 nights?"),
        ("where does Anna live?", "where does Boris live?"),
        ("which drugs may I take?", "which drugs may I not take?"),
        ("the weather in paris", "the weather in rome"),
    ],
)
def test_a_number_a_name_a_negation_or_an_exchanged_word_keeps_questions_apart(
    one: str, other: str
) -> None:
    assert not _same(one, other)
    assert not _same(other, one)


def test_a_question_asks_the_same_as_itself() -> None:
    assert _same("where does Anna live?", "where does Anna live?")


def test_case_and_spacing_leave_the_words_of_a_question_the_same() -> None:
    assert same_words("Where  does Anna live?", " where does anna LIVE?")
    assert not same_words("where does Anna live?", "where did Anna live?")


def test_a_similarity_at_the_least_one_is_enough_and_one_below_is_not() -> None:
    assert enough(0.95, 0.95)
    assert enough(0.9499999999, 0.95)
    assert not enough(0.9499, 0.95)


def test_likeness_is_the_cosine_of_counts_and_nothing_is_like_an_empty_question() -> None:
    assert likeness(["a", "b"], ["b", "a"]) == pytest.approx(1.0)
    assert likeness(["a", "b"], ["a", "c"]) == pytest.approx(0.5)
    assert likeness([], ["a"]) == 0.0
