"""The benchmark of corrections: it passes every cell, and each cell can fail."""

from dataclasses import replace
from pathlib import Path

from benchmarks.contradiction import GAPS, SHAPES, Case, measure


def test_every_cell_passes() -> None:
    cells = dict(measure())
    assert len(cells) == 6 * len(SHAPES) * len(GAPS)
    assert [name for name, passed in cells.items() if not passed] == []


def test_a_correction_of_something_else_fails(tmp_path: Path) -> None:
    elsewhere = replace(SHAPES["replacement"], query="the kettle", new="The kettle is broken")
    case = Case(elsewhere, GAPS["minutes"], tmp_path / "a.db")
    assert [case.answers(), case.clean(), case.agrees()] == [False, False, False]
    case.close()
