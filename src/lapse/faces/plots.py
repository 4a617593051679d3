"""The laws of presets as a picture: how retrievability falls, side by side.

Decides how the PNG of `lapse laws --plot` looks. Refuses to compute: curves come from
`lapse.laws.table`. Imported only when a picture is wanted, because matplotlib is an extra and loads
slowly.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from lapse.laws import FloatArray
from lapse.laws.table import Example, law_curve, levels_of
from lapse.model import presets
from lapse.model.memory import Kind, parse_kind
from lapse.model.policy import Policy

INK, QUIET, FAINT = "#22262b", "#6b7480", "#d9dee4"
PAPER, FADED = "#ffffff", "#f4f1ec"
COLUMNS = 3
DASH = 5
Y_LOW, Y_HIGH = 0.001, 1.4
HOUR, YEAR = 1 / 24, 365.25
X_TICKS = (
    (HOUR, "1 h"),
    (1.0, "1 d"),
    (7.0, "7 d"),
    (30.0, "30 d"),
    (180.0, "180 d"),
    (2 * YEAR, "2 y"),
)
Y_TICKS = (0.001, 0.01, 0.1, 1.0)
AGES_DAYS = np.geomspace(HOUR, 2 * YEAR, 160)


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One curve of every panel: a memory, its colour and its name."""

    importance: float
    uses: int
    colour: str
    label: str


# Told apart with any kind of colour vision.
LINES = (
    Line(importance=0.0, uses=0, colour="#d55e00", label="importance 0"),
    Line(importance=0.5, uses=0, colour="#0072b2", label="importance 0.5"),
    Line(importance=1.0, uses=0, colour="#00805e", label="importance 1"),
    Line(importance=0.5, uses=10, colour="#8e4a9e", label="importance 0.5, ten uses a week apart"),
)


def draw_laws(path: Path, names: Sequence[str], kinds: Sequence[str]) -> None:
    """Draw a panel for each preset and write a PNG.

    Args:
        path: File to write; one that exists is replaced.
        names: Presets; all when empty.
        kinds: The first is drawn; semantic when empty.

    Raises:
        OSError: The file cannot be written.
    """
    chosen = tuple(dict.fromkeys(names)) or presets.NAMES
    kind = parse_kind(kinds[0]) if kinds else Kind.SEMANTIC
    columns = min(COLUMNS, len(chosen))
    rows = ceil(len(chosen) / columns)
    width, height = 3.9 * columns + 0.6, 2.9 * rows + 1.5
    figure = Figure(figsize=(width, height), dpi=160, facecolor=PAPER)
    panels = figure.subplots(rows, columns, sharex=True, sharey=True, squeeze=False)
    figure.subplots_adjust(
        left=0.75 / width,
        right=1 - 0.25 / width,
        bottom=0.7 / height,
        top=1 - 1.15 / height,
        wspace=0.09,
        hspace=0.24,
    )
    for at, axes in enumerate(panels.flat):
        if at < len(chosen):
            _panel(axes, chosen[at], kind, last=at + columns >= len(chosen))
        else:
            axes.set_visible(False)
    _words(figure, width, height, kind)
    figure.savefig(path, format="png")


def _panel(axes: Axes, name: str, kind: Kind, *, last: bool) -> None:
    policy = presets.named(name)
    _prepare(axes)
    axes.tick_params(labelbottom=last)
    axes.set_title(f"{name}", loc="left", size=11, weight="bold", color=INK, pad=6)
    axes.set_title(policy.law.name.value, loc="right", size=9.5, color=QUIET, pad=6)
    _faded(axes, policy)
    drawn: list[FloatArray] = []
    for line in LINES:
        example = Example(kind=kind, importance=line.importance, uses=line.uses)
        curve = np.maximum(law_curve(policy, example, AGES_DAYS), Y_LOW / 10)
        # One on top of others is dashed, each in its own gaps, so that all can be seen.
        under = sum(np.allclose(curve, each) for each in drawn)
        style = "solid" if under == 0 else (DASH * under, (DASH, 3 * DASH))
        axes.plot(AGES_DAYS, curve, color=line.colour, linewidth=1.6, linestyle=style)
        drawn.append(curve)


def _prepare(axes: Axes) -> None:
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlim(HOUR, 2 * YEAR)
    axes.set_ylim(Y_LOW, Y_HIGH)
    axes.xaxis.set_major_locator(FixedLocator([at for at, _ in X_TICKS]))
    axes.xaxis.set_minor_locator(NullLocator())
    names = dict(X_TICKS)
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: names.get(value, "")))
    axes.yaxis.set_major_locator(FixedLocator(list(Y_TICKS)))
    axes.yaxis.set_minor_locator(NullLocator())
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axes.tick_params(colors=QUIET, labelsize=8.5, length=0, pad=5)
    axes.grid(color=FAINT, linewidth=0.6)
    axes.set_axisbelow(True)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.spines["bottom"].set_color(FAINT)


def _faded(axes: Axes, policy: Policy) -> None:
    levels = levels_of(policy)
    if not levels:
        return
    due = levels[-1]
    axes.axhspan(Y_LOW, due, color=FADED, linewidth=0, zorder=0)
    axes.axhline(due, color=QUIET, linewidth=0.8, linestyle=(0, (2, 2)), zorder=1)
    axes.text(HOUR * 1.15, due * 0.9, f"faded below {due:g}", size=8, color=QUIET, va="top")


def _words(figure: Figure, width: float, height: float, kind: Kind) -> None:
    left = 0.75 / width
    title = "How retrievability falls after the last use"
    figure.text(left, 1 - 0.32 / height, title, size=14, weight="bold", color=INK, va="center")
    at = 0.75
    for line in LINES:
        y = 1 - 0.66 / height
        figure.text(at / width, y, "—", size=11, weight="bold", color=line.colour, va="center")
        figure.text((at + 0.2) / width, y, line.label, size=9.5, color=INK, va="center")
        at += 0.42 + 0.073 * len(line.label)
    figure.text(
        left,
        0.2 / height,
        f"Memories of kind {kind.value}. Time and retrievability are logarithmic.",
        size=8.5,
        color=QUIET,
        va="center",
    )
