"""The scorecard: every benchmark in turn, with what it gave, when, where and by which command.

    python -m benchmarks.scorecard [--data-root FOLDER] [--only names] [--again] [--limit-s 900]

Each runs in a process of its own. What it gave is written at once, so that a run that was cut off
goes on where it stopped; what is there already is kept while it was called as the card calls it
now, unless `--again` asks for it anew. One that takes longer than the limit, or whose data is not
under the folder, is named with the reason.

Decides which benchmarks belong to the card, at which sizes, and which of their figures are shown;
the JSON beside the page holds all. Sizes are such that no row took five minutes, and all together
24, on two cores that others used as well; each is in its command. Refuses to measure anything
itself, and to judge.
"""

import json
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from benchmarks.common import Json, arguments, at_least

ROOT: Final = Path(__file__).resolve().parents[1]
PAGE: Final = ROOT / "docs" / "scorecard.md"
FIGURES: Final = ROOT / "docs" / "scorecard.json"
SHOWN: Final = 12
"""Figures of one benchmark that the page shows, where it names none."""

NOTICE: Final = (
    "<!-- Written by `make scorecard`; the figures themselves are in scorecard.json. -->"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One benchmark of the card.

    Attributes:
        name: Module, and what tells two rows of it apart.
        arguments: What it is called with, beside its data.
        data: Its file under the data root, or None.
        shown: Beginnings of the figures that the page shows, by dotted path; empty for the first.
    """

    name: str
    arguments: tuple[str, ...] = ()
    data: str | None = None
    shown: tuple[str, ...] = ()

    @property
    def module(self) -> str:
        """The module that is run."""
        return f"benchmarks.{self.name.partition(' ')[0]}"

    @property
    def command(self) -> str:
        """What is typed to run it, its data by name alone."""
        data = () if self.data is None else ("--data", self.data)
        return " ".join(("python", "-m", self.module, *self.arguments, *data))


_LOCOMO: Final = "locomo_dev.json"
CARD: Final = (
    Row(name="retrieval", data=_LOCOMO),
    Row(name="cues", data=_LOCOMO),
    Row(name="harm", data=_LOCOMO),
    Row(
        name="forget",
        data=_LOCOMO,
        arguments=("--seeds", "1", "--policies", "lapse,worth,lru"),
        shown=("none", "lapse.end_share", "lapse.delayed_share", "lru.end_share"),
    ),
    Row(name="lifecycle", data=_LOCOMO),
    Row(name="reflection", data=_LOCOMO),
    Row(name="need flask", data="gitlogs/flask.csv", shown=("fitted", "activation", "lru")),
    Row(name="need requests", data="gitlogs/requests.csv", shown=("fitted", "activation", "lru")),
    Row(
        name="stale",
        data="letta_update_dev.jsonl",
        arguments=("--first", "100"),
        shown=("n", "off.", "act."),
    ),
    Row(name="capacity"),
    Row(name="durability"),
    Row(name="contradiction"),
    Row(name="latency", arguments=("--sizes", "1000,10000")),
    Row(name="rank", arguments=("--sizes", "1000,5000")),
    Row(name="sweep", arguments=("--sizes", "10000")),
    Row(name="tombstones", arguments=("--size", "2000", "--bank", "5000")),
    Row(name="stores", arguments=("--size", "2000")),
    Row(name="kernels"),
    Row(
        name="workers",
        arguments=(
            *("--workers", "4", "--banks", "20", "--events", "10000"),
            *("--kills", "5", "--kill-s", "1", "--store", "file"),
        ),
    ),
)
"""Every benchmark of the card, in its order."""


def main() -> None:
    """Run what is wanted, and write the card after each."""
    parser = arguments(__doc__ or "")
    parser.add_argument("--data-root", type=Path, help="folder of the data sets")
    parser.add_argument("--only", default="", help="names, divided by commas; all if left out")
    parser.add_argument("--again", action="store_true", help="run what is on the card already, too")
    parser.add_argument("--limit-s", type=at_least(1), default=900, help="seconds for each")
    options = parser.parse_args()
    wanted = {each for each in options.only.split(",") if each}
    card = read(FIGURES)
    for row in CARD:
        if wanted and row.name not in wanted:
            continue
        if stands(row, card) and not options.again:
            continue
        card[row.name] = run(row, options.data_root, options.limit_s)
        write(card)
        print(f"{row.name}: {card[row.name].get('problem', 'done')}", file=sys.stderr)
    if options.as_json:
        print(json.dumps(card))


def read(path: Path) -> dict[str, dict[str, Json]]:
    """What is on the card already."""
    if not path.exists():
        return {}
    found: dict[str, dict[str, Json]] = json.loads(path.read_text(encoding="utf-8"))
    return found


def stands(row: Row, card: Mapping[str, Mapping[str, Json]]) -> bool:
    """Whether what is on the card was measured, and as the card has it measured now."""
    told = card.get(row.name, {"problem": "is not on it"})
    return "problem" not in told and told["command"] == row.command


def run(row: Row, root: Path | None, limit_s: int) -> dict[str, Json]:
    """Run one benchmark; gives its envelope with its command, or what kept it from running."""
    told = {"command": row.command}
    called = [sys.executable, "-m", row.module, *row.arguments]
    if row.data is not None:
        path = None if root is None else root / row.data
        if path is None or not path.is_file():
            return {**told, "problem": "its data is not under --data-root"}
        called += ["--data", str(path)]
    began = time.monotonic()
    try:
        ended = subprocess.run(
            [*called, "--json"], capture_output=True, check=False, timeout=limit_s, text=True
        )
    except subprocess.TimeoutExpired:
        return {**told, "problem": f"did not finish within {limit_s} s"}
    if ended.returncode:
        last = (ended.stderr.strip().splitlines() or ["no word"])[-1]
        return {**told, "problem": f"ended with {ended.returncode}: {last[:200]}"}
    envelope: dict[str, Json] = json.loads(ended.stdout)
    return {**told, "took_s": round(time.monotonic() - began, 1), **envelope}


def write(card: Mapping[str, Mapping[str, Json]]) -> None:
    """Write the card and its page, in the order of `CARD`."""
    order = {each.name: card[each.name] for each in CARD if each.name in card}
    FIGURES.write_text(json.dumps(order, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    PAGE.write_text(page(order), encoding="utf-8")


def page(card: Mapping[str, Mapping[str, Json]]) -> str:
    """The page."""
    lines = [
        NOTICE,
        "",
        "# Scorecard",
        "",
        "What every benchmark gave when it was last run. What the figures mean, and what they were",
        "compared with, stands in [what was measured](explanation/benchmarks.md). Sizes are small,",
        "and stand in the commands; times are of a machine on which other things may have run.",
    ]
    for row in CARD:
        if row.name in card:
            lines += ["", f"## {row.name}", "", *_section(row, card[row.name])]
    return "\n".join(lines) + "\n"


def leaves(value: Json, path: str = "") -> Iterator[tuple[str, int | float]]:
    """Every number in a result, by dotted path; members of lists are left out."""
    if isinstance(value, Mapping):
        for name, each in value.items():
            yield from leaves(each, f"{path}.{name}" if path else name)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield path, value


def _section(row: Row, told: Mapping[str, Json]) -> Iterator[str]:
    yield f"`{told['command']}`"
    yield ""
    if "problem" in told:
        yield f"Not measured: {told['problem']}."
        return
    yield f"{told['date']}, {told['took_s']} s. {_machine(told.get('machine'))}"
    found = list(leaves(told.get("results", {})))
    chosen = [each for each in found if each[0].startswith(row.shown)] if row.shown else found
    yield ""
    yield "| figure | value |"
    yield "|---|---|"
    for name, value in chosen[:SHOWN]:
        yield f"| {name} | {value:.4g} |"
    if len(chosen) > SHOWN:
        yield ""
        yield f"{len(found) - SHOWN} more in scorecard.json."


def _machine(told: Json) -> str:
    if not isinstance(told, Mapping):
        return ""
    memory, cores = told.get("memory_gib"), told.get("cores")
    return f"{told.get('system')}, {cores} cores, {memory} GiB, Python {told.get('python')}."


if __name__ == "__main__":
    main()
