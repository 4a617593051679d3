"""Policy, laws, counts and findings for people.

Decides which rows of a law are worth a line, and how a setting reads. Refuses to interpret numbers.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from types import MappingProxyType

from rich.console import RenderableType
from rich.table import Column
from rich.text import Text

from lapse.engine.reading import Stats
from lapse.engine.upkeep import Upkeep
from lapse.faces.operations.results import (
    BackedUp,
    Diagnosis,
    LawOfPreset,
    LawRow,
    Laws,
    Marked,
    PolicyInForce,
    Reembedded,
)
from lapse.faces.tables.shapes import (
    EMPTY,
    Layout,
    age,
    cell,
    counted,
    duration,
    label,
    line,
    moment,
    number,
    pairs,
    prose,
    share,
    table,
)
from lapse.model.memory import Kind
from lapse.model.policy import SETTINGS
from lapse.model.policy_layers import Origin
from lapse.model.retention import ImportanceSource

_MOST_SHOWN = 4
"""Of a row of numbers; the 21 weights of a law would push everything else off the screen."""
NEUTRAL = 0.5
"""Importance of the memories whose uses are shown."""

_RATED: Mapping[ImportanceSource, str] = MappingProxyType(
    {
        ImportanceSource.DEFAULT: "rated by nobody",
        ImportanceSource.CALLER: "rated by their teller",
        ImportanceSource.HEURISTIC: "rated by the heuristic",
        ImportanceSource.AWAITED: "waiting for the model",
        ImportanceSource.MODEL: "rated by the model",
        ImportanceSource.FALLBACK: "left to the heuristic by the model",
        ImportanceSource.VERIFIED: "rated by a verified outcome",
    }
)


def policy_parts(result: PolicyInForce, layout: Layout) -> Iterator[RenderableType]:
    """The settings told of, with value, unit and origin."""
    rows = []
    for path, origin in result.origins.items():
        spec = SETTINGS[path]
        section, name = path.split(".", maxsplit=1)
        values = result.policy[section]
        value = values[name] if isinstance(values, Mapping) else None
        style = "" if origin is Origin.DEFAULT else "bold"
        shown = f"none ({spec.setting.special})" if value is None else _shortened(value)
        rows.append(
            [Text(path, style=style), cell(shown), Text(spec.unit), Text(origin, style=style)]
        )
    columns = [label("setting"), prose("value"), prose("unit", least=8), label("from")]
    yield table("", columns, rows, layout=layout)
    yield EMPTY
    yield Text(f"mode {result.mode.value} · policy {result.fingerprint[:12]}", style="dim")


def stats_parts(result: Stats) -> Iterator[RenderableType]:
    """Counts, one a line."""
    yield pairs(
        [
            ("memories", str(result.memories)),
            *((f"  {each.value}", count) for each, count in result.by_lifecycle.items()),
            *((f"  {each.value}", count) for each, count in result.by_kind.items()),
            *((f"  {_RATED[each]}", count) for each, count in result.by_rater.items()),
            ("current", str(result.current)),
            ("faded", str(result.faded)),
            ("pinned", str(result.pinned)),
            ("uses that wait", str(result.pending_events)),
            ("uses refused as late", str(result.late_events)),
            ("tombstones", str(result.tombstones)),
            ("without vector", str(result.without_vector)),
            ("embedder", result.embedder or "none yet"),
            ("vector epoch", result.epoch or None),
            ("cached answers", str(result.cache.answers)),
            ("mode", result.mode.value),
            ("policy", result.policy[:12]),
            ("revision", str(result.revision)),
            ("store", f"{result.store_bytes:,} bytes"),
            ("at", moment(result.at)),
        ]
    )


def upkeep_parts(result: Upkeep) -> Iterator[RenderableType]:
    """What a round of upkeep did."""
    yield pairs(
        [
            ("strengthened or weakened", str(result.drained)),
            ("given a state", str(result.repaired)),
            ("dated anew", str(result.redated)),
            ("embedded", str(result.embedded)),
            ("rated by the model", str(result.rated)),
            ("left as the heuristic rated", str(result.rating_fallbacks)),
            ("derived from sessions", str(result.consolidated)),
            ("new vector epoch", "yes" if result.moved else "no"),
            ("stale answers dropped", str(result.purged)),
        ]
    )


def count_parts(result: Marked | Reembedded | BackedUp) -> Iterator[RenderableType]:
    """A single fact."""
    match result:
        case Marked():
            yield line(f"{counted(result.changed, 'memory', 'memories')} changed")
        case Reembedded():
            yield line(f"{counted(result.vectors, 'vector')} made")
        case BackedUp():
            yield line(f"copied to {result.path}")


def diagnosis_parts(result: Diagnosis) -> Iterator[RenderableType]:
    """Every finding on a line of its own."""
    for each in result.findings:
        yield line(f"{each.where}: {each.problem}")
    banks = counted(len(result.banks), "bank")
    if result.findings:
        yield line(f"{counted(len(result.findings), 'finding')} in the file and {banks}")
    else:
        yield line(f"nothing found in the file and {banks}")


def laws_parts(result: Laws, layout: Layout) -> Iterator[RenderableType]:
    """A table for each preset and the kinds that behave alike under it."""
    yield line(
        "R is retrievability, need the probability of use within 30 days. Ages and times count "
        "from the last use, uses are cited ones a week apart, levels are levels of R."
    )
    for each in result.laws:
        for kinds, shown in _by_kinds(each.rows):
            yield EMPTY
            title = f"{each.preset}: law {each.law.value}"
            yield _law(title if not kinds else f"{title}, {kinds}", each, shown, layout)


def _law(title: str, law: LawOfPreset, shown: Sequence[LawRow], layout: Layout) -> RenderableType:
    same = all(each.need == each.retrievability for row in shown for each in row.readings)
    which = [] if same else [label("")]
    columns = [
        label("importance"),
        *which,
        *(number(age(each.age_days)) for each in shown[0].readings),
        number("half-life"),
        *(number(f"below {level:g}") for level in law.levels),
    ]
    rows: list[list[Text]] = []
    for row in shown:
        times = [duration(row.half_life_days), *(_fallen(each.after_days) for each in row.falls)]
        recalls = [share(each.retrievability) for each in row.readings]
        rows.append([Text(_told(row)), *_named(which, "R"), *recalls, *map(Text, times)])
        if not same:
            needs = [share(each.need) for each in row.readings]
            rows.append([Text(""), Text("need"), *needs, *(Text("") for _ in times)])
    whole = f"{title}, R = need" if same else title
    return table(whole, columns, rows, layout=layout, gap=1)


def _named(which: Sequence[Column], name: str) -> list[Text]:
    return [Text(name) for _ in which]


def _told(row: LawRow) -> str:
    uses = f", {counted(row.uses, 'use')}" if row.uses else ""
    return f"{row.importance:g}{uses}"


def _by_kinds(rows: Sequence[LawRow]) -> Iterator[tuple[str, list[LawRow]]]:
    """Rows worth a line, with the kinds they hold for: kinds that behave alike are one.

    The kinds are named unless they are all.
    """
    alike: list[tuple[list[Kind], list[LawRow]]] = []
    for kind, found in groupby(rows, key=lambda each: each.kind):
        shown = [each for each in found if each.uses == 0 or each.importance == NEUTRAL]
        numbers = [_numbers(each) for each in shown]
        known = next((one for one in alike if [_numbers(each) for each in one[1]] == numbers), None)
        if known is None:
            alike.append(([kind], shown))
        else:
            known[0].append(kind)
    for kinds, shown in alike:
        yield "" if len(kinds) == len(Kind) else ", ".join(kinds), shown


def _numbers(row: LawRow) -> tuple[object, ...]:
    return (row.importance, row.uses, row.readings, row.half_life_days, row.falls)


def _fallen(after_days: float | None) -> str:
    """When a level is crossed; a law that counts from the telling may be below it at the use."""
    return "at once" if after_days is not None and after_days <= 0 else duration(after_days)


def _shortened(value: object) -> str:
    """A setting's value; of a long row of numbers its beginning, since --json gives all of it."""
    if isinstance(value, list | tuple) and len(value) > _MOST_SHOWN:
        return f"{_setting(value[:_MOST_SHOWN])}, … ({len(value)} in all)"
    return _setting(value)


def _setting(value: object) -> str:
    match value:
        case bool():
            return str(value).lower()
        case float():
            return f"{value:.15g}"
        case Mapping():
            return ", ".join(f"{name}={each}" for name, each in value.items()) or "none named"
        case list() | tuple():
            return ", ".join(_setting(each) for each in value) or "none"
        case _:
            return str(value)
