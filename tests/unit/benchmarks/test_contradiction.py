"""The benchmark of corrections: it passes every cell, and each cell can fail."""

from pathlib import Path

import pytest

from benchmarks.contradiction import GAPS, SHAPES, Case, measure
from lapse.bank import Bank


def test_every_cell_passes() -> None:
    cells = dict(measure())
    assert len(cells) == 6 * len(SHAPES) * len(GAPS)
    assert [name for name, passed in cells.items() if not passed] == []


def test_a_correction_that_is_not_made_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Bank, "supersede", lambda *_, **__: None)
    case = Case(SHAPES["replacement"], GAPS["minutes"], tmp_path / "a.db")
    assert [case.answers(), case.clean(), case.agrees()] == [False, False, False]
    case.close()
