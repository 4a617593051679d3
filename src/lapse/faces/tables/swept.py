"""Sweeps and canaries for people: what went, what was spared, how large the active set is.

Decides what of a report is worth a line, and how its history is drawn in a terminal. Refuses to
judge.
"""

from collections.abc import Iterator, Sequence
from typing import assert_never

from rich.console import RenderableType
from rich.text import Text

from lapse.faces.operations.results import Canaries, Sweeps
from lapse.faces.tables.shapes import (
    EMPTY,
    Layout,
    cell,
    counted,
    day,
    line,
    moment,
    number,
    pairs,
    prose,
    share,
    table,
)
from lapse.model.canary import Canary
from lapse.model.sweep import Advice, SweepReport, Swept

BAR = 40
"""Width of the largest active set, in characters."""

_ADVICE = {
    Advice.LOWER_DECAY_OR_PROTECT_MORE: (
        "canaries or confident memories were lost: lower law.decay or the level, or protect more"
    ),
    Advice.RAISE_LEVEL_OR_DECAY: "the active set still grows: raise the level or law.decay",
    Advice.AUTO_APPLY_STOPPED: (
        "the canaries lost more than retention.max_canary_drop: auto_apply was switched off, and "
        "sweeps plan until it is switched on again"
    ),
}


def parts_of(result: Sweeps | Canaries | Canary, layout: Layout) -> Iterator[RenderableType]:
    """What is shown of a result of sweeping."""
    match result:
        case Sweeps():
            return _sweeps_parts(result)
        case Canaries():
            return _canaries_parts(result, layout)
        case Canary():
            return _canary_parts(result)
        case _:
            assert_never(result)


def _sweeps_parts(result: Sweeps) -> Iterator[RenderableType]:
    if not result.sweeps:
        yield line("there is no bank to sweep")
    for each in result.sweeps:
        yield from _swept_parts(each)


def history_parts(reports: Sequence[SweepReport]) -> Iterator[RenderableType]:
    """Size of the active set after each sweep, as bars, oldest first."""
    if not reports:
        yield line("no sweep yet")
        return
    most = max(1, *(each.active_after for each in reports))
    yield Text("active after each sweep", style="bold")
    for each in reports:
        bar = "█" * max(round(BAR * each.active_after / most), each.active_after > 0)
        went = f"  −{each.applied}" if each.applied else ""
        waits = each.planned - each.applied
        asked = f"  {waits} planned" if waits else ""
        yield line(f"{day(each.at)}  {bar} {each.active_after}{went}{asked}")


def _canaries_parts(result: Canaries, layout: Layout) -> Iterator[RenderableType]:
    check = result.check
    if not result.canaries:
        yield line("no canary yet: add one with `lapse add-canary QUESTION`")
        return
    rows = [
        [
            cell(one.id),
            cell(one.query),
            cell(f"{each.found}/{each.expected}"),
            cell(", ".join(each.missing) or None),
        ]
        for one, each in zip(result.canaries, check.results, strict=True)
    ]
    columns = [prose("canary"), prose("question"), number("found"), prose("missing")]
    yield table("", columns, rows, layout=layout)
    yield EMPTY
    yield Text.assemble(f"recall@{check.k} ", share(check.recall))


def _canary_parts(result: Canary) -> Iterator[RenderableType]:
    yield pairs(
        [
            ("canary", result.id),
            ("question", result.query),
            ("expects", ", ".join(result.expected_ids)),
            ("from", result.source.value),
            ("added", f"{moment(result.added_at)} by {result.by}"),
        ]
    )


def _swept_parts(swept: Swept) -> Iterator[RenderableType]:
    report = swept.report
    yield Text(swept.ref.name, style="bold")
    if report is None:
        yield line(f"  {swept.outcome.value.replace('_', ' ')}: {swept.note}")
        return
    waits = report.planned - report.applied
    done = f"archived {counted(report.applied, 'memory', 'memories')}"
    asked = f", {waits} await approval" if waits else ""
    yield line(f"  {done}{asked}; {report.active_after} active")
    if report.applied:
        gone = report.departed
        yield line(
            f"  on average {gone.mean_age_days:.0f} days old, importance "
            f"{gone.mean_importance:.2f}, confidence {gone.mean_confidence:.2f}"
        )
    if report.spared:
        told = ", ".join(f"{each.guard.value} {each.count}" for each in report.spared)
        yield line(f"  spared: {told}")
    if report.recall_before is not None and report.recall_after is not None:
        change = f"{report.recall_before:.3f} → {report.recall_after:.3f}"
        yield line(f"  recall@{report.k} on {report.canaries} canaries: {change}")
    for plan in report.plan_ids:
        yield line(f"  plan {plan}")
    for advice in report.advice:
        yield line(f"  {_ADVICE[advice]}")
    if swept.note:
        yield line(f"  {swept.note}")
