"""The pages of the story: values of an `Experience` become what a terminal shows.

Decides words, columns and colours. Refuses to compute anything that the story claims: numbers come
from Lapse, verdicts from `claims`.
"""

from collections.abc import Iterator, Sequence

from rich.console import Console, RenderableType
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from lapse.faces.demo.claims import (
    Change,
    changes,
    claims,
    counted,
    evidence_found,
    outweighed,
    span,
)
from lapse.faces.demo.curves import GUTTER, Frame, Series, plot
from lapse.faces.demo.play import Experience, Pair, Seen
from lapse.model.instants import DAY, Instant, to_datetime
from lapse.model.policy import Scorer
from lapse.model.query import Exclusion, Explanation, Flag, Reason

WIDTH = 100
"""Columns of a page; in narrower terminals texts are cut shorter."""

COLOURS = ("bright_blue", "magenta", "dark_orange", "green")
"""Of the followed memories, in their order."""

CAME, WENT, ALIKE = "bold bright_green", "bold bright_red", "dim"

Y_LOW, Y_HIGH = 0.002, 1.0
"""Ends of the axis of need."""


def show(console: Console, parts: Iterator[RenderableType]) -> None:
    """Print a page, no wider than `WIDTH`."""
    for part in parts:
        console.print(part, width=min(WIDTH, console.width), highlight=False)


def opening(experience: Experience) -> Iterator[RenderableType]:
    """What is stored, and how to read what follows."""
    conversation = experience.conversation
    first, last = conversation.sessions[0].at, conversation.sessions[-1].ends_at
    told = (
        f"{len(conversation.remarks)} remarks in {len(conversation.sessions)} sessions, "
        f"{day(first)} to {day(last)}, became {len(experience.texts)} memories."
    )
    if experience.told_again:
        told += f" {experience.told_again} told again what was held, and made it stronger."
    if experience.superseded:
        told += f" {experience.superseded} older claims were superseded."
    yield Text()
    yield Rule(Text(f"Lapse · {conversation.title}", style="bold"), style="dim")
    yield Text(told)
    yield from (Text(each) for each in conversation.notes)
    yield Text()
    yield _watched(experience)
    yield Text()
    yield _key(experience)


def visit(experience: Experience, seen: Seen) -> Iterator[RenderableType]:
    """One visit: each tray beside the tray with forgetting off."""
    sessions = f"{seen.sessions} session{'s' if seen.sessions > 1 else ''}"
    told = f"{day(seen.visit.at)} · {sessions}, {seen.memories} memories"
    if seen.uses:
        told += f", {counted(seen.uses)} since the last visit"
    yield Text()
    yield _heading(f"[bold]{seen.visit.title}[/bold] · {told}")
    yield _columns(show_header=True)
    for pair in seen.pairs:
        yield Text(f"   {pair.question.text}", style="bold")
        yield _tray(experience, pair)
        name = outweighed(experience, pair)
        if name is not None:
            yield Text(
                f"   Among {seen.memories} memories ranks lie close together, so the low need of "
                f"“{name}” outweighs its relevance.",
                style="italic",
            )


def strengths(experience: Experience, width: int) -> Iterator[RenderableType]:
    """How strong the followed memories were at each visit, and their curves."""
    yield Text()
    yield _heading("[bold]What became of them[/bold] · need ×counted uses, at each visit")
    table = Table(box=None, padding=(0, 3, 0, 0), header_style="dim", pad_edge=False)
    table.add_column("")
    for seen in experience.seen:
        table.add_column(seen.visit.short, justify="right")
    table.add_column("told once, lasts", justify="right")
    table.add_column("lasts now", justify="right")
    for curve, colour in zip(experience.curves, COLOURS, strict=False):
        table.add_row(
            Text(curve.followed.name, style=f"bold {colour}"),
            *(_standing(seen, curve.followed.name) for seen in experience.seen),
            _lasts(curve.lasts_days[0]),
            _lasts(curve.lasts_days[-1]),
        )
    yield table
    yield Text()
    yield from plot(_frame(experience, width), _series(experience))


def ending(experience: Experience) -> Iterator[RenderableType]:
    """The tray that differs most, told in words, and every claim with its verdict."""
    yield Text()
    yield _heading("[bold]What forgetting did[/bold]")
    different = changes(experience)
    if different:
        yield from _told(experience, different[0])
        yield Text()
    table = _indented()
    for claim in claims(experience):
        mark = Text("✓", style=CAME) if claim.holds else Text("✗", style=WENT)
        table.add_row(mark, claim.sentence)
    found = evidence_found(experience)
    if found is not None:
        table.add_row(
            "·",
            f"Of the evidence of these questions, the trays hold {found.bent} memories, "
            f"with forgetting off {found.plain}.",
        )
    yield table


def day(at: Instant) -> str:
    """A date as a reader writes it."""
    when = to_datetime(at)
    return f"{when.day} {when:%B %Y}"


def decimal(value: float, places: int) -> str:
    """A share without the zero before its point."""
    return f"{value:.{places}f}".removeprefix("0")


def _heading(markup: str) -> Rule:
    return Rule(Text.from_markup(markup), style="dim", align="left")


def _indented() -> Table:
    table = Table.grid(padding=(0, 1, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column(ratio=1)
    return table


def _watched(experience: Experience) -> Table:
    table = Table.grid(padding=(0, 2, 0, 0), expand=True)
    table.add_column(no_wrap=True, min_width=5)
    table.add_column(no_wrap=True, overflow="ellipsis", ratio=1)
    table.add_column(no_wrap=True, min_width=15, justify="right", style="dim")
    remarks = experience.conversation.remarks
    for followed, colour in zip(experience.conversation.followed, COLOURS, strict=False):
        remark = remarks[followed.remark_id]
        importance = remark.details.get("importance")
        rated = "not rated" if importance is None else f"importance {importance:.2f}"
        table.add_row(Text(followed.name, style=f"bold {colour}"), remark.text, rated)
    return table


def _key(experience: Experience) -> Table:
    scoring = experience.policy.scoring
    level = experience.level
    table = _indented()
    table.add_row(
        Text("need", style="bold"),
        "the chance that a memory is used within 30 days. It starts from importance, falls with "
        "time, rises with use." + ("" if level is None else f" Below {level:g} it has faded."),
    )
    if scoring.scorer is Scorer.BOOST:
        low = 1 + scoring.boost_alpha * (scoring.signal_floor - 0.5)
        high = 1 + scoring.boost_alpha * 0.5
        table.add_row(
            Text("bend", style="bold"),
            f"what need does to a score: ×{low:.2f} (need 0) to ×{high:.2f} (need 1). A ! marks "
            "what the question names precisely: that counts as unfaded, whatever its need.",
        )
        table.add_row(
            Text("score", style="bold"),
            "base × bend. Base comes from the ranks by words and by meaning, and is 1 for the "
            "first in both; rel is the similarity of meaning alone.",
        )
    table.add_row(
        Text("+ −", style="bold"),
        "only forgetting let it in (+); forgetting kept it out (−): the same question, instant and "
        "store, with forgetting and without. rel: relevance, use: counted uses.",
    )
    return table


def _columns(*, show_header: bool) -> Table:
    """Columns of a tray and the one beside it; equally wide in every table of a page."""
    table = Table(
        box=None,
        padding=(0, 1, 0, 0),
        header_style="dim",
        expand=True,
        pad_edge=False,
        show_header=show_header,
    )
    table.add_column("", width=2, no_wrap=True, justify="right")
    table.add_column("with forgetting", ratio=6, no_wrap=True, overflow="ellipsis")
    table.add_column("rel", width=4, no_wrap=True, justify="right")
    table.add_column("need", width=4, no_wrap=True, justify="right")
    table.add_column("use", width=3, no_wrap=True, justify="right")
    table.add_column("bend", width=6, no_wrap=True, justify="right")
    table.add_column("│", width=1, no_wrap=True, style="dim")
    table.add_column("", width=2, no_wrap=True, justify="right")
    table.add_column("with forgetting off", ratio=5, no_wrap=True, overflow="ellipsis")
    return table


def _tray(experience: Experience, pair: Pair) -> Table:
    table = _columns(show_header=False)
    bent, plain = pair.bent.hits, pair.plain.hits
    for place in range(max(len(bent), len(plain))):
        left: Sequence[Text] = [Text()] * 6
        right: Sequence[Text] = [Text()] * 2
        if place < len(bent):
            hit = bent[place]
            mark = _place(place + 1, "+" if hit.id in pair.came else "", CAME, "")
            left = (mark, _text(experience, pair, hit.id), *_numbers(hit.explanation))
        if place < len(plain):
            gone = plain[place].id in pair.went
            mark = _place(place + 1, "−" if gone else "", WENT, ALIKE)
            text = _text(experience, pair, plain[place].id, style="" if gone else ALIKE)
            right = (mark, text)
        table.add_row(*left, "│", *right)
    for miss in _misses(pair):
        place = len(bent) + pair.bent.exclusions.index(miss) + 1
        table.add_row(
            _place(place, "", "", ALIKE),
            _text(experience, pair, miss.id, style=ALIKE),
            *_numbers(miss.explanation, style=ALIKE),
            "│",
            "",
            Text(f"out: {miss.reason.value.replace('_', ' ')} ({miss.axis.value})", style=ALIKE),
        )
    return table


def _place(place: int, mark: str, marked: str, plain: str) -> Text:
    return Text(f"{mark}{place}", style=marked if mark else plain)


def _cued(explanation: Explanation) -> str:
    return "!" if Flag.STRONG_CUE in explanation.flags else ""


def _misses(pair: Pair) -> list[Exclusion]:
    """Those that forgetting kept out; where it kept none out, the nearest miss."""
    went = [each for each in pair.bent.exclusions if each.id in pair.went]
    near = [each for each in pair.bent.exclusions if each.reason is not Reason.NO_MATCH]
    return went or near[:1]


def _numbers(explanation: Explanation, style: str = "") -> tuple[Text, Text, Text, Text]:
    return (
        Text(decimal(explanation.relevance, 2), style=style),
        Text(_need(explanation.need), style=style),
        Text(str(explanation.use_count or "·"), style=style),
        Text(f"×{explanation.boost:.2f}{_cued(explanation)}", style=style),
    )


def _need(need: float) -> str:
    return decimal(need, 3 if need < 0.0995 else 2)


def _text(experience: Experience, pair: Pair, memory_id: str, style: str = "") -> Text:
    """A memory in one line: in its colour where it is followed, with ✓ where it is evidence."""
    evidence = {experience.memory_of[each] for each in pair.question.evidence}
    followed = experience.conversation.followed
    for each, colour in zip(followed, COLOURS, strict=False):
        if experience.memory_of.get(each.remark_id) == memory_id:
            style = f"{style} {colour}".strip()
    return Text(("✓ " if memory_id in evidence else "") + experience.texts[memory_id], style=style)


def _standing(seen: Seen, name: str) -> Text:
    for each in seen.standings:
        if each.name == name:
            return Text(_need(each.need) + (f" ×{each.uses}" if each.uses else ""))
    return Text("–", style="dim")


def _lasts(days: float) -> str:
    return "protected" if days == float("inf") else span(days)


def _told(experience: Experience, change: Change) -> Iterator[RenderableType]:
    pair = change.pair
    explained = {each.id: each.explanation for each in pair.bent.hits}
    explained |= {each.id: each.explanation for each in pair.bent.exclusions}
    yield Text(f"“{pair.question.text}”, {change.seen.visit.title}:")
    table = _indented()
    for ids, mark, style in ((pair.came, "+ came", CAME), (pair.went, "− went", WENT)):
        for each in ids:
            numbers = explained[each]
            table.add_row(Text(mark, style=style), f"“{experience.texts[each]}”")
            table.add_row(
                "",
                Text(
                    f"relevance {numbers.relevance:.2f} · need {numbers.need:.3f} after "
                    f"{counted(numbers.use_count)}, importance {numbers.importance:.2f} · score "
                    f"{numbers.base:.3f} × {numbers.boost:.3f} = {numbers.score:.3f}",
                    style="dim",
                ),
            )
    yield table


def _series(experience: Experience) -> list[Series]:
    return [
        Series(
            label=curve.followed.name,
            colour=colour,
            x=curve.days,
            y=curve.need,
            marks=curve.used_on,
        )
        for curve, colour in zip(experience.curves, COLOURS, strict=False)
    ]


def _frame(experience: Experience, width: int) -> Frame:
    start = experience.conversation.sessions[0].at
    names = max(len(each.followed.name) for each in experience.curves)
    days = [(seen.visit.at - start) / DAY for seen in experience.seen]
    return Frame(
        width=max(width - GUTTER - 1 - names, 20),
        height=14,
        x_end=days[-1],
        y_low=Y_LOW,
        y_high=Y_HIGH,
        x_ticks=[(each, f"{each:.0f}") for each in days[:-1]] + [(days[-1], f"day {days[-1]:.0f}")],
        y_ticks=[(1.0, "1"), (0.1, ".1"), (0.02, ".02"), (0.002, ".002")],
        level=experience.level,
    )
