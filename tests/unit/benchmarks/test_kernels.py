"""The measure of what laws cost: its traffic, its memories and its least times."""

import numpy as np
import pytest

from benchmarks.kernels import NOW, TRAFFIC_BYTES, least_seconds, measure, memories, results
from lapse.laws import law_for
from lapse.model.policy import LawName, LawPolicy


def test_each_law_is_measured_under_its_own_name() -> None:
    found = results(measure(count=3000, rounds=1))
    assert list(found) == [each.value for each in LawName]
    for each in found.values():
        assert isinstance(each, dict)
        assert list(each) == ["ns_per_memory", "bandwidth_share"]
        assert min(each.values()) > 0


def test_a_law_cannot_avoid_reading_what_it_computes_from() -> None:
    assert TRAFFIC_BYTES[LawName.EBBINGHAUS] == 8 + 8 + 8
    assert TRAFFIC_BYTES[LawName.ACTIVATION] == 80 + 8 + 8 + 8 + 8


@pytest.mark.parametrize("name", [each for each in LawName if each is not LawName.NONE])
def test_the_memories_measured_are_neither_all_fresh_nor_all_gone(name: LawName) -> None:
    recalled = law_for(LawPolicy(name=name)).retrievability(memories(1000), NOW)
    assert np.ptp(recalled) > 0.5


def test_the_least_time_of_each_part_is_kept() -> None:
    done: list[str] = []
    acts = [lambda: done.append("first"), lambda: done.append("second")]
    least = least_seconds([1e9, 0.0], acts)
    assert done == ["first", "second"]
    assert 0 < least[0] < 1e9
    assert least[1] == 0.0
