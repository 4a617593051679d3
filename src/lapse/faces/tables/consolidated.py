"""What became of sessions that were consolidated, for people.

Decides how one session reads. Refuses to judge.
"""

from collections.abc import Iterator

from rich.console import RenderableType

from lapse.faces.operations.results import Consolidations
from lapse.faces.tables.shapes import Layout, cell, label, line, number, prose, table


def parts_of(result: Consolidations, layout: Layout) -> Iterator[RenderableType]:
    """One session a line."""
    if not result.sessions:
        yield line("nothing to derive: all was read already, or no session has gathered enough")
        return
    columns = [
        prose("session"),
        label("ended"),
        number("gathered"),
        number("read"),
        number("sources"),
        number("proved"),
        number("refused"),
        prose("memory"),
    ]
    rows = [
        [
            cell(each.session),
            cell(each.ending.value),
            cell(f"{each.gathered:.2f}"),
            cell(str(each.read)),
            cell(str(each.sources)),
            cell(str(each.corroborated)),
            cell(str(each.refused)),
            cell(each.memory_id),
        ]
        for each in result.sessions
    ]
    yield table("", columns, rows, layout=layout)
