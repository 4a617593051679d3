"""The shapes that results are shown in: tables, pairs, and numbers short enough for a cell.

Decides widths, roundings and words for durations. Refuses to read markup: every cell is text that
was made visible.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from rich import box
from rich.cells import cell_len
from rich.table import Column, Table
from rich.text import Text

from lapse.faces.visible import visible, visible_line
from lapse.model.instants import Instant, to_iso

NOTHING = "–"
_HOURS_A_DAY = 24.0
_DAYS_A_MONTH = 30.44
_DAYS_A_YEAR = 365.25


class Layout(StrEnum):
    """What is written for."""

    SCREEN = "screen"
    """A terminal: cells wrap, an id stands under its text."""
    LINES = "lines"
    """A pipe or a file: one line for each row, an id in a column of its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """A memory as a row names it: its id, and its text where there is one to show."""

    id: str
    text: str | None


def table(
    title: str,
    columns: Sequence[Column],
    rows: Sequence[Sequence[Text]],
    *,
    layout: Layout,
    gap: int = 2,
) -> Table:
    """A table with its title above it on the left; ruled on a screen only."""
    for at, column in enumerate(columns):
        if column.no_wrap:
            # Rather too wide a line than a number or an id with its end cut off.
            widths = (cell_len(row[at].plain) for row in rows)
            column.min_width = max(widths, default=0)
    made = Table(
        *columns,
        title=Text(title) if title else None,
        title_justify="left",
        title_style="bold",
        box=box.SIMPLE_HEAD if layout is Layout.SCREEN else None,
        padding=(0, gap - 1 if layout is Layout.SCREEN else gap, 0, 0),
        pad_edge=False,
        show_edge=False,
        header_style="" if layout is Layout.LINES else "bold",
    )
    for row in rows:
        made.add_row(*row)
    return made


def number(header: str) -> Column:
    """A column of numbers."""
    return Column(header, justify="right", no_wrap=True)


def label(header: str) -> Column:
    """A column of short words that do not wrap."""
    return Column(header, no_wrap=True)


def prose(header: str, least: int = 16) -> Column:
    """A column of text that wraps, at least so wide."""
    return Column(header, overflow="fold", min_width=least)


def described(
    layout: Layout, names: Sequence[Named], facts: Sequence[Column], remarks: Sequence[Column]
) -> list[Column]:
    """Columns of a table of memories: facts, which are short, and remarks, which are not.

    On a screen, text, id and remarks of a memory stand one under the other.
    """
    if layout is Layout.LINES:
        return [label("id"), *facts, *remarks, label("memory")]
    widest = max((cell_len(visible_line(each.id)) for each in names), default=0)
    return [prose("memory", least=max(widest, 24)), *facts]


def described_row(
    layout: Layout, named: Named, facts: Sequence[Text], remarks: Sequence[str]
) -> list[Text]:
    """The cells of one memory for the columns that `described` made."""
    name = visible_line(named.id)
    text = NOTHING if named.text is None else visible_line(named.text)
    said = [visible_line(each) for each in remarks]
    if layout is Layout.LINES:
        return [Text(name), *facts, *map(Text, said), Text(text)]
    under = [name, *(each for each in said if each)]
    stacked = [Text(text)] if named.text is not None else []
    return [Text("\n").join([*stacked, *(Text(each, style="dim") for each in under)]), *facts]


def pairs(rows: Iterable[tuple[str, object]]) -> Table:
    """Names and values, one pair a line; what is None or empty is left out."""
    made = Table.grid(padding=(0, 2))
    made.add_column(no_wrap=True, style="dim")
    made.add_column(overflow="fold")
    for name, value in rows:
        if value not in (None, "", (), [], {}):
            made.add_row(Text(name), Text(visible(str(value))))
    return made


def line(text: str) -> Text:
    """A sentence of ours that may hold words of others."""
    return Text(visible_line(text))


def cell(value: object) -> Text:
    """A short value in a cell."""
    return Text(NOTHING if value is None else visible_line(str(value)))


def share(value: float | None) -> Text:
    """A number in [0, 1], to three places."""
    if value is None:
        return Text(NOTHING)
    return Text("<.001" if 0 < value < 0.0005 else f"{value:.3f}")


def decimals(value: float | None, places: int = 4) -> Text:
    """A number to a few places."""
    return Text(NOTHING if value is None else f"{value:.{places}f}")


def day(instant: Instant | None) -> str | None:
    """The day of an instant, in UTC."""
    return None if instant is None else to_iso(instant)[:10]


def moment(instant: Instant | None) -> str | None:
    """An instant to the second, in UTC."""
    return None if instant is None else to_iso(Instant(instant - instant % 1_000_000))


def duration(days: float | None) -> str:
    """Days in the unit that reads best; None is beyond 100 years."""
    if days is None:
        return "never"
    size = abs(days)
    if size < 1 / _HOURS_A_DAY:
        return f"{days * _HOURS_A_DAY * 60:.0f} min"
    if size < 1:
        return f"{days * _HOURS_A_DAY:.1f} h"
    if size < 60:
        return f"{days:.1f} d"
    if size < 730:
        return f"{days / _DAYS_A_MONTH:.1f} mo"
    return f"{days / _DAYS_A_YEAR:.1f} y"


def age(days: float) -> str:
    """A round age as the head of a column."""
    if days < 1:
        return f"{days * _HOURS_A_DAY:.0f} h"
    return f"{days:.0f} d" if days < _DAYS_A_YEAR else f"{days / _DAYS_A_YEAR:.0f} y"


def counted(count: int, one: str, many: str = "") -> str:
    """A count with its noun."""
    return f"{count} {one if count == 1 else many or one + 's'}"


EMPTY = Text("")
"""A blank line between parts."""
