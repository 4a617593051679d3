"""The benchmark of recall's latency measures what it says, on a bank small enough for a test."""

import argparse
import math

import pytest

from benchmarks.bare import Bare, _weights
from benchmarks.latency import Timed, _sizes, bundled, measure, quantile


def test_a_small_bank_gives_all_figures_under_their_stable_names() -> None:
    found = measure(bundled(), 60, 6, "file")
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


@pytest.mark.parametrize("text", ["", "ten", "0", "10,-1"])
def test_sizes_that_are_no_sizes_are_a_usage_error(text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError):
        _sizes(text)
