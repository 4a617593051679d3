"""The curves of need as a picture.

Decides how the saved PNG looks. Refuses to compute: curves come from `play`. Imported only when a
picture is wanted, because matplotlib is an extra and loads slowly.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from lapse.faces.demo.play import Curve, Experience
from lapse.model.instants import DAY

INK, QUIET, FAINT = "#22262b", "#6b7480", "#d9dee4"
PAPER, FADED = "#ffffff", "#f4f1ec"
COLOURS = ("#0072b2", "#8e4a9e", "#d55e00", "#00805e")
"""Of the followed memories, in their order; told apart with any kind of colour vision."""

Y_LOW, Y_HIGH = 0.0018, 1.25
Y_TICKS = (0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)
CLOSE = 0.1
"""Visits nearer than this share of the whole time need their words apart."""

LABEL_GAP = 0.105
"""Least distance of two labels on the right, in decades of need."""


def save(experience: Experience, title: str, path: Path) -> None:
    """Draw the curves of the followed memories and write a PNG.

    Raises:
        OSError: The file cannot be written.
    """
    curves = experience.curves
    start = experience.conversation.sessions[0].at
    visits = [((seen.visit.at - start) / DAY, seen.visit.short) for seen in experience.seen]
    end = visits[-1][0]
    figure = Figure(figsize=(11, 6.2), dpi=160, facecolor=PAPER)
    axes = figure.add_axes((0.075, 0.115, 0.765, 0.70))
    _prepare(axes, end, min(Y_LOW, *(0.7 * float(each.need.min()) for each in curves)))
    _faded(axes, experience.level, end)
    _visits(axes, visits)
    for curve, colour in zip(curves, COLOURS, strict=False):
        _curve(axes, curve, colour)
    _labels(axes, curves, end)
    figure.text(0.075, 0.945, title, size=16, weight="bold", color=INK, va="center")
    figure.text(0.075, 0.895, _subtitle(experience), size=10.5, color=QUIET, va="center")
    figure.savefig(path, format="png")


def _subtitle(experience: Experience) -> str:
    return (
        f"{experience.conversation.title}. Circles: where a use found the memory; "
        "it stands higher afterwards."
    )


def _prepare(axes: Axes, end: float, low: float) -> None:
    axes.set_yscale("log")
    axes.set_ylim(low, Y_HIGH)
    axes.set_xlim(-1.5, end)
    axes.yaxis.set_major_locator(FixedLocator(list(Y_TICKS)))
    axes.yaxis.set_minor_locator(NullLocator())
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axes.xaxis.set_major_locator(
        FixedLocator([float(day) for day in range(0, int(end) + 1, 30 if end < 400 else 90)])
    )
    axes.set_xlabel("days since the conversation began", color=QUIET, size=10.5, labelpad=8)
    axes.set_ylabel("need: chance of use within 30 days", color=QUIET, size=10.5, labelpad=8)
    axes.tick_params(colors=QUIET, labelsize=9.5, length=0, pad=6)
    axes.grid(axis="y", color=FAINT, linewidth=0.6)
    axes.set_axisbelow(True)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.spines["bottom"].set_color(FAINT)


def _faded(axes: Axes, level: float | None, end: float) -> None:
    if level is None:
        return
    axes.axhspan(axes.get_ylim()[0], level, color=FADED, linewidth=0, zorder=0)
    axes.axhline(level, color=QUIET, linewidth=0.9, linestyle=(0, (2, 2)), zorder=1)
    axes.text(
        end * 0.992,
        level * 0.93,
        f"faded: need below {level:g}",
        size=9,
        color=QUIET,
        ha="right",
        va="top",
    )


def _visits(axes: Axes, visits: Sequence[tuple[float, str]]) -> None:
    end = visits[-1][0]
    following = [*(day for day, _ in visits[1:]), 2 * end]
    for (day, words), after in zip(visits, following, strict=True):
        axes.axvline(day, color=INK, linewidth=0.7, alpha=0.28, zorder=1)
        axes.annotate(
            words,
            (day, 1.0),
            xycoords=("data", "axes fraction"),
            xytext=(0, 5),
            textcoords="offset points",
            size=9,
            color=QUIET,
            ha="right" if after - day < CLOSE * end else "center",
            va="bottom",
        )


def _curve(axes: Axes, curve: Curve, colour: str) -> None:
    axes.plot(
        curve.days, curve.need, color=colour, linewidth=1.7, solid_joinstyle="round", zorder=3
    )
    before = np.searchsorted(curve.days, curve.used_on)
    axes.plot(
        curve.used_on,
        curve.need[before],
        linestyle="none",
        marker="o",
        markersize=5.5,
        markerfacecolor=PAPER,
        markeredgecolor=colour,
        markeredgewidth=1.5,
        zorder=4,
    )


def _labels(axes: Axes, curves: Sequence[Curve], end: float) -> None:
    """Name and last need at the right end of each curve, pushed apart where they would touch."""
    placed = Y_HIGH * 10
    order = sorted(range(len(curves)), key=lambda each: -float(curves[each].need[-1]))
    for index in order:
        curve = curves[index]
        need = float(curve.need[-1])
        y = min(need, placed / 10**LABEL_GAP)
        placed = y
        uses = len(curve.used_on)
        told = "never used" if uses == 0 else f"used {uses}×" if uses > 1 else "used once"
        axes.annotate(
            curve.followed.name,
            (end, y),
            xytext=(9, 1),
            textcoords="offset points",
            size=11.5,
            weight="bold",
            color=COLOURS[index],
            va="bottom",
            annotation_clip=False,
        )
        axes.annotate(
            f"{need:.2g}, {told}",
            (end, y),
            xytext=(9, 0),
            textcoords="offset points",
            size=9,
            color=QUIET,
            va="top",
            annotation_clip=False,
        )
