"""What was copied, taken in, or destroyed in several banks, for people.

Decides which facts are shown. Refuses to judge, and to show anything of what is gone.
"""

from collections.abc import Iterator

from rich.console import RenderableType
from rich.text import Text

from lapse.engine.erasing_widely import WideErasure
from lapse.engine.importing import Imported
from lapse.engine.sharing import Shared
from lapse.faces.operations.copy_calls import ExportedTo
from lapse.faces.tables.erased import receipt_parts
from lapse.faces.tables.shapes import Layout, cell, counted, label, line, number, prose, table

Copied = ExportedTo | Imported | Shared | WideErasure


def parts_of(result: Copied, layout: Layout) -> Iterator[RenderableType]:
    """What a result is shown as."""
    match result:
        case ExportedTo():
            return export_parts(result)
        case Imported():
            return import_parts(result, layout)
        case Shared():
            return share_parts(result, layout)
        case WideErasure():
            return wide_parts(result, layout)


def export_parts(result: ExportedTo) -> Iterator[RenderableType]:
    """How much was written, where, and its digest."""
    count = counted(result.memories, "memory", "memories")
    yield line(f"{count}, {counted(result.bytes, 'byte')} written to {result.path}")
    yield line(f"sha256 {result.sha256}")


def import_parts(result: Imported, layout: Layout) -> Iterator[RenderableType]:
    """How much came in, and what stayed out."""
    count = counted(result.created, "memory", "memories")
    yield line(f"{count} taken in, {result.unchanged} there already")
    if result.tombstones or result.holds:
        stones = counted(result.tombstones, "tombstone")
        yield line(f"with {stones} and {counted(result.holds, 'hold')}")
    if result.left:
        count = counted(result.left, "plan, proposal or question", "plans, proposals or questions")
        yield line(f"{count} left out: about memories not taken in, or another bank's")
    if result.refused:
        rows = [
            [cell(each.memory_id), Text(each.met.value), cell(each.tombstone)]
            for each in result.refused
        ]
        columns = [prose("memory"), label("by its"), label("tombstone")]
        yield table("erased before, left out", columns, rows, layout=layout)


def share_parts(result: Shared, layout: Layout) -> Iterator[RenderableType]:
    """Each copy beside its source."""
    yield line(f"{counted(result.created, 'copy', 'copies')} made in {result.bank}")
    rows = [[cell(here), cell(there)] for here, there in result.copies]
    yield table("", [prose("memory"), prose("copy")], rows, layout=layout)


def wide_parts(result: WideErasure, layout: Layout) -> Iterator[RenderableType]:
    """What went or would go in each bank, what is held, and the receipt."""
    total = sum(len(each.erased) + len(each.derived) for each in result.banks)
    count = counted(total, "memory", "memories")
    verb = "erased" if result.applied else "would erase"
    yield line(f"{verb} {count} in {counted(len(result.banks), 'bank')}")
    if result.banks:
        rows = [
            [
                cell(each.bank),
                Text(str(len(each.erased))),
                Text(str(len(each.derived))),
                Text(str(len(each.cut))),
                Text(str(len(each.spared))),
            ]
            for each in result.banks
        ]
        counts = [number(each) for each in ("erased", "with it", "cut", "held")]
        yield table("", [prose("bank"), *counts], rows, layout=layout)
    if result.receipt is not None:
        yield from receipt_parts(result.receipt)
    if not result.applied:
        yield line("Nothing was done: --yes does it, with --by and --reason.")
