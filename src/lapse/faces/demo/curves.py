"""Curves of need in a terminal: braille dots on a logarithmic axis.

Decides how a few series become characters. Refuses to know what a series means: it is given
numbers, labels and colours.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from rich.text import Text

from lapse.laws import FloatArray

GUTTER = 6
"""Characters left of the plot, for the axis."""

_DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
"""Bits of the eight dots of a braille character, by row and column."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Series:
    """One curve.

    Attributes:
        label: Printed at its right end.
        colour: A colour that rich knows.
        x: Shape (n,), rising.
        y: Shape (n,), > 0.
        marks: Places on x to be marked below the plot.
    """

    label: str
    colour: str
    x: FloatArray
    y: FloatArray
    marks: Sequence[float] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """Size and axes of a plot.

    Attributes:
        width, height: Characters of the plot itself.
        x_end: Right end of the x axis, which starts at 0.
        y_low, y_high: Ends of the y axis, both > 0.
        x_ticks, y_ticks: Values and what is printed beside them.
        level: A value on y drawn as a dotted line, or None.
    """

    width: int
    height: int
    x_end: float
    y_low: float
    y_high: float
    x_ticks: Sequence[tuple[float, str]]
    y_ticks: Sequence[tuple[float, str]]
    level: float | None = None

    def row(self, y: float, rows: int) -> int:
        """Row from the top, of `rows`, in which a value lies."""
        share = math.log(y / self.y_low) / math.log(self.y_high / self.y_low)
        return round((1 - min(max(share, 0.0), 1.0)) * (rows - 1))

    def column(self, x: float, columns: int) -> int:
        """Column from the left, of `columns`, in which a value lies."""
        return round(min(max(x / self.x_end, 0.0), 1.0) * (columns - 1))


def plot(frame: Frame, series: Sequence[Series]) -> Iterator[Text]:
    """The lines of a plot: curves, x axis, and a line of marks for each series that has some."""
    cells = _cells(frame, series)
    ends = _ends(frame, series)
    ticks = {frame.row(value, frame.height): label for value, label in frame.y_ticks}
    level = None if frame.level is None else frame.row(frame.level, frame.height)
    for row in range(frame.height):
        line = Text(f"{ticks.get(row, ''):>{GUTTER - 2}} ┤" if row in ticks else " " * 5 + "│")
        for column in range(frame.width):
            bits, colour = cells.get((row, column), (0, ""))
            blank = "┈" if row == level else " "
            line.append(chr(0x2800 + bits) if bits else blank, style=colour if bits else "dim")
        if row in ends:
            line.append(f" {ends[row].label}", style=f"bold {ends[row].colour}")
        yield line
    yield _axis(frame, "└", [(value, "┴") for value, _ in frame.x_ticks], fill="─")
    yield _axis(frame, " ", frame.x_ticks, fill=" ")
    for each in series:
        if each.marks:
            line = _axis(frame, " ", [(at, "●") for at in each.marks], fill=" ")
            line.append(f" {each.label}")
            line.stylize(each.colour)
            yield line


def _cells(frame: Frame, series: Sequence[Series]) -> dict[tuple[int, int], tuple[int, str]]:
    """Braille bits and colour by (row, column); the later series colours a shared cell."""
    cells: dict[tuple[int, int], tuple[int, str]] = {}
    for each in series:
        before: int | None = None
        for x, y in _lows(frame, each):
            dot = frame.row(y, frame.height * 4)
            start = dot if before is None else before + (dot > before) - (dot < before)
            for at in range(min(start, dot), max(start, dot) + 1):
                place = (at // 4, x // 2)
                bits = cells.get(place, (0, ""))[0] | _DOTS[at % 4][x % 2]
                cells[place] = (bits, each.colour)
            before = dot
    return cells


def _lows(frame: Frame, series: Series) -> Iterator[tuple[int, float]]:
    """Lowest value in each column of dots: what is left between uses, without their spikes."""
    columns = np.array([frame.column(float(x), frame.width * 2) for x in series.x])
    for column in range(int(columns[0]), int(columns[-1]) + 1):
        inside = series.y[columns == column]
        if len(inside):
            yield column, float(inside.min())


def _ends(frame: Frame, series: Sequence[Series]) -> dict[int, Series]:
    """Row of each label: where its curve ends, or the next free row below."""
    ends: dict[int, Series] = {}
    for each in sorted(series, key=lambda one: -float(one.y[-1])):
        row = frame.row(float(each.y[-1]), frame.height)
        while row in ends:
            row += 1
        ends[row] = each
    return ends


def _axis(frame: Frame, start: str, marks: Sequence[tuple[float, str]], fill: str) -> Text:
    cells = [fill] * frame.width
    for value, label in marks:
        at = min(frame.column(value, frame.width), frame.width - len(label))
        cells[at : at + len(label)] = label
    return Text(" " * (GUTTER - 1) + start + "".join(cells))
