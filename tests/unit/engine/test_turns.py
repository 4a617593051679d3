"""Turns: one computes, the others wait in the order in which they came."""

import threading

import pytest

from lapse.engine.turns import Turns

WAIT_S = 10


class Visitor(threading.Thread):
    """A thread that takes a turn, says so, and keeps it until it may go."""

    def __init__(self, turns: Turns, name: str, order: list[str]) -> None:
        super().__init__(name=name, daemon=True)
        self.turns, self.order = turns, order
        self.inside, self.may_go = threading.Event(), threading.Event()

    def run(self) -> None:
        with self.turns.taken():
            self.order.append(self.name)
            self.inside.set()
            self.may_go.wait(WAIT_S)


def queued(turns: Turns, *names: str) -> tuple[list[Visitor], list[str]]:
    """Threads that come one after another; each waits, or is inside, before the next comes."""
    order: list[str] = []
    visitors = []
    for waiting, name in enumerate(names):
        visitor = Visitor(turns, name, order)
        visitor.start()
        if waiting == 0:
            assert visitor.inside.wait(WAIT_S)
        while len(turns._waiting) < waiting:
            threading.Event().wait(0.001)
        visitors.append(visitor)
    return visitors, order


def test_turns_go_to_those_who_wait_in_the_order_in_which_they_came() -> None:
    visitors, order = queued(Turns(), "a", "b", "c", "d")

    assert order == ["a"]
    for visitor in visitors:
        visitor.may_go.set()
    for visitor in visitors:
        visitor.join(WAIT_S)

    assert order == ["a", "b", "c", "d"]


def test_whoever_leaves_its_turn_lets_the_next_one_in_and_comes_after_it() -> None:
    turns = Turns()
    order: list[str] = []
    other = Visitor(turns, "other", order)
    other.may_go.set()

    with turns.taken():
        with turns.left():
            other.start()
            assert other.inside.wait(WAIT_S), "the turn was not given on"
        order.append("again")
    other.join(WAIT_S)

    assert order == ["other", "again"]


def test_a_turn_is_given_on_when_what_was_computed_fails() -> None:
    turns = Turns()
    with pytest.raises(ArithmeticError), turns.taken():
        raise ArithmeticError
    visitors, order = queued(turns, "next")
    visitors[0].may_go.set()
    visitors[0].join(WAIT_S)

    assert order == ["next"]


def test_as_many_compute_at_once_as_may() -> None:
    turns = Turns(2)
    order: list[str] = []
    both = [Visitor(turns, name, order) for name in ("a", "b")]
    for each in both:
        each.start()

    assert all(each.inside.wait(WAIT_S) for each in both)
    for each in both:
        each.may_go.set()
        each.join(WAIT_S)


def test_a_turn_that_was_lost_stops_nobody_for_good() -> None:
    turns = Turns(patience_s=0.01)
    turns._take()  # whoever took it was interrupted before they could give it on

    visitors, order = queued(turns, "patient")
    visitors[0].may_go.set()
    visitors[0].join(WAIT_S)

    assert order == ["patient"]
    assert (turns._free, len(turns._waiting)) == (1, 0)


def test_whoever_is_slow_with_its_turn_does_not_leave_two_in_the_end() -> None:
    turns = Turns(patience_s=0.01)
    with turns.taken():
        visitors, order = queued(turns, "impatient")
        visitors[0].may_go.set()
        visitors[0].join(WAIT_S)

    assert order == ["impatient"]
    assert turns._free == 1


def test_begun_anew_nobody_is_waited_for() -> None:
    turns = Turns()
    visitors, _ = queued(turns, "left behind")

    turns.begin_anew()
    with turns.taken():
        assert turns._free == 0
    visitors[0].may_go.set()
    visitors[0].join(WAIT_S)
