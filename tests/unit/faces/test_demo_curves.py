"""The demo's plot in a terminal, and its picture."""

import numpy as np
import pytest

from lapse.faces.demo.curves import Frame, Series, plot


def _frame(level: float | None = None) -> Frame:
    return Frame(
        width=40,
        height=8,
        x_end=100.0,
        y_low=0.001,
        y_high=1.0,
        x_ticks=[(0.0, "0"), (100.0, "100")],
        y_ticks=[(1.0, "1"), (0.001, ".001")],
        level=level,
    )


def _series(label: str, y_first: float, y_last: float, marks: tuple[float, ...] = ()) -> Series:
    x = np.linspace(0.0, 100.0, 400)
    y = np.geomspace(y_first, y_last, 400)
    return Series(label=label, colour="red", x=x, y=y, marks=marks)


def _lines(*series: Series, level: float | None = None) -> list[str]:
    return [each.plain for each in plot(_frame(level), series)]


def _dotted(line: str) -> list[int]:
    return [at for at, character in enumerate(line) if "\u2801" <= character <= "\u28ff"]


def test_a_falling_curve_runs_from_the_upper_left_to_the_lower_right() -> None:
    lines = _lines(_series("lunch", 1.0, 0.001))
    starts = [min(_dotted(line)) for line in lines[:8]]
    assert starts == sorted(starts)
    assert starts[0] < 8
    assert starts[7] > 38


def test_every_column_of_a_curve_has_a_dot() -> None:
    lines = _lines(_series("lunch", 1.0, 0.001))
    assert {at for line in lines[:8] for at in _dotted(line)} == set(range(6, 46))


def test_curves_that_end_together_keep_their_labels_apart() -> None:
    lines = _lines(_series("tea", 0.5, 0.1), _series("name", 0.9, 0.1))
    assert [line.split()[-1] for line in lines if line.endswith(("tea", "name"))] != []
    assert sum(line.endswith(" tea") for line in lines) == 1
    assert sum(line.endswith(" name") for line in lines) == 1


@pytest.mark.parametrize("value", [1e-9, 50.0])
def test_what_lies_outside_the_axis_is_drawn_at_its_edge(value: float) -> None:
    lines = _lines(_series("flat", value, value))
    edge = 7 if value < 0.001 else 0
    assert [bool(_dotted(line)) for line in lines[:8]] == [row == edge for row in range(8)]


def test_uses_are_marked_below_where_they_happened() -> None:
    lines = _lines(_series("tea", 0.5, 0.1, marks=(0.0, 100.0)))
    marks = lines[-1]
    assert [at for at, character in enumerate(marks) if character == "●"] == [6, 45]
    assert marks.endswith("tea")


def test_a_curve_without_uses_has_no_line_of_marks() -> None:
    assert not any("●" in line for line in _lines(_series("lunch", 0.5, 0.1)))


def test_a_level_is_drawn_across_the_plot() -> None:
    assert any(line.count("┈") >= 40 for line in _lines(_series("a", 1.0, 0.9), level=0.01))
    assert not any("┈" in line for line in _lines(_series("a", 1.0, 0.9)))
