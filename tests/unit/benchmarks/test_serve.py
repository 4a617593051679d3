"""The benchmark of serving measures what it says, on a bank small enough for a test."""

import math

import pytest

pytest.importorskip("fastapi", reason="needs the extra server")
pytest.importorskip("mcp", reason="needs the extra mcp")

from benchmarks.serve import Seen, measure

NAMES = {
    "recall_p50_ms",
    "recall_p95_ms",
    "remember_p50_ms",
    "remember_p95_ms",
    "errors",
    "write_to_recallable_p95_ms",
    "http_added_ms",
    "mcp_recall_p50_ms",
    "paced_recall_p95_ms",
    "paced_write_to_recallable_p95_ms",
}


def test_a_small_bank_gives_all_figures_under_their_stable_names() -> None:
    found = measure(60, 2, 1, 5)
    assert set(found) >= NAMES
    numbers = [float(str(each)) for each in found.values()]
    assert all(math.isfinite(each) for each in numbers)
    assert found["errors"] == 0
    assert 0 < float(str(found["recall_p50_ms"])) <= float(str(found["recall_p95_ms"]))


def test_what_several_clients_saw_is_put_together() -> None:
    whole = Seen(recall_s=[1.0], errors=1)
    whole.add(Seen(recall_s=[2.0], remember_s=[3.0], recallable_s=[4.0], errors=2))
    assert whole == Seen(recall_s=[1.0, 2.0], remember_s=[3.0], recallable_s=[4.0], errors=3)
