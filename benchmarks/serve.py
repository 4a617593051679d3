"""How long a served bank takes to answer.

A real server, with a key and over loopback, of a bank of texts recombined from the bundled
conversation. Eight clients of another process ask without a pause: four recalls, then a memory is
told and at once asked for. Figures under load therefore hold what a request waits for the others
on the same cores. `write_to_recallable` runs from the acknowledgement of a memory to the end of the
first recall that brings it, under that load; every recall after the first that it takes is counted
in `late_looks`. They ask as agents do, with `Prefer: return=minimal`: the hits whole, and counts of
what was left out. `in_process` is the same load by as many threads within one process, so that
`served_ratio` (of the medians of recall) says what serving costs on a machine as busy as it is.
What HTTP adds is the difference of two medians, of one client that asks a quiet server and of the
same questions to the same store within one process; `full_answer` is the former with every
candidate that was left out and its explanation.
`paced` is the same load when each of the clients asks five times a second at most, so that the
server is busy and not at its limit. `two_servers` is the load without a pause, of two processes
that serve the one file, each asked by half of the clients.
MCP is asked over standard input and output, by the SDK's own client.

    python -m benchmarks.serve [--seconds 20] [--clients 8] [--size 10000] [--json]
"""

import argparse
import multiprocessing
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from multiprocessing.queues import Queue
from pathlib import Path
from queue import Empty
from random import Random
from typing import TypeVar

import anyio
from mcp import Client
from mcp.client.stdio import StdioServerParameters

from benchmarks.common import (
    Json,
    arguments,
    at_least,
    envelope,
    print_json,
    print_machine,
    print_table,
)
from benchmarks.latency import K, asked, bundled, fill, quantile, recombined
from benchmarks.served import FAST, PROGRAM, Caller, key_to, server
from lapse import Lapse
from lapse.bank import Bank

Told = TypeVar("Told")

RECALLS = 4
"""Recalls between two memories that a client tells."""
QUIET = 100
"""Questions of each quiet measurement."""
SERVERS = 2
"""Processes that serve one file together."""
PACE_S = 0.2
"""Seconds between the questions of a client that is paced."""
LOOKS = 50
"""How often a memory that was told is asked for before it counts as lost."""


@dataclass(slots=True, kw_only=True)
class Seen:
    """Seconds that clients measured, and what went wrong."""

    recall_s: list[float] = field(default_factory=list)
    remember_s: list[float] = field(default_factory=list)
    recallable_s: list[float] = field(default_factory=list)
    errors: int = 0
    late_looks: int = 0

    def add(self, other: "Seen") -> None:
        """Put another's beside these."""
        self.recall_s += other.recall_s
        self.remember_s += other.remember_s
        self.recallable_s += other.recallable_s
        self.errors += other.errors
        self.late_looks += other.late_looks


def main() -> None:
    """Measure and print."""
    options = read_arguments()
    outcome = envelope("serve", measure(options.size, options.clients, options.seconds))
    if options.as_json:
        print_json(outcome)
        return
    print_machine(outcome)
    print_table("served", list(outcome.results), [tuple(outcome.results.values())])


def read_arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = arguments(__doc__ or "")
    parser.add_argument("--seconds", type=at_least(1), default=20, metavar="N")
    parser.add_argument("--clients", type=at_least(1), default=8, metavar="N")
    parser.add_argument("--size", type=at_least(10), default=10_000, metavar="N")
    return parser.parse_args()


def measure(size: int, clients: int, seconds: int, asks: int = QUIET) -> Mapping[str, Json]:
    """All figures, by the names they have in results; milliseconds, and counts."""
    with filled(size) as (path, key):
        within_s = in_process(path, asks)
        threads_s = in_threads(path, clients, max(1, seconds // 4))
        with server(path) as (_, port):
            over_http_s, full_s = quiet(port, key, asks)
            seen = load([port], key, clients, seconds)
            paced = load([port], key, clients, seconds, PACE_S)
        with ExitStack() as servers:
            ports = [servers.enter_context(server(path))[1] for _ in range(SERVERS)]
            both = load(ports, key, clients, seconds)
        over_stdio_s = by_stdio(path, asks)
    return {
        "recall_p50_ms": 1e3 * quantile(seen.recall_s, 0.5),
        "recall_p95_ms": 1e3 * quantile(seen.recall_s, 0.95),
        "remember_p50_ms": 1e3 * quantile(seen.remember_s, 0.5),
        "remember_p95_ms": 1e3 * quantile(seen.remember_s, 0.95),
        "errors": seen.errors + paced.errors + both.errors,
        "write_to_recallable_p95_ms": 1e3 * quantile(seen.recallable_s, 0.95),
        "http_added_ms": 1e3 * (quantile(over_http_s, 0.5) - quantile(within_s, 0.5)),
        "mcp_recall_p50_ms": 1e3 * quantile(over_stdio_s, 0.5),
        "late_looks": seen.late_looks + paced.late_looks + both.late_looks,
        "paced_recall_p50_ms": 1e3 * quantile(paced.recall_s, 0.5),
        "paced_recall_p95_ms": 1e3 * quantile(paced.recall_s, 0.95),
        "paced_remember_p95_ms": 1e3 * quantile(paced.remember_s, 0.95),
        "paced_write_to_recallable_p95_ms": 1e3 * quantile(paced.recallable_s, 0.95),
        "two_servers_recall_p50_ms": 1e3 * quantile(both.recall_s, 0.5),
        "two_servers_recall_p95_ms": 1e3 * quantile(both.recall_s, 0.95),
        "two_servers_write_to_recallable_p95_ms": 1e3 * quantile(both.recallable_s, 0.95),
        "two_servers_requests_per_s": (len(both.recall_s) + len(both.remember_s)) / seconds,
        "quiet_recall_p50_ms": 1e3 * quantile(over_http_s, 0.5),
        "quiet_full_answer_p50_ms": 1e3 * quantile(full_s, 0.5),
        "in_process_recall_p50_ms": 1e3 * quantile(threads_s, 0.5),
        "in_process_recall_p95_ms": 1e3 * quantile(threads_s, 0.95),
        "served_ratio": quantile(seen.recall_s, 0.5) / quantile(threads_s, 0.5),
        "requests_per_s": (len(seen.recall_s) + len(seen.remember_s)) / seconds,
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class _Load:
    """How many clients ask whom, for how long and how often; 0 seconds between for no pause."""

    ports: Sequence[int]
    key: str
    clients: int
    seconds: int
    every_s: float


@contextmanager
def filled(size: int) -> Iterator[tuple[Path, str]]:
    """A store whose bank `notes` holds so many memories, and a key to it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "served.db"
        with Lapse.open(path, background=False) as lapse:
            bank = lapse.bank("notes")
            fill(bank, bundled(), size, Random(1))  # noqa: S311 - the same texts on every run
            bank.set_policy(FAST)
            lapse.tend()
        yield path, key_to(path)


def questions(seed: int) -> Iterator[str]:
    """Questions without end."""
    source, random = bundled(), Random(seed)  # noqa: S311 - the same texts on every run
    while True:
        yield asked(source, random)


def in_process(path: Path, asks: int) -> list[float]:
    """Seconds of recalls within this process."""
    spent = []
    with Lapse.open(path, background=False) as lapse:
        bank = lapse.bank("notes")
        bank.recall("harbour", k=K)
        for _, question in zip(range(asks), questions(7), strict=False):
            began = time.perf_counter()
            bank.recall(question, k=K)
            spent.append(time.perf_counter() - began)
    return spent


def in_threads(path: Path, clients: int, seconds: int) -> list[float]:
    """Seconds of recalls by threads of this process that ask and tell as clients would."""
    with Lapse.open(path, background=False) as lapse:
        bank = lapse.bank("notes")
        bank.recall("harbour", k=K)
        return [
            each for part in _in_parallel(partial(_within, bank), clients, seconds) for each in part
        ]


def _within(bank: Bank, seed: int, ends: float) -> list[float]:
    source, random, asks = bundled(), Random(seed), questions(seed)  # noqa: S311 - the same texts on every run
    spent: list[float] = []
    for turn in count():
        if time.monotonic() >= ends and spent:
            return spent
        if turn % (RECALLS + 1):
            began = time.perf_counter()
            bank.recall(next(asks), k=K)
            spent.append(time.perf_counter() - began)
        else:
            bank.remember(f"zq{seed}y{turn} {recombined(source.remarks, random)}")
    return spent


def _in_parallel(work: Callable[[int, float], Told], clients: int, seconds: int) -> list[Told]:
    ends = time.monotonic() + seconds
    with ThreadPoolExecutor(clients) as pool:
        begun = [pool.submit(work, at, ends) for at in range(clients)]
        return [each.result() for each in begun]


def quiet(port: int, key: str, asks: int) -> tuple[list[float], list[float]]:
    """Seconds of the same recalls by one client of a server that does nothing else: brief, full."""
    with Caller(port, key) as caller:
        caller.post("recalls", {"query": "harbour", "k": K})
        bodies = [
            {"query": each, "k": K} for _, each in zip(range(asks), questions(7), strict=False)
        ]
        short = [caller.recall(each).took_s for each in bodies]
        return short, [caller.post("recalls", each).took_s for each in bodies]


def load(ports: Sequence[int], key: str, clients: int, seconds: int, every_s: float = 0.0) -> Seen:
    """Have so many clients ask in a process of their own, each one server and so often at most."""
    context = multiprocessing.get_context("spawn")
    told: Queue[Seen] = context.Queue()
    how = _Load(ports=ports, key=key, clients=clients, seconds=seconds, every_s=every_s)
    process = context.Process(target=_ask_all, args=(how, told))
    process.start()
    while True:
        try:
            seen = told.get(timeout=1)
        except Empty:
            if process.exitcode:
                raise RuntimeError("the clients' process failed; it said why") from None
        else:
            process.join()
            return seen


def _ask_all(how: _Load, told: "Queue[Seen]") -> None:
    whole = Seen()
    for part in _in_parallel(partial(_ask_until, how), how.clients, how.seconds):
        whole.add(part)
    told.put(whole)


def _ask_until(how: _Load, seed: int, ends: float) -> Seen:
    seen = Seen()
    with Caller(how.ports[seed % len(how.ports)], how.key) as caller:
        # Those of one pace begin apart, or all would ask in the same moment for ever.
        time.sleep(how.every_s * seed / how.clients)
        _ask(caller, seed, ends, seen, how.every_s)
    return seen


def _ask(caller: Caller, seed: int, ends: float, seen: Seen, every_s: float) -> None:
    source, random, asks = bundled(), Random(seed), questions(seed)  # noqa: S311 - the same texts on every run
    due = time.monotonic()
    for turn in count():
        if time.monotonic() >= ends:
            return
        time.sleep(max(due - time.monotonic(), 0.0))
        due = time.monotonic() + every_s
        if turn % (RECALLS + 1):
            reply = caller.recall({"query": next(asks), "k": K})
            seen.recall_s.append(reply.took_s)
            seen.errors += reply.status != 200
        else:
            # A word that nothing else has, so that the memory is the best match for it.
            word = f"zq{seed}x{turn}"
            _tell(caller, f"{word} {recombined(source.remarks, random)}", word, seen)


def _tell(caller: Caller, text: str, word: str, seen: Seen) -> None:
    reply = caller.post("memories", {"text": text})
    acknowledged = time.perf_counter()
    seen.remember_s.append(reply.took_s)
    if reply.status != 201:
        seen.errors += 1
        return
    memory = reply.body["memory"]
    name = memory["id"] if isinstance(memory, Mapping) else ""
    for _ in range(LOOKS):
        found = caller.recall({"query": word, "k": K})
        seen.errors += found.status != 200
        if name in _ids(found.body):
            seen.recallable_s.append(time.perf_counter() - acknowledged)
            return
        seen.late_looks += 1
    seen.errors += 1


def _ids(recall: Mapping[str, object]) -> set[object]:
    hits = recall.get("hits")
    memories = [each["memory"] for each in hits] if isinstance(hits, list) else []
    return {each["id"] for each in memories}


def by_stdio(path: Path, asks: int) -> Sequence[float]:
    """Seconds of recalls by MCP over standard input and output."""
    spent: list[float] = []
    command = ["-c", PROGRAM, "mcp", "--db", str(path), "--bank", "notes"]

    async def ask() -> None:
        parameters = StdioServerParameters(
            command=sys.executable, args=command, env=dict(os.environ)
        )
        async with Client(parameters) as client:
            await client.call_tool("recall", {"query": "harbour", "k": K})
            for _, question in zip(range(asks), questions(7), strict=False):
                began = time.perf_counter()
                await client.call_tool("recall", {"query": question, "k": K})
                spent.append(time.perf_counter() - began)

    anyio.run(ask)
    return spent


if __name__ == "__main__":
    main()
