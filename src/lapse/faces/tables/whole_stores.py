"""What became of whole stores, for people: gone back to a backup, moved elsewhere.

Decides which facts are shown. Refuses to judge, and to show anything of what is gone.
"""

from collections.abc import Iterator

from rich.console import RenderableType
from rich.text import Text

from lapse.engine.restoring import BankRestored
from lapse.faces.migrating import BankMigrated, Migrated
from lapse.faces.restoring import Restored
from lapse.faces.tables.shapes import Layout, cell, counted, label, line, number, prose, table


def parts_of(result: Restored | Migrated, layout: Layout) -> Iterator[RenderableType]:
    """What a result is shown as."""
    match result:
        case Restored():
            return restored_parts(result, layout)
        case Migrated():
            return migrated_parts(result, layout)


def restored_parts(result: Restored, layout: Layout) -> Iterator[RenderableType]:
    """Bank by bank, what the file holds afterwards and which newer decisions were kept."""
    verb = "went back" if result.applied else "would go back"
    yield line(f"{verb} in {counted(len(result.banks), 'bank')} of {result.path}")
    if result.banks:
        names = ("memories", "erased", "with it", "lost", "tombstones", "holds")
        rows = [_counts(each) for each in result.banks]
        columns = [prose("tenant"), prose("bank"), *(number(each) for each in names)]
        yield table("", columns, rows, layout=layout)
    kept = [row for each in result.banks for row in _kept(each)]
    if kept:
        columns = [prose("bank"), label("decided since"), prose("memory")]
        yield table("newer decisions", columns, kept, layout=layout)
    if any(each.lost for each in result.banks):
        yield line("Lost are memories stored since; --keep FILE keeps what is replaced.")
    if result.kept is not None:
        yield line(f"What was replaced lies at {result.kept}.")
    if not result.applied:
        yield line("Nothing was done: --yes does it, with --by and --reason.")


def migrated_parts(result: Migrated, layout: Layout) -> Iterator[RenderableType]:
    """Bank by bank, what became of it."""
    yield line(f"from {result.source} to {result.target}")
    if result.banks:
        rows = [_moved(each) for each in result.banks]
        columns = [prose("tenant"), prose("bank"), label("is"), number("memories"), prose("sha256")]
        yield table("", columns, rows, layout=layout)
    out = [[cell(each.bank), cell(name)] for each in result.banks for name in each.refused]
    if out:
        columns = [prose("bank"), prose("memory")]
        yield table("says what was erased, left out", columns, out, layout=layout)
    keys = counted(result.keys, "key")
    yield line(f"{keys} to the served store and {result.tombstone_keys} of tombstones came over")


def _counts(each: BankRestored) -> list[Text]:
    counts = (
        each.memories,
        len(each.erased),
        len(each.derived),
        each.lost,
        each.tombstones,
        len(each.holds),
    )
    return [cell(each.tenant), cell(each.bank), *(Text(str(count)) for count in counts)]


def _kept(each: BankRestored) -> Iterator[list[Text]]:
    for told, ids in (
        ("erased", each.erased),
        ("gone with it", each.derived),
        ("suppressed", each.suppressed),
        ("archived", each.archived),
        ("taken back", each.retracted),
        ("holds again", each.open),
    ):
        for name in ids:
            yield [cell(each.bank), Text(told), cell(name)]


def _moved(each: BankMigrated) -> list[Text]:
    return [
        cell(each.tenant),
        cell(each.bank),
        Text(each.outcome.value),
        Text(str(each.memories)),
        Text(each.sha256[:16]),
    ]
