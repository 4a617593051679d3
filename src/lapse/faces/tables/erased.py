"""What was erased, allowed again or proved, for people.

Decides which facts are shown. Refuses to judge, and to show anything of what is gone.
"""

from collections.abc import Iterator

from rich.console import RenderableType
from rich.text import Text

from lapse.engine.erasing import Erasure
from lapse.engine.subject_report import SubjectReport
from lapse.faces.operations.erasure_calls import ReceiptCheck, Tombstones
from lapse.faces.tables.shapes import (
    Layout,
    cell,
    counted,
    label,
    line,
    moment,
    number,
    pairs,
    prose,
    table,
)
from lapse.model.receipt import Receipt
from lapse.model.tombstone import Lift

Told = Erasure | Lift | Tombstones | ReceiptCheck


def parts_of(result: Told, layout: Layout) -> Iterator[RenderableType]:
    """What a result is shown as."""
    match result:
        case Erasure():
            return erasure_parts(result, layout)
        case Lift():
            return lift_parts(result)
        case Tombstones():
            return tombstone_parts(result, layout)
        case ReceiptCheck():
            return check_parts(result)


def erasure_parts(result: Erasure, layout: Layout) -> Iterator[RenderableType]:
    """What went or would go, what stays without it, what is held, and the receipt."""
    count = counted(len(result.erased), "memory", "memories")
    yield line(f"{'erased' if result.applied else 'would erase'} {count}")
    for name, ids in (
        ("with it", result.derived),
        ("stays, cut", result.cut),
        ("erased before", result.unchanged),
    ):
        if ids:
            rows = [[cell(each)] for each in ids]
            yield table(name, [prose("memory")], rows, layout=layout)
    if result.copies:
        rows = [[cell(each.ref.name), cell(each.id)] for each in result.copies]
        yield table("shared copies", [prose("bank"), prose("memory")], rows, layout=layout)
    if result.spared:
        spared = [[cell(each.memory_id), Text(each.guard.value)] for each in result.spared]
        yield table("kept", [prose("memory"), label("by")], spared, layout=layout)
    if result.receipt is not None:
        yield from receipt_parts(result.receipt)
    if not result.applied:
        yield line("Nothing was done: --yes does it, with --by and --reason.")


def report_parts(result: SubjectReport, layout: Layout) -> Iterator[RenderableType]:
    """Everything that is kept of a person, a memory a line."""
    count = counted(len(result.kept), "memory", "memories")
    yield line(f"{count} kept of {result.subject} in {result.tenant}/{result.bank}")
    if result.kept:
        rows = [
            [
                cell(each.memory.id),
                Text(each.memory.kind.value),
                Text(f"{each.lifecycle.value}{', derived' if each.derived else ''}"),
                Text(str(len(each.earlier))),
                cell(each.memory.text),
            ]
            for each in result.kept
        ]
        columns = [
            prose("memory"),
            label("kind"),
            label("stands"),
            number("earlier versions"),
            prose("text"),
        ]
        yield table("", columns, rows, layout=layout)
    if result.shared:
        rows = [[cell(each)] for each in result.shared]
        yield table("partly from these", [prose("memory")], rows, layout=layout)


def tombstone_parts(result: Tombstones, layout: Layout) -> Iterator[RenderableType]:
    """A page of tombstones, one a line."""
    if not result.tombstones:
        yield line("no tombstones")
        return
    rows = [
        [
            cell(each.id),
            Text("another bank" if each.bank is None else each.scope.value),
            Text(moment(each.at) or ""),
            cell(each.by),
            Text("lifted" if each.lift is not None else "holds"),
        ]
        for each in result.tombstones
    ]
    columns = [prose("tombstone"), label("of"), label("at"), prose("by"), label("stands")]
    yield table("", columns, rows, layout=layout)
    if result.next_after is not None:
        yield line(f"more: --after {result.next_after}")


def lift_parts(result: Lift) -> Iterator[RenderableType]:
    """Who allowed it, when and why."""
    yield pairs([("lifted", moment(result.at)), ("by", result.by), ("reason", result.reason)])


def check_parts(result: ReceiptCheck) -> Iterator[RenderableType]:
    """Whether a receipt is genuine, and what it says."""
    yield line("genuine" if result.genuine else "NOT genuine: it was changed, or never signed")
    yield pairs(
        [
            ("public key", result.public_key),
            ("bank", result.bank),
            ("at", result.at),
            ("by", result.by),
            ("erased", str(result.erased)),
            ("with them", str(result.derived)),
            ("residue", str(result.residue)),
        ]
    )
    for each in result.not_covered:
        yield line(f"not covered: {each}")


def receipt_parts(receipt: Receipt) -> Iterator[RenderableType]:
    """What a receipt says, in short."""
    yield pairs(
        [
            ("journal", f"{receipt.journal_seq} {receipt.journal_hash[:16]}"),
            ("searched", ", ".join(receipt.places) or "RAM alone"),
            ("residue", str(receipt.residue)),
            ("words redacted", str(receipt.redacted)),
            *([("approved by", receipt.approved_by)] if receipt.approved_by else []),
            ("tombstones", ", ".join(receipt.tombstones[:3])),
            ("public key", receipt.public_key),
        ]
    )
