"""B134: a reply such as `Rating: 8` is not understood.

A rating n on the scale of 1 to 10 is an importance of n/10.
"""

import pytest

from lapse.importance.poignancy import read_rating


@pytest.mark.parametrize(
    ("reply", "rating"),
    [
        ("8", 8),
        ("Rating: 8", 8),
        ("8/10", 8),
        ("**8**", 8),
        ("10", 10),
        ("8.5", 8.5),
        ("10/10", 10),
        (" 7\n", 7),
    ],
)
def test_a_rating_is_understood_however_it_is_dressed(reply: str, rating: float) -> None:
    assert read_rating(reply) == pytest.approx(rating / 10)
