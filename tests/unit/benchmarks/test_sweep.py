"""The sweep benchmark counts what it says it counts."""

from benchmarks.sweep import explain, sweep_cost
from benchmarks.sweep_stores import Contents


def test_a_sweep_writes_what_is_due_and_never_reads_what_is_pinned_or_healthy() -> None:
    cost = sweep_cost(Contents(healthy=80, due=30, pinned=40, held=6, cited=5), rounds=2)
    assert (cost.due, cost.spared) == (30, 11)
    assert (cost.rows_written, cost.rows_read, cost.entries_read) == (30, 41, 41)
    assert cost.ms > 0


def test_each_round_sweeps_the_same_again() -> None:
    one, three = (sweep_cost(Contents(healthy=10, due=5), rounds=rounds) for rounds in (1, 3))
    assert (one.due, one.rows_read) == (three.due, three.rows_read) == (5, 5)


def test_what_is_due_is_found_along_its_index() -> None:
    assert any("retention_due" in str(step) for step in explain())
