"""Ratings by a model: the question, and the one rule by which a reply is read."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lapse.importance.poignancy import LONGEST_REPLY, question, read_rating


@pytest.mark.parametrize(
    ("reply", "rating"),
    [
        ("8", 8),
        (" 7\n", 7),
        ("Rating: 8", 8),
        ("8/10", 8),
        ("**8**", 8),
        ("10", 10),
        ("8.5", 8.5),
        ("10/10", 10),
        ("1", 1),
        ("I would say 6.", 6),
        ("On a scale of 1 to 10, I rate this a 6", 6),
        ("scale 1-10: 6", 6),
        ("6 out of 10", 6),
        ('{"rating": 7}', 7),
        ("On a 1-to-10 scale: 6", 6),
        ("1 (lowest) to 10 (highest): 6", 6),
        ("6 on the 10-point scale", 6),
        ("Between 1 and 10, a 6 because of his health", 6),
        ("<rating>6</rating>", 6),
        ("Rating: 6\n\nIt tells of a plan.", 6),
    ],
)
def test_a_reply_with_one_rating_is_a_tenth_of_it(reply: str, rating: float) -> None:
    assert read_rating(reply) == pytest.approx(rating / 10)


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "no rating possible",
        "Using 4 criteria, my final rating is 0.3",
        '{"parts": [0.9], "rating": 0.7',
        "70%",
        "7 %",
        "0",
        "11",
        "-3",
        "0.3",
        "3 or 4",
        "1 to 10",
        "v8",
        "8th",
        "8/100",
        "1,000",
        "6 since it happened 3 days ago",
        "Sorry, it has only 5 words.",
        "As an AI I cannot rate this; I have 2 concerns.",
        "I need 3 more facts",
        "The user is 9 years old.",
        "It happened on May 5",
        "Memory 3: no rating",
        "No. 4",
        "#3",
        "6 stars",
        "٨",
        "8" + " and so on" * 50,
    ],
)
def test_a_reply_that_names_no_single_rating_is_none(reply: str) -> None:
    assert read_rating(reply) is None


@given(reply=st.text(max_size=2 * LONGEST_REPLY))
def test_any_reply_gives_nothing_or_an_importance(reply: str) -> None:
    found = read_rating(reply)
    assert found is None or 0.1 <= found <= 1


@given(text=st.text())
def test_a_memory_stays_on_one_quoted_line_of_the_question(text: str) -> None:
    lines = question(text, "planning\ntrips").split("\n")
    assert len(lines) == 3
    assert lines[1].startswith('Memory: "')
    assert lines[2] == "Rating:"
