"""A large bank searched by the store's own indexes, against an exact search of the same bank.

A bank on PostgreSQL is filled with texts recombined from the bundled conversation (or a file) and
asked whole questions twice: while it is held in RAM, exactly, and after `memory.ram_bank_limit` was
set below its size. Told is which share of the exact search's first ten the other one found, how
long each recall took, how long the index took to make, and how many memories the process held.

    python -m benchmarks.large [--size 20000] [--queries 200] [--data FILE] [--json]
"""

import argparse
import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from benchmarks.common import arguments, at_least, envelope, print_json, print_machine, print_table
from benchmarks.latency import NOW, Source, asked, bundled, fill, of_file, quantile
from benchmarks.places import empty_store
from lapse import Lapse
from lapse.bank import Bank
from lapse.testing.fakes import FakeClock

K = 10
WARM_UP = 5
BUDGET_WORDS = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """Answers to all questions in order, by id, and the seconds that each took."""

    hits: tuple[tuple[str, ...], ...]
    seconds: tuple[float, ...]


def main() -> None:
    """Measure and print."""
    options = read_arguments()
    source = bundled() if options.data is None else of_file(options.data)
    outcome = envelope("large", measure(source, options.size, options.queries))
    if options.as_json:
        print_json(outcome)
        return
    print_machine(outcome)
    print_table("a large bank", ["figure", "value"], list(outcome.results.items()))


def read_arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = arguments(__doc__ or "")
    parser.add_argument("--size", type=at_least(100), default=20_000, metavar="N")
    parser.add_argument("--queries", type=at_least(1), default=200, metavar="N")
    parser.add_argument(
        "--data", type=Path, default=None, metavar="FILE", help="a file in LoCoMo's format instead"
    )
    return parser.parse_args()


def measure(source: Source, size: int, queries: int) -> Mapping[str, float]:
    """Fill a bank of this size, ask it both ways, and give the figures."""
    random = Random(size)  # noqa: S311 - the same texts on every run
    with (
        empty_store("postgres") as target,
        Lapse.open(target, background=False, clock=FakeClock(NOW)) as mind,
    ):
        bank = mind.bank("measured")
        started = time.perf_counter()
        fill(bank, source, size, random)
        mind.drain()
        filled = time.perf_counter()
        questions = [asked(source, random) for _ in range(queries + WARM_UP)]
        exact = ask(bank, questions)
        bank.set_policy({"memory.ram_bank_limit": size // 2}, by="benchmark")
        began = time.perf_counter()
        mind.drain()
        made = time.perf_counter()
        near = ask(bank, questions)
        return {
            "memories": size,
            "load_before": os.getloadavg()[0],
            "recall_at_10": shared(near.hits, exact.hits),
            "first_same": same_first(near.hits, exact.hits),
            "exact_p50_ms": 1e3 * quantile(exact.seconds, 0.5),
            "exact_p95_ms": 1e3 * quantile(exact.seconds, 0.95),
            "near_p50_ms": 1e3 * quantile(near.seconds, 0.5),
            "near_p95_ms": 1e3 * quantile(near.seconds, 0.95),
            "fill_s": filled - started,
            "make_s": made - began,
            "held": bank.engine.runtime(bank.ref).held,
        }


def ask(bank: Bank, questions: Sequence[str]) -> Asked:
    """Ask all questions; the first few are not told of."""
    hits: list[tuple[str, ...]] = []
    seconds: list[float] = []
    for question in questions:
        started = time.perf_counter()
        found = bank.recall(question, k=K, budget_words=BUDGET_WORDS)
        seconds.append(time.perf_counter() - started)
        hits.append(tuple(each.memory.id for each in found.hits))
    return Asked(hits=tuple(hits[WARM_UP:]), seconds=tuple(seconds[WARM_UP:]))


def shared(found: Sequence[Sequence[str]], wanted: Sequence[Sequence[str]]) -> float:
    """Share of what an exact search finds that was found."""
    kept = sum(len({*one} & {*other}) for one, other in zip(found, wanted, strict=True))
    return kept / sum(map(len, wanted))


def same_first(found: Sequence[Sequence[str]], wanted: Sequence[Sequence[str]]) -> float:
    """Share of questions with the same first hit."""
    same = sum(one[:1] == other[:1] for one, other in zip(found, wanted, strict=True))
    return same / len(wanted)


if __name__ == "__main__":
    main()
