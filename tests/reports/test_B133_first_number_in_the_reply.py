"""B133: if a model's reply is not clean, the first number in it becomes the rating.

One rule: a reply that does not name exactly one number on the scale of 1 to 10 is no rating, and
whoever asked falls back. So every reply of this report is none; a share or a percentage is not on
the scale that was asked for.
"""

import pytest

from lapse.importance.poignancy import read_rating


@pytest.mark.parametrize(
    "reply",
    [
        "Using 4 criteria, my final rating is 0.3",
        '{"parts": [0.9], "rating": 0.7',
        "70%",
        "no rating possible",
        "",
    ],
)
def test_a_reply_that_is_no_rating_is_none(reply: str) -> None:
    assert read_rating(reply) is None


def test_the_scale_told_back_is_not_the_rating() -> None:
    assert read_rating("On a scale of 1 to 10, this is a 6") == pytest.approx(0.6)
