"""What one process knows of the questions that were answered."""

import numpy as np

from lapse.cache.shelf import Shelf
from tests.unit.cache.answers import kept


def _shelf() -> Shelf:
    shelf = Shelf()
    shelf.take([kept("who came?", 4), kept("who left?", 7)])
    return shelf


def test_it_knows_the_questions_in_the_order_of_putting_and_how_far_it_has_seen() -> None:
    shelf = _shelf()
    assert [each.query for each in shelf.entries()] == ["who came?", "who left?"]
    assert (len(shelf), shelf.seen) == (2, 7)


def test_a_question_put_again_stands_once_under_its_later_number() -> None:
    shelf = _shelf()
    shelf.take([kept("Who came?", 9)])
    assert [(each.query, each.number) for each in shelf.entries()] == [
        ("who left?", 7),
        ("Who came?", 9),
    ]
    shelf.take([kept("who came?", 4)])
    assert [each.number for each in shelf.entries()] == [7, 9]


def test_what_is_gone_is_not_among_them_and_what_was_seen_stays_seen() -> None:
    shelf = _shelf()
    shelf.drop([kept("who left?").answer.id, "unknown"])
    assert [each.query for each in shelf.entries()] == ["who came?"]
    assert shelf.seen == 7
    shelf.clear()
    assert (len(shelf), shelf.seen) == (0, 0)


def test_vectors_belong_to_one_space_and_go_with_their_question() -> None:
    shelf = _shelf()
    assert [each.number for each in shelf.without_vector(1)] == [4, 7]
    shelf.take_vectors(1, {4: np.ones(2, np.float32), 7: np.ones(2, np.float32)})
    assert not shelf.without_vector(1)
    shelf.drop([kept("who came?").answer.id])
    assert list(shelf.vectors(1)) == [7]
    assert [each.number for each in shelf.without_vector(2)] == [7]
    shelf.take_vectors(1, {7: np.ones(2, np.float32)})
    assert not shelf.vectors(2)
