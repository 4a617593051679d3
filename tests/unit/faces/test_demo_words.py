"""How the demo's story words lengths of time, counts and shares."""

import math

import pytest

from lapse.faces.demo.claims import counted, span
from lapse.faces.demo.pages import decimal


@pytest.mark.parametrize(
    ("days", "words"),
    [
        (0.5, "12 hours"),
        (4.8, "5 days"),
        (59.0, "59 days"),
        (150.0, "5 months"),
        (3650.0, "10 years"),
        (36_524.0, "100 years"),
        (math.inf, "more than a century"),
    ],
)
def test_a_length_of_time_is_told_in_the_unit_a_person_would_choose(
    days: float, words: str
) -> None:
    assert span(days) == words


def test_uses_are_counted_in_words() -> None:
    assert [counted(each) for each in (0, 1, 14)] == ["no use", "1 use", "14 uses"]


def test_a_share_is_shown_without_the_zero_before_its_point() -> None:
    assert [decimal(0.256, 2), decimal(0.0026, 3), decimal(1.0, 2)] == [".26", ".003", "1.00"]
