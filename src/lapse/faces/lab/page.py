"""A report on a bank's forgetting as one page of HTML that needs nothing else.

Decides what is said beside each picture. Refuses to draw and to compute, and to load anything: the
pictures are in the page, and there is no script.
"""

import base64
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from typing import Final

from lapse.lab.comparing import SHARES
from lapse.lab.reporting import ReportFigures
from lapse.lab.rollout import Cause, Rollout
from lapse.model.instants import to_iso

SAMPLES: Final = 5
"""Memories that are named for each cause."""

_STYLE: Final = """
body{font:15px/1.55 system-ui,sans-serif;color:#22262b;background:#fff;max-width:60rem;
margin:2.5rem auto;padding:0 1.25rem}
h1{font-size:1.7rem;margin:0 0 .2rem}h2{font-size:1.2rem;margin:2.4rem 0 .4rem}
p{max-width:44rem}.quiet{color:#5d6570}img{max-width:100%;height:auto;display:block;margin:.6rem 0}
table{border-collapse:collapse;margin:.6rem 0;font-size:.92rem;display:block;overflow-x:auto}
th,td{padding:.25rem .9rem .25rem 0;text-align:right;border-bottom:1px solid #d9dee4}
th:first-child,td:first-child,.words{text-align:left}th{font-weight:600;color:#5d6570}
.missing{border-left:3px solid #d55e00;padding:.1rem 0 .1rem .8rem}
code{font:.9em ui-monospace,monospace}
"""

_WORDY: Final = ("when", "examples")
"""Columns of words: they begin at the left, and numbers end at the right."""

_WORDS: Final[Mapping[str, tuple[str, str]]] = {
    "forgetting-curves": (
        "How memories fade",
        "Retrievability of some memories of this bank, from the strongest to the weakest, if none "
        "is used from now on. Below the dashed line a memory has faded.",
    ),
    "reliability": (
        "How well need is foreseen",
        "Fitted on the first part of the log, judged on the rest. On the dashed line, what was "
        "foreseen is what happened.",
    ),
    "kept": (
        "What each policy would have kept",
        "At many instants of the log: of the uses in the days after, the share that falls on the "
        "memories a policy ranks first. Beside the policies stand what was used last (lru), what "
        "was used most (lfu), chance, an adaptive cache (arc), and the clairvoyant, who knows the "
        "future. A policy whose line lies above that of current kept more of what was used.",
    ),
    "active-set": (
        "How the active set would go on",
        "The bank rolled forward on a copy, with its guards and sweeps, told and used nothing: "
        "every use would put a date off.",
    ),
    "levels": (
        "How much hangs on the level",
        "Active memories at the end for other levels, by the curves alone. The dashed line is the "
        "level in force.",
    ),
}


def page_of(figures: ReportFigures, pictures: Mapping[str, bytes]) -> str:
    """The page.

    Args:
        figures: What it tells.
        pictures: PNGs by name, in their order.
    """
    body = "\n".join(_body(figures, pictures))
    title = escape(f"Forgetting in {figures.bank}")
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width,initial-scale=1">\n'
        f"<title>{title}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n{body}\n</body>\n"
        "</html>\n"
    )


def _body(figures: ReportFigures, pictures: Mapping[str, bytes]) -> Iterator[str]:
    yield f"<h1>Forgetting in {escape(figures.bank)}</h1>"
    yield (
        f'<p class="quiet">{to_iso(figures.at)} · {figures.memories} memories, {figures.active} '
        f"active · law {figures.law.value} · policy {figures.policy[:12]} · "
        f"{figures.log_entries} lines of log · {figures.days} days ahead</p>"
    )
    if figures.missing:
        yield '<div class="missing"><p>What this page cannot show yet, and why:</p><ul>'
        yield from (f"<li>{escape(each)}</li>" for each in figures.missing)
        yield "</ul></div>"
    tables = {
        "reliability": _verdicts,
        "kept": _compared,
        "active-set": _rollouts,
    }
    for name, png in pictures.items():
        heading, words = _WORDS[name]
        encoded = base64.b64encode(png).decode("ascii")
        yield f"<h2>{heading}</h2>\n<p>{words}</p>"
        yield f'<img id="{name}" alt="{heading}" src="data:image/png;base64,{encoded}">'
        if name in tables:
            yield from tables[name](figures)


def _verdicts(figures: ReportFigures) -> Iterator[str]:
    rows = [
        (name, _told(one.log_loss), _told(one.ece), _told(one.auc), _told(one.hit20))
        for name, one in figures.fit.verdicts.items()
    ]
    yield _table(("predictor", "log loss", "ECE", "AUC", "uses on the best fifth"), rows)
    if figures.fit.diff:
        settings = ", ".join(f"{path} = {value:g}" for path, value in figures.fit.diff.items())
        yield (
            f"<p>What fits this log better: <code>{escape(settings)}</code>. This page changes "
            "nothing: <code>lapse lab fit</code> proposes it, with the same log and days.</p>"
        )


def _compared(figures: ReportFigures) -> Iterator[str]:
    places = [SHARES.index(each) for each in (0.2, 0.5, 0.8)]
    rows = [
        (
            name,
            *(_told(curve.hit_rates[at]) for at in places),
            _told(curve.needed_after_forgotten),
        )
        for name, curve in figures.compared.items()
    ]
    heads = ("policy", *(f"{SHARES[at]:.0%} kept" for at in places), "needed after, of 1,000 uses")
    yield _table(heads, rows)


def _rollouts(figures: ReportFigures) -> Iterator[str]:
    for name, rollout in figures.rollouts.items():
        last = rollout.steps[-1].active if rollout.steps else rollout.active
        yield (
            f"<h3>{escape(name)}</h3><p>{rollout.leaving_count} would go, {last} of "
            f"{rollout.active} would stay.</p>"
        )
        if rollout.stopped_at is not None:
            at = to_iso(rollout.stopped_at)
            yield f"<p>On {at} the canaries would have lost too much, and sweeps would stop.</p>"
        if rollout.leaving:
            yield _table(("why", "among the first to go", "examples"), _causes(rollout))
        yield _table(("mode", "when", "answers changed", "recall on canaries"), _effects(rollout))


def _causes(rollout: Rollout) -> Iterator[Sequence[str]]:
    for cause in Cause:
        named = [each for each in rollout.leaving if each.cause is cause]
        if named:
            shown = ", ".join(each.memory_id for each in named[:SAMPLES])
            yield cause.value, str(len(named)), shown


def _effects(rollout: Rollout) -> Iterator[Sequence[str]]:
    for each in rollout.effects:
        when = "now" if each.at == rollout.start else "at the end"
        yield each.mode.value, when, _told(each.changed), _told(each.canary_recall)


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    head = "".join(f"<th{_side(each)}>{escape(each)}</th>" for each in heads)
    body = "".join(
        "<tr>"
        + "".join(
            f"<td{_side(name)}>{escape(each)}</td>" for name, each in zip(heads, row, strict=True)
        )
        + "</tr>"
        for row in rows
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _side(heading: str) -> str:
    return ' class="words"' if heading in _WORDY else ""


def _told(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"
