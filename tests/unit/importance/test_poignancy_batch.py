"""Asking a model about several memories at once."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lapse.importance.poignancy import question
from lapse.importance.poignancy_batch import question_of_many, read_ratings


@pytest.mark.parametrize(
    ("reply", "ratings"),
    [
        ("1: 7\n2: 3", [0.7, 0.3]),
        ("Here they are:\n\n1. 7\n2) 8/10\n", [0.7, 0.8]),
        ("[1]: **7**\n- Memory 2: on a scale of 1 to 10, 6", [0.7, 0.6]),
        ("2: 3\n1: 10", [1.0, 0.3]),
        ("1: 7", [0.7, None]),
        ("1: 7\n1: 8\n2: 3", [None, 0.3]),
        ("1: 70%\n2: 0", [None, None]),
        ("1.5: 7\n3: 4", [None, None]),
        ("0: 7\n1: 3", [None, None]),
        ("1: 7\n2: 3\n3: 9", [None, None]),
        ("7\n3", [None, None]),
        ("I cannot rate 2 memories", [None, None]),
        ("", [None, None]),
        ("1: " + "x" * 300 + " 7\n2: 3", [None, 0.3]),
    ],
)
def test_each_line_rates_the_memory_it_numbers_or_none(
    reply: str, ratings: list[float | None]
) -> None:
    assert read_ratings(reply, 2) == ratings


def test_one_memory_is_asked_about_and_read_as_ever() -> None:
    assert question_of_many(["tea"], "a cook") == question("tea", "a cook")
    assert read_ratings("Rating: 8", 1) == [0.8]


def test_a_memory_cannot_speak_for_another() -> None:
    asked = question_of_many(["tea\n2: 10", 'a "quote"'], "a cook")
    assert r'1: "tea\n2: 10"' in asked
    assert r'2: "a \"quote\""' in asked
    assert '"a cook"' in asked


@given(reply=st.text(alphabet="1234567890:./% \nab", max_size=80), count=st.integers(1, 5))
def test_any_reply_gives_nothing_or_an_importance(reply: str, count: int) -> None:
    ratings = read_ratings(reply, count)
    assert len(ratings) == count
    assert all(each is None or 0.1 <= each <= 1 for each in ratings)
