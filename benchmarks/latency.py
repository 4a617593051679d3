"""How long a recall takes, and what forgetting adds to it.

A bank of each size is filled with texts recombined from the bundled conversation (thirds of three
remarks) and asked whole questions. Embedding, explanation, packing and loading the hits are inside
the time. Each question is asked twice, with forgetting off and with it ranking, in alternating
order; the marginal cost is the median of the paired differences, as a share of the p95 with
forgetting off. A ratio of two p95s would mostly measure the machine's other work.

After each pair the same question is put to a bare search of as many texts (`benchmarks.bare`):
machines differ by more than programs do, and a ratio taken within one minute is what carries over.

A size such as 1000000/100 is so many memories in all over so many banks: one bank is filled, the
store copies it (`benchmarks.many`), and each question is put to another bank. `open ms` is opening
the store anew with the first recall; where there are many banks, the first recall of each of the
others is `first ms`, the median.

    python -m benchmarks.latency [--sizes 1000,10000,100000] [--queries 400] [--data FILE] [--json]
                                 [--store file|folder|postgres]
    python -m benchmarks.latency --store postgres --sizes 100000,1000000/100
"""

import argparse
import json
import os
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from importlib.resources import files
from pathlib import Path
from random import Random
from statistics import median
from typing import TypeAlias

from benchmarks.bare import Bare
from benchmarks.common import (
    arguments,
    envelope,
    print_json,
    print_machine,
    print_table,
)
from benchmarks.conversations import read_conversations
from benchmarks.many import copies
from benchmarks.places import STORES, empty_store, settle
from lapse import Lapse
from lapse.bank import Bank
from lapse.testing.fakes import FakeClock

NOW = datetime(2026, 9, 1, tzinfo=UTC)
"""The instant that every recall is judged at."""

SIZES = "1000,10000,100000"
SPAN_DAYS = 240
BATCH = 2000
WARM_UP = 10
K = 8
BUDGET_WORDS = 200
THREADS = "OPENBLAS_NUM_THREADS"

OPENINGS = (
    "What did I tell you about",
    "Do you remember",
    "When was it that I mentioned",
    "How did it go with",
    "Why was I so taken with",
)


Told: TypeAlias = Callable[[int, int, str], None]
"""Is told how much of what is done."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """So many memories in all, over so many banks."""

    memories: int
    banks: int = 1

    def __str__(self) -> str:
        """As it is written."""
        return f"{self.memories}/{self.banks}" if self.banks > 1 else str(self.memories)


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """What a bank and its questions are made of."""

    remarks: tuple[str, ...]
    questions: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Timed:
    """Seconds of each question: with forgetting off, ranking, and of a bare search."""

    off: tuple[float, ...]
    rank: tuple[float, ...]
    bare: tuple[float, ...]

    def results(self) -> dict[str, float]:
        """The figures by the names they have in results."""
        off_p95 = quantile(self.off, 0.95)
        added = median(rank - off for rank, off in zip(self.rank, self.off, strict=True))
        return {
            "p50_ms": 1e3 * quantile(self.rank, 0.5),
            "p95_ms": 1e3 * quantile(self.rank, 0.95),
            "marginal_pct": 100 * added / off_p95,
            "marginal_ms": 1e3 * added,
            "off_p95_ms": 1e3 * off_p95,
            "bare_p50_ms": 1e3 * quantile(self.bare, 0.5),
            "bare_p95_ms": 1e3 * quantile(self.bare, 0.95),
            "p95_by_bare": quantile(self.rank, 0.95) / quantile(self.bare, 0.5),
        }


def main() -> None:
    """Measure and print."""
    if os.environ.get(THREADS) != "1":
        # A second BLAS thread makes one product faster and everything beside it slower, and NumPy
        # reads the number when it is loaded, so that the program has to begin again.
        again = [sys.executable, "-m", "benchmarks.latency", *sys.argv[1:]]
        os.execve(sys.executable, again, {**os.environ, THREADS: "1"})  # noqa: S606 - itself
    options = read_arguments()
    told = silent if options.as_json else aloud
    source = bundled() if options.data is None else of_file(options.data)
    outcome = envelope(
        "latency",
        {
            str(size): measure(source, size, options.queries, options.store, told)
            for size in options.sizes
        },
    )
    if options.as_json:
        print_json(outcome)
        return
    print_machine(outcome)
    shown = {
        "p50_ms": "p50 ms",
        "p95_ms": "p95 ms",
        "marginal_pct": "marginal %",
        "bare_p50_ms": "bare p50 ms",
        "p95_by_bare": "p95 / bare p50",
        "open_ms": "open ms",
        "first_ms": "first ms",
    }
    rows = [
        (size, *(found.get(name) for name in shown))
        for size, found in outcome.results.items()
        if isinstance(found, dict)
    ]
    print_table("recall by size of the bank", ["memories", *shown.values()], rows)


def read_arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = arguments(__doc__ or "")
    parser.add_argument("--sizes", type=_sizes, default=_sizes(SIZES), metavar="N,N/B")
    parser.add_argument("--queries", type=int, default=400, metavar="N", help="pairs of recalls")
    parser.add_argument(
        "--data", type=Path, default=None, metavar="FILE", help="a file in LoCoMo's format instead"
    )
    parser.add_argument("--store", choices=STORES, default="file", help="what it is measured on")
    return parser.parse_args()


def measure(
    source: Source, size: Size, queries: int, store: str, told: Told
) -> Mapping[str, float]:
    """Fill banks of this size in an empty store, ask, and give the figures."""
    each = size.memories // size.banks
    random = Random(each)  # noqa: S311 - the same texts on every run
    with empty_store(store) as target:
        with opened(target) as mind:
            bank = mind.bank("measured")
            bare = Bare(fill(bank, source, each, random, told))
            mind.drain()
            names = [bank.ref.name]
            if size.banks > 1:
                names = copies(mind, bank, size.banks, lambda done: told(done, size.banks, "banks"))
        settle(target)
        questions = [asked(source, random) for _ in range(queries + WARM_UP)]
        started = time.perf_counter()
        with opened(target) as mind:
            banks = [mind.bank(name) for name in names]
            recall_s(banks[0], questions[0], "rank")
            open_s = time.perf_counter() - started
            first = [recall_s(bank, questions[0], "rank") for bank in banks[1:]]
            for at, question in enumerate(questions[:WARM_UP]):
                recall_s(banks[at % len(banks)], question, "rank")
                recall_s(banks[at % len(banks)], question, "off")
            found = timed(banks, bare, questions[WARM_UP:]).results()
    others = {"first_ms": 1e3 * median(first)} if first else {}
    return {**found, "open_ms": 1e3 * open_s, **others}


def opened(target: str) -> Lapse:
    """Open a store."""
    # Each bank is held: to be asked in turns is not to be let go.
    return Lapse.open(target, background=False, clock=FakeClock(NOW))


def silent(done: int, whole: int, what: str) -> None:
    """Tell nobody."""


def aloud(done: int, whole: int, what: str) -> None:
    """Tell how far a long work is, in place."""
    end = "" if done < whole else "\n"
    print(f"\r{done:,} of {whole:,} {what}", end=end, file=sys.stderr, flush=True)


def fill(
    bank: Bank, source: Source, size: int, random: Random, told: Told | None = None
) -> Sequence[str]:
    """Remember texts of three thirds each, spread over the months before now; give the texts."""
    texts = [f"{recombined(source.remarks, random)} ({number})" for number in range(size)]
    for start in range(0, size, BATCH):
        bank.remember_many(
            {
                "text": text,
                "created_at": NOW - timedelta(days=SPAN_DAYS * random.random()),
                "importance": random.random(),
                "session": f"s{random.randrange(50)}",
            }
            for text in texts[start : start + BATCH]
        )
        if told is not None:
            told(min(start + BATCH, size), size, "memories")
    return texts


def timed(banks: Sequence[Bank], bare: Bare, questions: Sequence[str]) -> Timed:
    """Ask each question in both modes, the first in turns, and then the bare search.

    Every question is another bank's, for as long as there are others.
    """
    off: list[float] = []
    rank: list[float] = []
    yardstick: list[float] = []
    for number, question in enumerate(questions):
        bank = banks[number % len(banks)]
        if number % 2:
            off.append(recall_s(bank, question, "off"))
            rank.append(recall_s(bank, question, "rank"))
        else:
            rank.append(recall_s(bank, question, "rank"))
            off.append(recall_s(bank, question, "off"))
        started = time.perf_counter()
        bare.search(question, K)
        yardstick.append(time.perf_counter() - started)
    return Timed(off=tuple(off), rank=tuple(rank), bare=tuple(yardstick))


def recall_s(bank: Bank, question: str, mode: str) -> float:
    """Seconds of one recall."""
    started = time.perf_counter()
    found = bank.recall(question, k=K, budget_words=BUDGET_WORDS, mode=mode)
    taken = time.perf_counter() - started
    assert found.hits, question
    return taken


def recombined(remarks: Sequence[str], random: Random) -> str:
    """The first third of a remark, the middle of another, the end of a third."""
    words: list[str] = []
    for part in range(3):
        remark = random.choice(remarks).split()
        words += remark[part * len(remark) // 3 : (part + 1) * len(remark) // 3]
    return " ".join(words)


def asked(source: Source, random: Random) -> str:
    """A question of the source as it stands, or an opening and half a remark."""
    if random.random() < 0.5:
        return random.choice(source.questions)
    words = random.choice(source.remarks).rstrip(".!?").split()
    return f"{random.choice(OPENINGS)} {' '.join(words[: max(len(words) // 2, 1)])}?"


def bundled() -> Source:
    """The conversation that the package brings along."""
    text = files("lapse.faces.demo").joinpath("companion.json").read_text(encoding="utf-8")
    told = json.loads(text)
    return Source(
        remarks=tuple(each["text"] for session in told["sessions"] for each in session["remarks"]),
        questions=tuple(each["text"] for each in told["questions"]),
    )


def of_file(path: Path) -> Source:
    """A file of conversations."""
    conversations = read_conversations(path)
    return Source(
        remarks=tuple(turn.text for each in conversations for turn in each.turns),
        questions=tuple(question.text for each in conversations for question in each.questions),
    )


def quantile(values: Sequence[float], share: float) -> float:
    """The value that this share of all values does not exceed."""
    ordered = sorted(values)
    return ordered[min(int(share * len(ordered)), len(ordered) - 1)]


def _sizes(text: str) -> tuple[Size, ...]:
    try:
        sizes = tuple(_size(each) for each in text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"needs whole numbers such as 1000,10000 or 1000000/100: {text}"
        ) from None
    if any(not 1 <= each.banks <= each.memories for each in sizes):
        raise argparse.ArgumentTypeError(f"needs numbers from 1, and no more banks: {text}")
    return sizes


def _size(text: str) -> Size:
    memories, over, banks = text.partition("/")
    return Size(memories=int(memories), banks=int(banks) if over else 1)


if __name__ == "__main__":
    main()
