"""Which questions ask the same."""

import pytest

from lapse.cache.matching import asks_the_same, enough, likeness, same_words, words_of


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("what did I pay for 3 nights?", "what did I pay for 4 nights?"),
        ("where does Anna live?", "where does Boris live?"),
        ("which drugs may I take?", "which drugs may I not take?"),
        ("the weather in paris", "the weather in rome"),
        ("Does Anna owe Boris?", "Does Boris owe Anna?"),
        ("what does a-17 open", "what does a-18 open"),
    ],
)
def test_a_number_a_name_a_negation_or_an_exchanged_word_keeps_questions_apart(
    one: str, other: str
) -> None:
    assert not asks_the_same(words_of(one), words_of(other))
    assert not asks_the_same(words_of(other), words_of(one))


def test_a_question_asks_the_same_as_itself() -> None:
    one = words_of("where does Anna live?")
    assert asks_the_same(one, one)
    assert same_words(one, one)


def test_the_same_question_at_greater_length_asks_the_same() -> None:
    one, other = words_of("What is Anna's dog called?"), words_of("What is Anna's dog called then?")
    assert asks_the_same(one, other)


def test_case_and_spacing_leave_the_words_of_a_question_the_same() -> None:
    assert same_words(words_of("Where  does Anna live?"), words_of(" where does anna LIVE?"))
    assert not same_words(words_of("where does Anna live?"), words_of("where did Anna live?"))


def test_what_begins_as_a_question_needs_no_question_mark() -> None:
    assert same_words(words_of("what is the code"), words_of("What is the code?"))
    assert not same_words(words_of("what is the code"), words_of("What is the name?"))


def test_a_statement_is_not_the_question_it_becomes_by_its_mark() -> None:
    assert not same_words(words_of("you live in Rome"), words_of("You live in Rome?"))


def test_where_capitals_can_be_trusted_they_tell_words_apart() -> None:
    assert not same_words(words_of("Does it affect us?"), words_of("Does it affect US?"))


def test_a_similarity_at_the_least_one_is_enough_and_one_below_is_not() -> None:
    assert enough(0.95, 0.95)
    assert enough(0.9499999999, 0.95)
    assert not enough(0.9499, 0.95)


def test_likeness_is_the_cosine_of_counts() -> None:
    assert likeness(words_of("a b"), words_of("b a")) == pytest.approx(1.0)
    assert likeness(words_of("a b"), words_of("a c")) == pytest.approx(0.5)
    assert likeness(words_of("a b"), words_of("c d")) == 0.0
