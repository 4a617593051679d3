"""What one bank costs to write, to open and to keep, by its size.

Decides how each figure is taken. Refuses to say which of them is good enough.
"""

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import timedelta
from pathlib import Path
from random import Random
from statistics import median

from benchmarks.latency import BATCH, NOW, SPAN_DAYS, Source, recombined
from benchmarks.measures import quiet_median
from benchmarks.offers import COUNT, Offers
from lapse import Lapse
from lapse.bank import Bank
from lapse.engine.candidates import read_candidates
from lapse.testing.fakes import FakeClock

BANK = "measured"
USED_AT_ONCE = 500
REUSE_DAYS = 29
RANKED_K = 20
STRETCH = 25

# Runs in a process of its own, so that nothing of the bank is in memory yet. A first bank loads
# what any bank needs (modules, the embedder's model); the second is measured.
OPEN = """
import gc, json, os, sys, tempfile, time

from lapse import Lapse
from lapse.embed.wordllama import WordLlamaEmbedder


def resident():
    if not os.path.exists("/proc/self/statm"):
        return None
    gc.collect()
    with open("/proc/self/statm") as statm:
        return int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


path, bank, question = sys.argv[1:]
embedder = WordLlamaEmbedder()
with tempfile.TemporaryDirectory() as folder:
    with Lapse.open(f"{folder}/any.db", background=False, embedder=embedder) as other:
        other.bank("any").remember_many({"text": f"{question} {each}"} for each in range(50))
        other.bank("any").recall(question)
before = resident()
started = time.perf_counter()
mind = Lapse.open(path, background=False, embedder=embedder)
hits = mind.bank(bank).recall(question).hits
seconds = time.perf_counter() - started
after = resident()
print(json.dumps([seconds, None if before is None else after - before, len(hits)]))
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Effort:
    """How much is done to take the figures.

    Attributes:
        rankings: Timed calls of `rank`.
        singles: Timed calls of `remember`.
        events: Events reported and folded in.
        openings: Processes that open the bank.
    """

    rankings: int = 100
    singles: int = 1000
    events: int = 100_000
    openings: int = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Costs:
    """What a bank of some size costs.

    Attributes:
        rank_ms: Ranking 1,000 candidates of another store, seen before, half of which the bank
            knows by their ids; like the next one the least of the medians of stretches of calls.
        remember_ms: One `remember`, durable when it returns, embedding included.
        remember_many_per_s: Memories per second, filling the bank from empty.
        used_per_s: Events per second, reported 500 at a time, durable when it returns.
        drain_per_s: Events per second, folding them into strengths.
        transactions_per_100_events: Of that drain.
        cold_open_ms: From opening the file to the first answer, in a process that has opened
            another bank before.
        disk_bytes_per_memory: The file, closed, all indexes included.
        ram_bytes_per_memory: What the process has grown by after the first answer; None where
            nobody tells.
    """

    rank_ms: float
    remember_ms: float
    remember_many_per_s: float
    used_per_s: float
    drain_per_s: float
    transactions_per_100_events: float
    cold_open_ms: float
    disk_bytes_per_memory: float
    ram_bytes_per_memory: float | None

    def rounded(self) -> dict[str, float | None]:
        """The figures by name, with four significant digits."""
        return {
            name: None if value is None else float(f"{value:.4g}")
            for name, value in asdict(self).items()
        }


def costs(source: Source, size: int, effort: Effort) -> Costs:
    """Fill a bank of this size in a file, close it, open it again, and use it."""
    random = Random(size)  # noqa: S311 - the same texts on every run
    clock = FakeClock(NOW - timedelta(days=1))
    with tempfile.TemporaryDirectory(prefix="lapse-growth-") as folder:
        path = Path(folder) / "bank.db"
        with Lapse.open(path, background=False, clock=clock) as mind:
            filled_s = _fill(mind.bank(BANK), source, size, random)
            mind.drain()
        disk_bytes = path.stat().st_size
        question = random.choice(source.questions)
        opened = [_opened(path, question) for _ in range(effort.openings)]
        with Lapse.open(path, background=False, clock=clock) as mind:
            bank = mind.bank(BANK)
            ranked_s = _ranked(bank, Offers(source, seed=size), size, effort.rankings)
            single_s = _singles(bank, source, random, effort.singles)
            clock.set(NOW)
            used_s, drained_s, transactions = _used(bank, size, random, effort.events)
    grown = [each for _, each in opened if each is not None]
    return Costs(
        rank_ms=1e3 * quiet_median(ranked_s, STRETCH),
        remember_ms=1e3 * quiet_median(single_s, STRETCH),
        remember_many_per_s=size / filled_s,
        used_per_s=effort.events / used_s,
        drain_per_s=effort.events / drained_s,
        transactions_per_100_events=100 * transactions / effort.events,
        cold_open_ms=1e3 * median(seconds for seconds, _ in opened),
        disk_bytes_per_memory=disk_bytes / size,
        ram_bytes_per_memory=median(grown) / size if grown else None,
    )


def _fill(bank: Bank, source: Source, size: int, random: Random) -> float:
    """Seconds that remembering takes; making the texts is not among them."""
    spent = 0.0
    for start in range(0, size, BATCH):
        drafts = [
            {
                "id": f"m{number}",
                "text": f"{recombined(source.remarks, random)} ({number})",
                "created_at": NOW - timedelta(days=SPAN_DAYS * (0.2 + 0.8 * random.random())),
                "importance": random.random(),
            }
            for number in range(start, min(start + BATCH, size))
        ]
        started = time.perf_counter()
        bank.remember_many(drafts)
        spent += time.perf_counter() - started
    return spent


def _ranked(bank: Bank, offers: Offers, size: int, rounds: int) -> list[float]:
    """Seconds of each of some rankings; every second candidate has an id of the bank."""
    offer = offers.make(min(COUNT, 2 * size))
    for number, each in enumerate(offer.candidates[::2]):
        each["id"] = f"m{number}"
    candidates = read_candidates(offer.candidates)
    spent: list[float] = []
    for _ in range(2 + rounds):
        started = time.perf_counter()
        bank.rank(candidates, query=offer.query, query_vector=offer.vector, k=RANKED_K)
        spent.append(time.perf_counter() - started)
    return spent[2:]


def _singles(bank: Bank, source: Source, random: Random, rounds: int) -> list[float]:
    """Seconds of each of some single writes, after a few that warm up."""
    spent: list[float] = []
    for number in range(rounds // 10 + rounds):
        text = f"{recombined(source.remarks, random)} (one {number})"
        started = time.perf_counter()
        bank.remember(text, importance=random.random())
        spent.append(time.perf_counter() - started)
    return spent[rounds // 10 :]


def _used(bank: Bank, size: int, random: Random, events: int) -> tuple[float, float, int]:
    """Seconds to report the events, seconds to fold them in, and transactions of the latter."""
    at_once = min(USED_AT_ONCE, size)
    reported_s = 0.0
    for number in range(events // at_once):
        ids = [f"m{each}" for each in random.sample(range(size), at_once)]
        at = NOW - timedelta(days=REUSE_DAYS * random.random())
        started = time.perf_counter()
        reported = bank.used(ids, event_id=f"use-{number}", at=at)
        reported_s += time.perf_counter() - started
        assert reported.enqueued == at_once, reported
    before = bank.stats().revision
    started = time.perf_counter()
    bank.drain()
    drained_s = time.perf_counter() - started
    return reported_s, drained_s, bank.stats().revision - before


def _opened(path: Path, question: str) -> tuple[float, int | None]:
    """Seconds until a new process has its first answer, and the bytes it has grown by."""
    command: Sequence[str] = (sys.executable, "-c", OPEN, str(path), BANK, question)
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    seconds, grown, hits = json.loads(done.stdout)
    assert hits, "a bank that answers nothing was not opened"
    return float(seconds), None if grown is None else int(grown)
