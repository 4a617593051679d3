"""K18, our own: a model answers on another scale than it was asked for.

A rating beyond the scale is not cut down to its end: it is none.
"""

import pytest

from lapse.importance.poignancy import read_rating


@pytest.mark.parametrize("reply", ["85", "85/100", "0.85", "0", "-2", "11/10", "8,5", "1e1"])
def test_a_number_of_another_scale_is_no_rating(reply: str) -> None:
    assert read_rating(reply) is None
