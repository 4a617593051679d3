"""What all benchmarks share: arguments, the JSON envelope and the table.

Decides the form in which a measurement leaves a benchmark. Refuses to measure anything itself.
"""

import argparse
import json
import os
import platform
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TypeAlias

from rich.console import Console
from rich.table import Table

Json: TypeAlias = "bool | int | float | str | Sequence[Json] | Mapping[str, Json] | None"

VERSIONED = (
    "lapse",
    "numpy",
    "sqlalchemy",
    "alembic",
    "typer",
    "rich",
    "snowballstemmer",
    "wordllama",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """Where a measurement was taken: figures from two machines are not compared."""

    system: str
    processor: str
    cores: int
    memory_gib: float | None
    python: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Envelope:
    """One benchmark's outcome in the form that other tools read.

    The keys of `results` are each benchmark's own and stay stable.
    """

    benchmark: str
    date: str
    machine: Machine
    versions: Mapping[str, str | None]
    results: Mapping[str, Json]

    def to_json(self) -> str:
        """Write the envelope as one JSON object.

        Raises:
            ValueError: A result is NaN or infinite.
        """
        return json.dumps(asdict(self), indent=2, ensure_ascii=False, allow_nan=False)


def arguments(description: str) -> argparse.ArgumentParser:
    """Start a benchmark's command line, with the `--json` that every benchmark has."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument(
        "--json",
        action="store_true",
        dest="as_json",
        help="print one JSON object and nothing else",
    )
    return parser


def add_data(parser: argparse.ArgumentParser, *, help: str) -> None:  # noqa: A002 - argparse's word
    """Give a benchmark a required `--data FILE`; `help` says which format the file has.

    A file that does not exist ends the program with a usage error.
    """

    def existing(text: str) -> Path:
        path = Path(text).expanduser()
        if not path.is_file():
            raise argparse.ArgumentTypeError(f"no such file: {text}")
        return path

    parser.add_argument("--data", type=existing, required=True, metavar="FILE", help=help)


def add_first(parser: argparse.ArgumentParser, *, of: str) -> None:
    """Give a benchmark `--first N`: no more of its data than that, in the file's order."""
    parser.add_argument(
        "--first",
        type=at_least(1),
        default=None,
        metavar="N",
        help=f"only the first N {of}; all if left out",
    )


def at_least(least: int) -> Callable[[str], int]:
    """A reader of whole numbers from `least` on, for an argument's type."""

    def read(text: str) -> int:
        if not text.isdecimal() or int(text) < least:
            raise argparse.ArgumentTypeError(f"needs a whole number from {least}: {text}")
        return int(text)

    return read


def sizes(text: str) -> tuple[int, ...]:
    """Read sizes of banks, such as 1000,10000, for an argument's type."""
    return tuple(at_least(1)(each) for each in text.split(","))


def envelope(benchmark: str, results: Mapping[str, Json]) -> Envelope:
    """Put results into the common form, dated now, with this machine and these versions."""
    return Envelope(
        benchmark=benchmark,
        date=datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z"),
        machine=_machine(),
        versions={name: _version(name) for name in VERSIONED},
        results=results,
    )


def print_json(outcome: Envelope) -> None:
    """Print the envelope alone on standard output."""
    print(outcome.to_json())


def print_table(title: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print rows under their columns: the first to the left, the others to the right.

    Floats are shown with four significant digits, None as a dash.
    """
    table = Table(title=title, title_justify="left")
    for number, column in enumerate(columns):
        table.add_column(column, justify="right" if number else "left", no_wrap=True)
    for row in rows:
        table.add_row(*(_shown(cell) for cell in row))
    print_to = Console()
    if not print_to.is_terminal:
        # A file has no width that a column could be cut to.
        print_to = Console(width=max(print_to.width, Console(width=10_000).measure(table).maximum))
    print_to.print(table)


def print_machine(outcome: Envelope) -> None:
    """Print the line without which a table means nothing: where and with what it was measured."""
    machine = outcome.machine
    memory = "?" if machine.memory_gib is None else f"{machine.memory_gib:.0f}"
    versions = ", ".join(f"{name} {found or '-'}" for name, found in outcome.versions.items())
    print(f"{outcome.date} · {machine.system} · {machine.cores} cores · {memory} GiB")
    print(f"Python {machine.python}, {versions}")


def _shown(cell: object) -> str:
    match cell:
        case None:
            return "-"
        case float():
            return f"{cell:.4g}"
        case _:
            return str(cell)


def _machine() -> Machine:
    return Machine(
        system=f"{platform.system()} {platform.release()}",
        processor=platform.processor() or platform.machine(),
        cores=_usable_cores(),
        memory_gib=_memory_gib(),
        python=platform.python_version(),
    )


def _usable_cores() -> int:
    # A container may be given fewer cores than the machine has; only Linux tells.
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _memory_gib() -> float | None:
    try:
        pages, page_bytes = os.sysconf("SC_PHYS_PAGES"), os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):
        return None
    return round(pages * page_bytes / 2**30, 1)


def _version(distribution: str) -> str | None:
    try:
        return version(distribution)
    except PackageNotFoundError:
        return None
