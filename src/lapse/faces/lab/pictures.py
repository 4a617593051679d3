"""The pictures of a report on a bank's forgetting, as PNG.

Decides how each looks, and leaves out one that there is nothing to draw for. Refuses to compute:
figures come from `lapse.lab.reporting`. Imported only when a picture is wanted, because matplotlib
is an extra and loads slowly.
"""

import io
from collections.abc import Callable, Mapping
from itertools import cycle
from types import MappingProxyType
from typing import Final

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from lapse.lab.comparing import SHARES
from lapse.lab.reporting import ReportFigures
from lapse.model.instants import DAY

INK, QUIET, FAINT, PAPER, FADED = "#22262b", "#6b7480", "#d9dee4", "#ffffff", "#f4f1ec"
COLOURS: Final = ("#0072b2", "#d55e00", "#00805e", "#8e4a9e", "#b8860b", "#56758f")
"""Told apart with any kind of colour vision."""

_SIZE: Final = (7.2, 4.2)
_DPI: Final = 130
_BASELINES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "lru": "#6b7480",
        "lfu": "#9aa5b1",
        "random": "#c9b8a0",
        "clairvoyant": "#22262b",
        "arc": "#a88fb0",
    }
)
"""What needs no law, and its quieter colours."""


def pictures_of(figures: ReportFigures) -> dict[str, bytes]:
    """PNGs by name, in the order of the report."""
    return {
        name: _drawn(draw, figures) for name, (there, draw) in _PICTURES.items() if there(figures)
    }


def _drawn(draw: Callable[[Axes, ReportFigures], None], figures: ReportFigures) -> bytes:
    figure = Figure(figsize=_SIZE, dpi=_DPI, facecolor=PAPER, layout="constrained")
    axes = figure.subplots()
    axes.tick_params(colors=QUIET, labelsize=9, length=0, pad=5)
    axes.grid(color=FAINT, linewidth=0.6)
    axes.set_axisbelow(True)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.spines["bottom"].set_color(FAINT)
    draw(axes, figures)
    axes.xaxis.label.set_color(QUIET)
    axes.yaxis.label.set_color(QUIET)
    if axes.get_legend_handles_labels()[1]:
        figure.legend(loc="outside lower left", ncols=3, fontsize=8, frameon=False, labelcolor=INK)
    written = io.BytesIO()
    figure.savefig(written, format="png", metadata={"Software": None})
    return written.getvalue()


def _curves(axes: Axes, figures: ReportFigures) -> None:
    axes.set_xscale("symlog", linthresh=1)
    axes.set_yscale("log")
    lowest = min(each.retrievability[-1] for each in figures.curves)
    floor = max(min(lowest, figures.level or 1.0) / 2, 1e-6)
    axes.set_ylim(floor, 1.3)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
        axis.set_minor_locator(NullLocator())
    for each, colour in zip(figures.curves, cycle(COLOURS), strict=False):
        used = f"used {each.uses}×" if each.uses else "never used"
        label = f"{each.memory_id[:18]}: {each.age_days:.0f} d old, {used}"
        axes.plot(each.days, each.retrievability, color=colour, linewidth=1.7, label=label)
    if figures.level is not None:
        axes.axhspan(floor, figures.level, color=FADED, zorder=0)
        axes.axhline(figures.level, color=QUIET, linewidth=0.9, linestyle=(0, (2, 2)))
    axes.set_xlabel("days from now, without a use")
    axes.set_ylabel("retrievability")


def _reliability(axes: Axes, figures: ReportFigures) -> None:
    rows = figures.fit.reliability
    top = max(max(each.predicted, each.observed) for each in rows) * 1.08
    axes.plot((0, top), (0, top), color=QUIET, linewidth=0.9, linestyle=(0, (2, 2)))
    axes.plot(
        [each.predicted for each in rows],
        [each.observed for each in rows],
        color=COLOURS[0],
        marker="o",
        linewidth=1.4,
        label="each tenth of the memories",
    )
    axes.set_xlabel("need that was foreseen")
    axes.set_ylabel("share that was needed")


def _kept(axes: Axes, figures: ReportFigures) -> None:
    colours = cycle(COLOURS)
    for name, curve in figures.compared.items():
        if name in _BASELINES:
            axes.plot(
                SHARES,
                curve.hit_rates,
                color=_BASELINES[name],
                linewidth=1.1,
                linestyle=(0, (4, 2)),
                label=name,
            )
        else:
            axes.plot(
                SHARES,
                curve.hit_rates,
                color=next(colours),
                marker="o",
                markersize=4,
                linewidth=1.8,
                label=name,
            )
    axes.set_ylim(0, 1.02)
    axes.set_xlabel("share of the memories that is kept")
    axes.set_ylabel("share of the uses that falls on them")


def _active(axes: Axes, figures: ReportFigures) -> None:
    for (name, rollout), colour in zip(figures.rollouts.items(), cycle(COLOURS), strict=False):
        days = [0.0, *((each.at - rollout.start) / DAY for each in rollout.steps)]
        sizes = [rollout.active, *(each.active for each in rollout.steps)]
        axes.step(days, sizes, where="post", color=colour, linewidth=1.7, label=name)
    axes.set_ylim(bottom=0)
    axes.set_xlabel("days from now, if nothing is told or used")
    axes.set_ylabel("active memories")


def _levels(axes: Axes, figures: ReportFigures) -> None:
    axes.plot(
        [each.level for each in figures.levels],
        [each.active for each in figures.levels],
        color=COLOURS[0],
        marker="o",
        linewidth=1.7,
    )
    if figures.level is not None:
        axes.axvline(figures.level, color=QUIET, linewidth=0.9, linestyle=(0, (2, 2)))
    axes.set_xscale("log")
    axes.xaxis.set_major_locator(FixedLocator([each.level for each in figures.levels]))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:.3g}"))
    axes.set_ylim(bottom=0)
    axes.set_xlabel("level below which a memory has faded")
    axes.set_ylabel(f"active memories after {figures.days} days")


_There = Callable[[ReportFigures], bool]
_PICTURES: Final[Mapping[str, tuple[_There, Callable[[Axes, ReportFigures], None]]]] = (
    MappingProxyType(
        {
            "forgetting-curves": (lambda figures: bool(figures.curves), _curves),
            "reliability": (lambda figures: bool(figures.fit.reliability), _reliability),
            "kept": (lambda figures: bool(figures.compared), _kept),
            "active-set": (lambda figures: bool(figures.rollouts), _active),
            "levels": (lambda figures: bool(figures.levels), _levels),
        }
    )
)
