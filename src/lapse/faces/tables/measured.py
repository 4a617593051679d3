"""What the lab found, for people.

Decides which figures are worth a column. Refuses to judge.
"""

from collections.abc import Iterator
from typing import assert_never

from rich.console import RenderableType
from rich.text import Text

from lapse.faces.operations.lab_results import Compared, Fitted, LogRead, Reported
from lapse.faces.tables.shapes import (
    EMPTY,
    Layout,
    cell,
    counted,
    day,
    label,
    line,
    moment,
    number,
    pairs,
    prose,
    table,
)
from lapse.lab.comparing import Interval
from lapse.lab.rollout import Rollout

SHOWN = 20
"""Most memories that are named as leaving."""

Measured = LogRead | Fitted | Compared | Rollout | Reported


def parts_of(result: Measured, layout: Layout) -> Iterator[RenderableType]:
    """What is shown of a result of the lab."""
    match result:
        case LogRead():
            return _log_parts(result)
        case Fitted():
            return _fit_parts(result, layout)
        case Compared():
            return _compared_parts(result, layout)
        case Rollout():
            return _rollout_parts(result, layout)
        case Reported():
            return _report_parts(result)
        case _:
            assert_never(result)


def _log_parts(result: LogRead) -> Iterator[RenderableType]:
    if result.first is None or result.last is None:
        yield line("the log is empty")
        return
    yield pairs(
        [
            ("lines", len(result.entries)),
            ("memories", result.memories),
            ("from", moment(result.first)),
            ("to", moment(result.last)),
            *result.events.items(),
        ]
    )


def _fit_parts(result: Fitted, layout: Layout) -> Iterator[RenderableType]:
    fit = result.fit
    yield line(
        f"{counted(result.entries, 'line', 'lines')} of log, {fit.learned_moments} instants to "
        f"fit on, {fit.judged_moments} to judge by"
    )
    if fit.verdicts:
        columns = [label("predictor"), *map(number, ("log loss", "ECE", "AUC", "uses on a fifth"))]
        rows = [
            [cell(name), *map(_told, (each.log_loss, each.ece, each.auc, each.hit20))]
            for name, each in fit.verdicts.items()
        ]
        yield table("", columns, rows, layout=layout)
    for each in fit.missing:
        yield line(f"nothing is proposed: {each}")
    if result.proposal is not None:
        settings = ", ".join(
            f"{path} = {value}" for path, value in result.proposal.settings.items()
        )
        yield line(f"proposed: {settings}")
        yield line(f"to take it, with the same --bank: lapse apply-policy {result.proposal.id}")
        yield line("to take it back: lapse revert-policy")


def _compared_parts(result: Compared, layout: Layout) -> Iterator[RenderableType]:
    for each in result.missing:
        yield line(f"nothing to compare by: {each}")
    if result.curves:
        shown = [at for at, share in enumerate(result.shares) if share in (0.2, 0.5, 0.8)]
        heads = [f"{result.shares[at]:.0%} kept" for at in shown]
        columns = [
            label("policy"),
            *map(number, (*heads, "ahead at 50 %", "needed after, of 1,000")),
        ]
        half = result.shares.index(0.5)
        rows = [
            [
                cell(name),
                *(_told(curve.hit_rates[at]) for at in shown),
                _apart(curve.lead_on_first[half]),
                _told(curve.needed_after_forgotten),
            ]
            for name, curve in result.curves.items()
        ]
        yield table("", columns, rows, layout=layout)
    if result.words:
        columns = [label("policy"), number("words of an answer")]
        rows = [[cell(name), cell(f"{mean:.1f}")] for name, mean in result.words.items()]
        yield table("", columns, rows, layout=layout)
    if result.lived:
        names = ("kept", "recall", "ahead", "stale", "words", "needed after, of 1,000")
        columns = [label("policy"), *map(number, names)]
        rows = [
            [
                cell(name),
                cell(f"{each.kept:.0%}"),
                _told(each.recall),
                _apart(each.lead_on_first),
                _told(each.stale),
                cell(f"{each.words:.0f}"),
                _told(each.needed_after_forgotten),
            ]
            for name, lived in result.lived.items()
            for each in lived
        ]
        yield table("", columns, rows, layout=layout)


def _rollout_parts(result: Rollout, layout: Layout) -> Iterator[RenderableType]:
    last = result.steps[-1].active if result.steps else result.active
    yield line(
        f"{day(result.start)} to {day(result.end)}: {result.leaving_count} of {result.active} "
        f"active memories would go, {last} would stay"
    )
    if result.stopped_at is not None:
        yield line(f"{day(result.stopped_at)}: the canaries would have lost too much, sweeps stop")
    if result.leaving:
        columns = [label("when"), label("why"), prose("memory")]
        rows = [
            [cell(day(each.at)), cell(each.cause.value), cell(each.memory_id)]
            for each in result.leaving[:SHOWN]
        ]
        yield table("", columns, rows, layout=layout)
        if result.leaving_count > SHOWN:
            yield line(f"… and {result.leaving_count - SHOWN} more")
    yield EMPTY
    columns = [label("mode"), label("when"), *map(number, ("changed", "canaries", "words"))]
    rows = [
        [
            cell(each.mode.value),
            cell("now" if each.at == result.start else "at the end"),
            *map(_told, (each.changed, each.canary_recall, each.words)),
        ]
        for each in result.effects
    ]
    yield table("", columns, rows, layout=layout)


def _report_parts(result: Reported) -> Iterator[RenderableType]:
    figures = result.figures
    yield line(
        f"{figures.memories} memories, {figures.active} active; pictures: "
        f"{', '.join(result.pictures) or 'none'}"
    )
    for name, each in figures.rollouts.items():
        yield line(f"{name}: {each.leaving_count} would go within {figures.days} days")
    for missing in figures.missing:
        yield line(f"not shown: {missing}")
    yield line("lapse lab report --out FOLDER writes the page")


def _told(value: float | None) -> Text:
    return cell(None if value is None else f"{value:.3f}")


def _apart(interval: Interval) -> Text:
    return cell(f"{interval.mean:+.3f} [{interval.low:+.3f}, {interval.high:+.3f}]")
