"""The benchmarks of erasure measure what they say."""

from pathlib import Path

from benchmarks.durability import WAITING, passed_of, steps_of
from benchmarks.tombstones import checks


def test_every_step_that_can_be_taken_is_passed_on_both_stores(tmp_path: Path) -> None:
    for target in ("memory://", str(tmp_path / "durability.db")):
        steps = steps_of(target)
        assert len(steps) == 13
        assert {name for name, each in steps.items() if each != "passed"} == set(WAITING)
        assert passed_of(steps) == 13


def test_a_check_is_timed_against_as_many_tombstones_as_asked_for() -> None:
    measured = checks(50)
    assert measured["tombstones"] == 50
    assert 0 < measured["check_ms"] <= measured["check_p95_ms"]
