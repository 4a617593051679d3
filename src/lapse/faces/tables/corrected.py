"""What nobody has decided, for people.

Decides which facts of a conflict are shown. Refuses to judge.
"""

from collections.abc import Iterator

from rich.console import RenderableType
from rich.text import Text

from lapse.faces.operations.results import Conflicts, Pasts
from lapse.faces.tables.shapes import Layout, cell, label, line, moment, pairs, prose, table
from lapse.model.proposal import Proposal, ProposalKind

_SAYS = {
    ProposalKind.REPLACE: "may replace",
    ProposalKind.RESTATE: "was told again, against",
    ProposalKind.REACTIVATE: "was told again while out of mind",
}


def conflict_parts(result: Proposal) -> Iterator[RenderableType]:
    """One conflict, fact by fact."""
    yield pairs(
        [
            ("conflict", result.id),
            ("status", result.status.value),
            ("about", result.memory_id),
            (_SAYS[result.kind], ", ".join(result.other_ids) or None),
            ("how", None if result.change is None else result.change.value),
            ("confidence", f"{result.confidence:.2f}"),
            ("evidence", ", ".join(result.evidence) or None),
            ("came up", moment(result.at)),
            ("told by", result.by),
            ("decided", None if result.decided_at is None else moment(result.decided_at)),
            ("decided by", result.decided_by),
            ("reason", result.reason),
        ]
    )


def past_parts(result: Pasts, layout: Layout) -> Iterator[RenderableType]:
    """Memories as they were, one line each."""
    if not result.memories:
        yield line("nothing that held then")
        return
    rows = [
        [
            cell(each.memory.id),
            Text(each.qualifier),
            Text(each.lifecycle.value),
            cell(each.memory.text),
        ]
        for each in result.memories
    ]
    columns = [label("memory"), label("truth"), label("attention"), prose("text")]
    yield table("as it stood", columns, rows, layout=layout)


def conflicts_parts(result: Conflicts, layout: Layout) -> Iterator[RenderableType]:
    """All of them, one line each."""
    if not result.conflicts:
        yield line("nothing waits for a decision")
        return
    rows = [
        [
            cell(each.id),
            cell(each.memory_id),
            Text(_SAYS[each.kind]),
            Text(", ".join(each.other_ids)),
            Text(f"{each.confidence:.2f}"),
        ]
        for each in result.conflicts
    ]
    columns = [label("conflict"), label("memory"), prose("what"), prose("others"), label("sure")]
    yield table("conflicts", columns, rows, layout=layout)
