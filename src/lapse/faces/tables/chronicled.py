"""A memory's life and the state of a journal, for people.

Decides how one happening reads. Refuses to judge.
"""

from collections.abc import Iterator
from typing import assert_never

from rich.console import RenderableType
from rich.text import Text

from lapse.engine.chronicle import History, JournalCheck
from lapse.faces.operations.results import AccessLog
from lapse.faces.tables.shapes import Layout, cell, label, line, moment, pairs, prose, table
from lapse.lifecycle.chronicle import USED, Happening


def parts_of(
    result: History | JournalCheck | AccessLog, layout: Layout
) -> Iterator[RenderableType]:
    """What is shown of what the journal tells."""
    match result:
        case History():
            return history_parts(result, layout)
        case JournalCheck():
            return check_parts(result)
        case AccessLog():
            return log_parts(result, layout)
        case _:
            assert_never(result)


def history_parts(result: History, layout: Layout) -> Iterator[RenderableType]:
    """A memory's life, one happening a line."""
    if not result.happenings:
        yield Text("Nothing is recorded of it.")
        return
    columns = [label("when"), prose("what"), label("by"), prose("why")]
    rows = [
        [cell(moment(each.at)), Text(told(each)), cell(actors(each) or None), cell(each.reason)]
        for each in result.happenings
    ]
    yield table("", columns, rows, layout=layout)


def actors(happening: Happening) -> str:
    """Who acted, who else stood for it, and through which face."""
    second = happening.approved_by
    who = f"{happening.by}, with {second}" if second else happening.by
    return f"{who} ({happening.via})" if happening.via else who


def told(happening: Happening) -> str:
    """One happening in a few words."""
    what = happening.what.replace("_", " ")
    if happening.what == USED:
        return f"{what} ({happening.about})"
    parts = [what]
    if happening.refused:
        parts.append("refused")
    elif happening.was is not happening.now and happening.was is not None:
        parts.append(f"{happening.was.value} to {happening.now.value}")
    if happening.changed:
        parts.append("another text")
    if happening.about:
        parts.append(happening.about[:12])
    return ": ".join((parts[0], ", ".join(parts[1:]))) if len(parts) > 1 else what


def check_parts(result: JournalCheck) -> Iterator[RenderableType]:
    """Whether the journal is whole, and what is wrong first."""
    if result.sound:
        yield line("The journal is whole.")
    else:
        yield line(f"The journal is not whole: {result.problem}.")
    yield pairs([("sound entries", result.entries), ("head", result.head)])


def log_parts(result: AccessLog, layout: Layout) -> Iterator[RenderableType]:
    """An access log, one happening a line."""
    if not result.entries:
        yield line("nothing has happened yet")
        return
    columns = [label("when"), label("what"), prose("memory")]
    rows = [
        [cell(moment(each.at)), cell(each.event.value), cell(each.memory)]
        for each in result.entries
    ]
    yield table("", columns, rows, layout=layout)
