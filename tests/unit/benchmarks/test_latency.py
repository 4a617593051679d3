"""The benchmark of recall's latency measures what it says, on a bank small enough for a test."""

import argparse
import math

import pytest

from benchmarks.bare import Bare
from benchmarks.latency import Timed, _sizes, bundled, measure, quantile


def test_a_small_bank_gives_all_figures_under_their_stable_names() -> None:
    found = measure(bundled(), 60, 6)
    assert {"p50_ms", "p95_ms", "marginal_pct"} <= set(found)
    assert all(math.isfinite(each) for each in found.values())
    assert 0 < found["p50_ms"] <= found["p95_ms"]


def test_the_marginal_cost_is_the_median_of_pairs_over_the_p95_without_forgetting() -> None:
    timed = Timed(off=(1.0, 9.0, 3.0), rank=(1.5, 9.1, 3.5), bare=(2.0, 2.0, 2.0))
    found = timed.results()
    assert found["marginal_ms"] == pytest.approx(500)
    assert found["marginal_pct"] == pytest.approx(100 * 0.5 / 9)
    assert found["p95_by_bare"] == pytest.approx(9.1 / 2)


def test_the_bare_search_finds_the_text_that_holds_the_rare_word() -> None:
    texts = [f"the harbour was quiet on day {at}" for at in range(20)]
    found = Bare([*texts, "the marmalade was gone"]).search("where is the Marmalade", 3)
    assert 20 in found


def test_a_quantile_is_one_of_the_values() -> None:
    values = [5.0, 1.0, 4.0, 2.0, 3.0]
    assert [quantile(values, share) for share in (0, 0.5, 0.95, 1)] == [1, 3, 5, 5]


@pytest.mark.parametrize("text", ["", "ten", "0", "10,-1"])
def test_sizes_that_are_no_sizes_are_a_usage_error(text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError):
        _sizes(text)
