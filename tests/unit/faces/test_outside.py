"""The outside world: clock and ids on a real machine."""

import os
import threading
import time
import uuid

from hypothesis import given
from hypothesis import strategies as st

from lapse.faces.outside import SystemClock, TimeOrderedIds
from lapse.model.instants import LATEST, Instant
from lapse.testing.fakes import START, SeededEntropy


def test_the_clock_tells_the_machines_time_in_utc_microseconds() -> None:
    before = time.time_ns() // 1000
    now = SystemClock().now()
    after = time.time_ns() // 1000

    assert before <= now <= after


@given(st.lists(st.integers(-(10**15), LATEST), min_size=1, max_size=50))
def test_ids_of_one_maker_only_grow_even_when_the_clock_is_set_back(times: list[int]) -> None:
    make = TimeOrderedIds(os.urandom)

    ids = [make(Instant(each)) for each in times]

    assert ids == sorted(set(ids))


def test_many_ids_of_one_instant_are_all_different_and_in_order() -> None:
    make = TimeOrderedIds(os.urandom)

    ids = [make(START) for _ in range(20_000)]

    assert ids == sorted(set(ids))


def test_an_id_is_a_uuid_of_version_7_that_tells_its_time() -> None:
    made = uuid.UUID(TimeOrderedIds(os.urandom)(START))

    assert (made.version, made.variant) == (7, uuid.RFC_4122)
    assert made.int >> 80 == START // 1000


def test_two_makers_agree_on_order_across_milliseconds_and_never_on_an_id() -> None:
    one, other = TimeOrderedIds(os.urandom), TimeOrderedIds(os.urandom)

    assert one(START) != other(START)
    assert one(Instant(START + 1000)) > other(START)


def test_threads_share_a_maker_without_an_id_made_twice() -> None:
    make = TimeOrderedIds(os.urandom)
    made: list[str] = []

    def work() -> None:
        made.extend([make(START) for _ in range(2000)])

    threads = [threading.Thread(target=work) for _ in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()

    assert len(set(made)) == 8000


def test_ids_of_the_same_chance_and_instants_are_the_same() -> None:
    one, other = TimeOrderedIds(SeededEntropy(1)), TimeOrderedIds(SeededEntropy(1))

    assert [one(START) for _ in range(3)] == [other(START) for _ in range(3)]
    assert one(START) != TimeOrderedIds(SeededEntropy(2))(START)
