"""The benchmark of recall's latency measures what it says, on a bank small enough for a test."""

import argparse
import math
from pathlib import Path

import pytest

from benchmarks.bare import Bare, _weights
from benchmarks.latency import Size, Timed, _sizes, bundled, measure, opened, quantile, silent
from benchmarks.many import copies


def test_a_small_bank_gives_all_figures_under_their_stable_names() -> None:
    found = measure(bundled(), Size(memories=60), 6, "file", silent)
    assert {"p50_ms", "p95_ms", "marginal_pct"} <= set(found)
    assert all(math.isfinite(each) for each in found.values())
    assert 0 < found["p50_ms"] <= found["p95_ms"]


def test_the_marginal_cost_is_the_median_of_pairs_over_the_p95_without_forgetting() -> None:
    timed = Timed(off=(1.0, 9.0, 3.0), rank=(1.5, 9.1, 3.5), bare=(2.0, 2.0, 2.0))
    found = timed.results()
    assert found["marginal_ms"] == pytest.approx(500)
    assert found["marginal_pct"] == pytest.approx(100 * 0.5 / 9)
    assert found["p95_by_bare"] == pytest.approx(9.1 / 2)


def test_the_bare_search_finds_what_is_first_by_words_and_by_vector() -> None:
    quiet = [f"the harbour was quiet on day {at}" for at in range(20)]
    found = Bare(["the marmalade was gone", *quiet]).search("where is the Marmalade", 3)
    assert found[0] == 0
    assert len(found) == 3


def test_in_the_bare_search_a_rare_word_weighs_more_than_a_common_one() -> None:
    weights = _weights(["the harbour", "the marmalade", "the sea"])
    (places, marmalade), (everywhere, the) = weights["marmalade"], weights["the"]
    assert places.tolist() == [1]
    assert everywhere.tolist() == [0, 1, 2]
    assert marmalade[0] > the[1] > 0


def test_a_quantile_is_one_of_the_values() -> None:
    values = [5.0, 1.0, 4.0, 2.0, 3.0]
    assert [quantile(values, share) for share in (0, 0.5, 0.95, 1)] == [1, 3, 5, 5]


def test_memories_over_many_banks_are_asked_in_turns_and_each_bank_is_opened() -> None:
    found = measure(bundled(), Size(memories=90, banks=3), 6, "file", silent)
    assert found["first_ms"] > 0
    assert found["open_ms"] > 0
    assert "first_ms" not in measure(bundled(), Size(memories=30), 2, "file", silent)


def test_copies_of_a_bank_hold_what_it_holds(tmp_path: Path) -> None:
    told: list[int] = []
    with opened(str(tmp_path / "many.db")) as mind:
        bank = mind.bank("one")
        bank.remember_many([{"text": "Anna drank tea", "id": "a"}, {"text": "Bert rowed"}])
        mind.drain()
        names = copies(mind, bank, 3, told.append)
        found = [mind.bank(name).recall("Who drank tea?").hits[0] for name in names]
    assert names == ["one", "one_1", "one_2"]
    assert told == [2, 3]
    assert {(each.memory.id, each.score) for each in found} == {("a", found[0].score)}


@pytest.mark.parametrize("text", ["", "ten", "0", "10,-1", "10/0", "10/11", "10/"])
def test_sizes_that_are_no_sizes_are_a_usage_error(text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError):
        _sizes(text)
