"""What was put out of mind, brought back or held, for people.

Decides which facts of a move and of a hold are shown. Refuses to judge.
"""

from collections.abc import Iterator

from rich.console import RenderableType
from rich.text import Text

from lapse.engine.attending import Moved
from lapse.faces.operations.results import Holds
from lapse.faces.tables.selected import selection_parts
from lapse.faces.tables.shapes import (
    Layout,
    cell,
    counted,
    day,
    label,
    line,
    moment,
    pairs,
    prose,
    table,
)
from lapse.model.hold import Hold, HoldScope
from lapse.model.verbs import Verb

MOST_SHOWN = 20
"""Most memories that are listed one by one."""

_DONE = {
    Verb.SUPPRESS: "suppressed",
    Verb.ARCHIVE: "archived",
    Verb.RESTORE: "restored",
    Verb.ERASE: "erased",
}
_MEANT = {Verb.SUPPRESS: "suppress", Verb.ARCHIVE: "archive", Verb.ERASE: "erase"}


def moved_parts(result: Moved, layout: Layout) -> Iterator[RenderableType]:
    """What moved or would move, what was spared and by which guard, what stood there already."""
    count = counted(len(result.ids), "memory", "memories")
    if result.applied:
        yield line(f"{_DONE.get(result.verb, result.verb)} {count}")
    else:
        yield line(f"would {_MEANT.get(result.verb, result.verb)} {count}")
    if result.selection is not None:
        yield from selection_parts(result.selection, layout)
    else:
        yield from _listed(result.ids)
    if result.spared:
        rows = [[cell(each.memory_id), Text(each.guard.value)] for each in result.spared]
        yield table("spared", [prose("memory"), label("by")], rows, layout=layout)
    if result.unchanged:
        yield line(f"{counted(len(result.unchanged), 'memory', 'memories')} there already")
    if not result.applied:
        yield line("Nothing was done: --yes does it, with --by and --reason.")


def _listed(ids: tuple[str, ...]) -> Iterator[RenderableType]:
    for each in ids[:MOST_SHOWN]:
        yield line(f"  {each}")
    if len(ids) > MOST_SHOWN:
        yield line(f"  and {len(ids) - MOST_SHOWN} more")


def hold_parts(result: Hold) -> Iterator[RenderableType]:
    """One hold, fact by fact."""
    yield pairs(
        [
            ("hold", result.name),
            ("on", covered(result)),
            ("holder", result.holder),
            ("reason", result.reason),
            ("placed", moment(result.placed_at)),
            ("relabelled since", ", ".join(result.attached)),
        ]
    )


def holds_parts(result: Holds, layout: Layout) -> Iterator[RenderableType]:
    """The holds in force, one a line."""
    if not result.holds:
        yield Text("No holds.")
        return
    columns = [label("hold"), prose("on"), label("holder"), prose("reason"), label("placed")]
    rows = [
        [
            cell(each.name),
            cell(covered(each)),
            cell(each.holder),
            cell(each.reason),
            cell(day(each.placed_at)),
        ]
        for each in result.holds
    ]
    yield table("", columns, rows, layout=layout)


def covered(hold: Hold) -> str:
    """What a hold is placed on, in a few words."""
    target = hold.target
    if target.scope is HoldScope.BANK:
        return "everything"
    return f"{target.scope.value.replace('_', ' ')} {', '.join(target.values)}"
