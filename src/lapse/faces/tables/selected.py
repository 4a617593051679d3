"""What a selection means and what it nearly means, for people.

Decides how reasons and differences are worded. Refuses to choose.
"""

from collections.abc import Iterator

from rich.console import RenderableType
from rich.text import Text

from lapse.engine.selecting import Selection
from lapse.faces.tables.shapes import Layout, cell, counted, label, line, prose, table
from lapse.model.selector import Certainty, Reason, Sparing

MOST_SHOWN = 20
"""Most memories that are listed one by one."""

_DIFFERENCES = {
    Sparing.LONGER_IDENTIFIER: "another identifier",
    Sparing.OTHER_CASE: "another case",
    Sparing.PART_OF_NAME: "only part of the name",
    Sparing.OTHER_TOPIC: "another topic",
    Sparing.OTHER_POLARITY: "says the opposite",
    Sparing.FEWER_WORDS: "only some of the words",
    Sparing.LONGER_NAME: "a longer name",
}


def selection_parts(result: Selection, layout: Layout) -> Iterator[RenderableType]:
    """What is meant and why, then what lies near and why it is not meant."""
    if not result.matches:
        yield Text("Nothing is meant by that.")
    else:
        yield from _matches(result, layout)
    if result.nearest:
        columns = [label("memory"), prose("says"), prose("not meant: it has")]
        rows = [
            [cell(each.id), cell(each.text), cell(_difference(each.sparing, each.detail))]
            for each in result.nearest
        ]
        yield table("near, and not meant", columns, rows, layout=layout)


def _matches(result: Selection, layout: Layout) -> Iterator[RenderableType]:
    shown = result.matches[:MOST_SHOWN]
    columns = [label("memory"), prose("says"), prose("because of")]
    rows = [
        [cell(each.id), cell(each.text), cell(_because(each.certainty, each.reasons))]
        for each in shown
    ]
    title = f"{counted(result.total, 'memory', 'memories')} meant"
    yield table(title, columns, rows, layout=layout)
    if result.total > len(shown):
        yield line(f"and {result.total - len(shown)} more")
    for each in shown:
        if each.rest is not None:
            yield line(f"{each.id} also says of others: {each.rest}")


def _because(certainty: Certainty, reasons: tuple[Reason, ...]) -> str:
    said = ", ".join(dict.fromkeys(f"{each.ground} {each.detail}".strip() for each in reasons))
    return said if certainty is Certainty.CERTAIN else f"{said} (likely)"


def _difference(sparing: Sparing, detail: str) -> str:
    return f"{_DIFFERENCES[sparing]}: {detail}" if detail else _DIFFERENCES[sparing]
