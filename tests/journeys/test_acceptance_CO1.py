"""CO1: five shapes of correction; after the index is rebuilt the answer is right.

Control: the old value is answerable as of then. The cells are those of the benchmark.
"""

from pathlib import Path

import pytest

from benchmarks.contradiction import GAPS, SHAPES, Case


@pytest.mark.parametrize("shape", SHAPES)
def test_a_correction_holds_after_a_rebuild_and_history_is_answerable(
    shape: str, tmp_path: Path
) -> None:
    case = Case(SHAPES[shape], GAPS["months"], tmp_path / "lapse.db")
    case.work()
    assert case.answers()
    assert case.clean()
    assert case.agrees()
    assert case.knows_then()
    case.close()
