"""Promise: squared IDF, and likeness to what was used."""

import math

import numpy as np
import pytest

from lapse.importance.promise import PRIOR, likeness, promise, squared_masses

FORWARD = np.array([0, 1, 0, 2, 0, 1, 3], dtype=np.int32)
ENDS = np.array([2, 4, 7, 7], dtype=np.int64)
FREQUENCY = np.array([3, 2, 1, 1], dtype=np.int32)


def test_each_word_counts_with_the_square_of_its_idf() -> None:
    idf = [math.log(5 / (1 + each)) for each in FREQUENCY.tolist()]
    found = squared_masses(FORWARD, ENDS, FREQUENCY, 4)
    assert found.tolist() == pytest.approx(
        [
            idf[0] ** 2 + idf[1] ** 2,
            idf[0] ** 2 + idf[2] ** 2,
            idf[0] ** 2 + idf[1] ** 2 + idf[3] ** 2,
            0,
        ],
        abs=1e-8,
    )


def test_many_ordinary_words_do_not_make_up_for_one_name() -> None:
    forward = np.array([0, 1, 2, 3, 4], dtype=np.int32)
    ends = np.array([4, 5], dtype=np.int64)
    frequency = np.array([30, 30, 30, 30, 1], dtype=np.int32)
    common, name = squared_masses(forward, ends, frequency, 100).tolist()
    assert name > common


def test_words_of_used_texts_raise_the_texts_that_share_them() -> None:
    used = np.array([False, True, False, False])
    found = likeness(FORWARD, ENDS, FREQUENCY, used)
    expected = FREQUENCY * (2 / 7)
    nats = [
        math.log((seen + PRIOR) / (each + PRIOR))
        for seen, each in zip([1, 0, 1, 0], expected.tolist(), strict=True)
    ]
    assert found.tolist() == pytest.approx(
        [nats[0] + nats[1], nats[0] + nats[2], nats[0] + nats[1] + nats[3], 0], abs=1e-8
    )
    assert found[1] > found[0]


def test_without_uses_mass_alone_decides() -> None:
    unused = likeness(FORWARD, ENDS, FREQUENCY, np.zeros(4, np.bool_))
    assert unused.tolist() == [0, 0, 0, 0]
    alike = np.full(3, 0.5)
    assert promise(np.array([1.0, 3.0, 2.0]), np.zeros(3), alike).tolist() == pytest.approx(
        [1 / 6, 5 / 6, 3 / 6]
    )


def test_importance_decides_between_texts_that_say_as_much() -> None:
    importance = np.array([0.2, 0.9, 0.5])
    assert promise(np.ones(3), np.zeros(3), importance).tolist() == pytest.approx(
        [1 / 6, 5 / 6, 3 / 6]
    )


def test_importance_never_lifts_the_emptiest_text_over_the_fullest() -> None:
    emptiest, *_, fullest = promise(
        np.arange(10.0), np.zeros(10), np.linspace(1.0, 0.0, 10)
    ).tolist()
    assert emptiest < fullest


def test_a_bank_without_words_promises_nothing_in_particular() -> None:
    nothing = np.zeros(0, np.int32)
    ends = np.zeros(2, np.int64)
    found = likeness(nothing, ends, nothing, np.array([True, False]))
    assert found.tolist() == [0, 0]
    assert promise(found, found, found).tolist() == [0.5, 0.5]


def test_a_term_beyond_the_table_weighs_nothing() -> None:
    known = likeness(FORWARD[:2], ENDS[:1], FREQUENCY[:1], np.array([True]))
    assert np.isfinite(known).all()
