"""Plans and suggestions for people.

Decides which facts of a plan an approver sees first. Refuses to judge.
"""

from collections.abc import Iterator

from rich.console import RenderableType
from rich.text import Text

from lapse.faces.operations.results import Plans
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
from lapse.lifecycle.suggesting import Suggestion
from lapse.model.plan import Plan, PlanAsk, PlanBy, PlanHead, PlanItem, PlanVerb

MOST_SHOWN = 20
"""Most memories of a plan that are listed one by one."""

BAR = 40
"""Longest bar of the histogram, in characters."""


def plan_parts(result: Plan, layout: Layout) -> Iterator[RenderableType]:
    """What it would do, to which memories, what was spared, and what has become of it."""
    totals = result.totals
    yield pairs(
        [
            ("plan", result.id),
            ("would", f"{result.verb.value} {counted(totals.count, 'memory', 'memories')}"),
            ("chosen", chosen(result.ask)),
            ("of", f"{result.considered} {_looked_at(result)}"),
            ("left out", str(result.left_out) if result.left_out else None),
            ("words", str(totals.words)),
            ("oldest", None if totals.oldest is None else day(totals.oldest)),
            ("mean importance", _mean(totals.mean_importance)),
            ("mean confidence", _mean(totals.mean_confidence)),
            ("planned", f"{moment(result.created_at)} by {result.by}"),
            ("expires", moment(result.expires_at)),
            *_fate(result),
        ]
    )
    if result.items:
        yield EMPTY
        yield _items(result.items[:MOST_SHOWN], layout)
        more = len(result.items) - MOST_SHOWN
        if more > 0:
            yield line(f"and {more} more; --json names them all")
    yield from _spared(result, layout)
    yield from _canaries(result, layout)
    yield from _skipped(result, layout)


def _looked_at(plan: PlanHead) -> str:
    return "archived" if plan.verb is PlanVerb.PRUNE else "active"


def plans_parts(result: Plans, layout: Layout) -> Iterator[RenderableType]:
    """One plan a line."""
    if not result.plans:
        yield line("No plans.")
        return
    columns = [
        label("plan"),
        label("would"),
        number("memories"),
        prose("chosen"),
        label("planned"),
        label("by"),
        label("state"),
    ]
    rows = [
        [
            Text(each.id),
            Text(each.verb.value),
            Text(str(each.totals.count)),
            cell(chosen(each.ask)),
            cell(day(each.created_at)),
            cell(each.by),
            Text(_state(each)),
        ]
        for each in result.plans
    ]
    yield table("", columns, rows, layout=layout)


def suggestion_parts(result: Suggestion, layout: Layout) -> Iterator[RenderableType]:
    """A histogram, and a line for each level."""
    yield line(
        f"{result.score.value} of {counted(result.count, 'active memory', 'active memories')}"
    )
    most = max((each.count for each in result.bins), default=0)
    for each in result.bins:
        bar = "█" * max(round(BAR * each.count / most), 1 if each.count else 0)
        yield line(f"{each.low:>12.6g}  {bar} {each.count}")
    if result.levels:
        yield EMPTY
        rows = [
            [Text(f"{each.percent:g} %"), Text(f"{each.level:.9g}"), Text(str(each.count))]
            for each in result.levels
        ]
        columns = [number("lowest"), number("level"), number("memories")]
        yield table("", columns, rows, layout=layout)


def chosen(ask: PlanAsk) -> str:
    """How a plan's memories were chosen, in a few words."""
    score = "" if ask.score is None else ask.score.value
    match ask.by:
        case PlanBy.IDS:
            return "by name"
        case PlanBy.ARCHIVED:
            return "long archived"
        case PlanBy.LEVEL:
            return (
                f"{score} at the policy's level"
                if ask.level is None
                else f"{score} ≤ {ask.level:g}"
            )
        case PlanBy.PERCENTILE:
            return f"lowest {ask.percentile:g} % by {score}"
        case PlanBy.BUDGET:
            return f"all but {ask.max_active} by {score}"


def _items(items: tuple[PlanItem, ...], layout: Layout) -> RenderableType:
    columns = [
        prose("memory"),
        number("score"),
        number("days below"),
        number("need"),
        number("importance"),
        number("uses"),
        label("created"),
    ]
    rows = [
        [
            cell(each.memory_id),
            Text("" if each.score is None else f"{each.score:.4g}"),
            Text("" if each.days_below is None else f"{each.days_below:.1f}"),
            Text("" if each.parts is None else f"{each.parts.need:.4f}"),
            Text(f"{each.importance:.2f}"),
            Text(str(each.reinforcement_count)),
            cell(day(each.created_at)),
        ]
        for each in items
    ]
    return table("", columns, rows, layout=layout)


def _spared(result: Plan, layout: Layout) -> Iterator[RenderableType]:
    if result.spared:
        yield EMPTY
        rows = [
            [Text(each.guard.value), Text(str(each.count)), cell(", ".join(each.examples))]
            for each in result.spared
        ]
        columns = [label("spared by"), number("memories"), prose("for example")]
        yield table("", columns, rows, layout=layout)


def _canaries(result: Plan, layout: Layout) -> Iterator[RenderableType]:
    moved = [each for each in result.canaries if each.leaving or each.entering]
    if result.canaries:
        yield EMPTY
        yield line(f"changes the answers of {len(moved)} of {len(result.canaries)} canaries")
    if moved:
        rows = [
            [
                Text(each.canary),
                Text(f"{each.recall_before:.2f}"),
                Text(f"{each.recall_after:.2f}"),
                cell(", ".join(each.leaving)),
            ]
            for each in moved
        ]
        columns = [label("canary"), number("before"), number("after"), prose("would leave")]
        yield table("", columns, rows, layout=layout)


def _skipped(result: Plan, layout: Layout) -> Iterator[RenderableType]:
    if result.application is not None and result.application.skipped:
        yield EMPTY
        skipped = result.application.skipped
        rows = [[cell(each.memory_id), Text(each.guard.value)] for each in skipped]
        yield table("", [prose("skipped"), label("by")], rows, layout=layout)


def _fate(result: Plan) -> Iterator[tuple[str, str | None]]:
    approval, application = result.approval, result.application
    if approval is None:
        yield "state", "waits for approval" if result.items else "nothing to approve"
        return
    yield "approved", f"{moment(approval.at)} by {approval.by}: {approval.reason}"
    if approval.memory_ids is not None:
        yield "approved part", f"{len(result.approved)} of {len(result.items)}"
    if application is not None:
        yield "applied", counted(len(application.applied), "memory", "memories")
        yield "skipped", str(len(application.skipped))
        if application.scrubbed is not None:
            yield "searched", ", ".join(application.scrubbed.places) or "RAM alone"
            yield "residue", str(application.scrubbed.residue)
        ended = application.ended_at
        yield "ended", "not yet: apply it again" if ended is None else moment(ended)


def _state(head: PlanHead) -> str:
    if head.application is not None:
        return "applied" if head.application.ended_at is not None else "half applied"
    return "planned" if head.approval is None else "approved"


def _mean(value: float | None) -> str | None:
    return None if value is None else f"{value:.2f}"
