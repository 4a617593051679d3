"""Whether a served store keeps what it acknowledged, under load, kills and a disk that is full.

Three parts, each with a server process of its own over the same store:

1. mixed load by several clients, a sweep every five seconds, and a worker process beside the server
   that is killed and replaced;
2. a store that may grow no further (`PRAGMA max_page_count` on every connection of the server);
3. a file system that takes no more (`RLIMIT_FSIZE` of the server's process).

In the end every memory that was acknowledged must be there, the bank must be sound, and it must
take a memory again. Of 5xx only 503 (busy) and 507 (full) are announced.

Growth of memory is that of the server's resident set in part 1, from the end of its warming up to
its end. A memory that is new takes room in a bank's columns, the first recalls fill the ring of
traces, and the first requests of each kind take what their code and their threads need: none of
that is a leak. So memories are told until there were `TOLD` requests, and from then on rewritten,
so that their number stays the same; and it is warm after `WARM`, when there were as many of the
very requests that follow, or after half of the time. `resident_mb` is what it held when it was
ready, when all was told, when it was warm and in the end.

    python -m benchmarks.soak [--seconds 180] [--clients 4] [--json]
"""

import argparse
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path
from random import Random
from threading import Event, Lock, Thread

from benchmarks.common import (
    Json,
    arguments,
    at_least,
    envelope,
    print_json,
    print_machine,
    print_table,
)
from benchmarks.latency import bundled, recombined
from benchmarks.serve import filled, questions
from benchmarks.served import PROGRAM, Caller, Reply, server
from lapse import Lapse

SIZE = 500
TOLD = 1_500
"""Requests of which more than enough are recalls to fill the ring of 256 traces."""
WARM = 2 * TOLD
SWEEP_S, KILL_S = 5.0, 10.0
ANNOUNCED = (503, 507)
FULL = 507
SPARE_PAGES, SPARE_BYTES = 64, 300_000
PHASE_SHARE = 0.15
"""Share of the time that each of the two full stores is written to."""

PAGES = (
    "import sqlite3",
    "real = sqlite3.connect",
    "def limited(*given, **named):",
    "    made = real(*given, **named)",
    "    made.execute('PRAGMA max_page_count={pages}')",
    "    return made",
    "sqlite3.connect = sqlite3.dbapi2.connect = limited",
)
"""Has every connection of a process keep its file to so many pages."""
BYTES = (
    "import resource, signal",
    "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)",
    "resource.setrlimit(resource.RLIMIT_FSIZE, ({bytes}, {bytes}))",
)
"""Has a process write no file beyond so many bytes."""


@dataclass(slots=True, kw_only=True)
class Record:
    """What clients saw. Threads share it."""

    statuses: Counter[int] = field(default_factory=Counter)
    kept: set[str] = field(default_factory=set)
    unannounced: list[str] = field(default_factory=list)
    told: Event = field(default_factory=Event)
    warm: Event = field(default_factory=Event)
    lock: Lock = field(default_factory=Lock)

    def see(self, reply: Reply, name: str | None = None) -> None:
        """Count an answer, keep the name of what was acknowledged, and what must not have been."""
        with self.lock:
            self.statuses[reply.status] += 1
            if self.statuses.total() >= TOLD:
                self.told.set()
            if self.statuses.total() >= WARM:
                self.warm.set()
            if name is not None and reply.status == 201:
                self.kept.add(name)
            if reply.status == 0 or (reply.status >= 500 and reply.status not in ANNOUNCED):
                told = {each: reply.body.get(each) for each in ("type", "detail")}
                self.unannounced.append(f"{reply.status} after {reply.took_s:.1f} s: {told}")


def main() -> None:
    """Measure and print."""
    parser = arguments(__doc__ or "")
    parser.add_argument("--seconds", type=at_least(4), default=180, metavar="N")
    parser.add_argument("--clients", type=at_least(1), default=4, metavar="N")
    options: argparse.Namespace = parser.parse_args()
    outcome = envelope("soak", measure(options.seconds, options.clients))
    if options.as_json:
        print_json(outcome)
        return
    print_machine(outcome)
    print_table("soak", list(outcome.results), [tuple(outcome.results.values())])


def measure(seconds: int, clients: int) -> Mapping[str, Json]:
    """All figures, by the names they have in results."""
    mixed, paged, sized = Record(), Record(), Record()
    with filled(SIZE) as (path, key):
        resident_mb, killed = _mixed(path, key, (1 - 2 * PHASE_SHARE) * seconds, clients, mixed)
        pages = path.stat().st_size // 4096 + SPARE_PAGES
        before = tuple(each.format(pages=pages) for each in PAGES)
        _until_full(path, key, before, PHASE_SHARE * seconds, paged)
        limit = path.stat().st_size + SPARE_BYTES
        before = tuple(each.format(bytes=limit) for each in BYTES)
        _until_full(path, key, before, PHASE_SHARE * seconds, sized)
        lost, faults = _lost(path, mixed.kept | paged.kept | sized.kept)
    records = (mixed, paged, sized)
    for each in records:
        for told in each.unannounced:
            print(told, file=sys.stderr)
    return {
        "requests": sum(sum(each.statuses.values()) for each in records),
        "unannounced_5xx": sum(len(each.unannounced) for each in records),
        "acknowledged": sum(len(each.kept) for each in records),
        "lost": lost,
        "faults": faults,
        "memory_growth_pct": 100 * (resident_mb[-1] - resident_mb[-2]) / resident_mb[-2],
        "resident_mb": resident_mb,
        "workers_killed": killed,
        "full_by_pages": paged.statuses[FULL],
        "full_by_bytes": sized.statuses[FULL],
        "busy": sum(each.statuses[503] for each in records),
    }


def _mixed(
    path: Path, key: str, seconds: float, clients: int, record: Record
) -> tuple[list[float], int]:
    """Load, sweeps and killed workers; gives the server's memory along the way, and the kills."""
    stop = Event()
    with server(path) as (process, port), _killed_workers(path, stop) as killed:
        works = [
            Thread(target=_ask_until, args=((port, key), at, stop, record)) for at in range(clients)
        ]
        works.append(Thread(target=_sweep, args=((port, key), stop, record)))
        resident_mb = [_resident_mb(process.pid)]
        for each in works:
            each.start()
        ends = time.monotonic() + seconds
        for passed in (record.told, record.warm):
            passed.wait(seconds / 4)
            passed.set()
            resident_mb.append(_resident_mb(process.pid))
        stop.wait(max(0, ends - time.monotonic()))
        resident_mb.append(_resident_mb(process.pid))
        stop.set()
        for each in works:
            each.join()
    return resident_mb, len(killed)


def _ask_until(where: tuple[int, str], seed: int, stop: Event, record: Record) -> None:
    with Caller(*where) as caller:
        _ask(caller, seed, stop, record)


def _ask(caller: Caller, seed: int, stop: Event, record: Record) -> None:
    source, random = bundled(), Random(seed)  # noqa: S311 - the same texts on every run
    asks = questions(seed)
    own: list[str] = []
    for turn in count():
        if stop.is_set():
            return
        text = f"{recombined(source.remarks, random)} s{seed}-{turn}"
        if turn % 4 == 0 and not record.told.is_set():
            name = f"s{seed}-{turn}"
            reply = caller.post("memories", {"text": text, "id": name})
            record.see(reply, name)
            own += [name] if reply.status == 201 else []
        elif turn % 4 == 0 and own:
            record.see(caller.patch(f"memories/{random.choice(own)}", {"text": text}))
        elif turn % 4 == 1 and own:
            reply = caller.post("reinforcements", {"ids": [own[turn % len(own)]]})
            record.see(reply)
        else:
            record.see(caller.post("recalls", {"query": next(asks)}))


def _sweep(where: tuple[int, str], stop: Event, record: Record) -> None:
    with Caller(*where) as caller:
        while not stop.wait(SWEEP_S):
            record.see(caller.post("sweeps", {}))


@contextmanager
def _killed_workers(path: Path, stop: Event) -> Iterator[list[int]]:
    """A worker beside the server; it is killed now and then, and another one begins."""
    killed: list[int] = []
    command = [sys.executable, "-c", PROGRAM, "worker", "--db", str(path), "--every", "1"]

    def keep() -> None:
        while not stop.is_set():
            with Path(f"{path}.log").open("ab") as log:
                process = subprocess.Popen(command, stdout=log, stderr=log)
            stop.wait(KILL_S)
            process.kill()
            process.wait()
            killed.append(process.pid)

    thread = Thread(target=keep)
    thread.start()
    try:
        yield killed
    finally:
        stop.set()
        thread.join()


def _until_full(
    path: Path, key: str, before: tuple[str, ...], seconds: float, record: Record
) -> None:
    """Write to a store that fills up, and go on asking it."""
    source, random = bundled(), Random(0)  # noqa: S311 - the same texts on every run
    with server(path, before=before) as (_, port), Caller(port, key) as caller:
        ends = time.monotonic() + seconds
        for turn in count():
            if time.monotonic() >= ends:
                return
            name = f"{Path(path).name}-{before[0][7:15]}-{turn}"
            text = " ".join(recombined(source.remarks, random) for _ in range(20))
            reply = caller.post("memories", {"text": f"{text} {name}", "id": name})
            record.see(reply, name)
            asked = caller.post("recalls", {"query": "harbour"})
            # A store that takes nothing more still has to answer.
            record.see(asked if asked.status == 200 else replace(asked, status=0))


def _lost(path: Path, kept: set[str]) -> tuple[int, int]:
    """How many acknowledged memories are not there, and how many faults the bank has."""
    with Lapse.open(path, background=False) as lapse:
        bank = lapse.bank("notes")
        there = {each.id for each in lapse.parts.store.contents(bank.ref, sorted(kept))}
        faults = len(bank.doctor()) + (not bank.verify_journal().sound)
        bank.remember("It takes memories again", id="again")
    return len(kept - there), faults


def _resident_mb(process: int) -> float:
    for line in Path(f"/proc/{process}/status").read_text(encoding="ascii").splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    raise ProcessLookupError(os.strerror(3))


if __name__ == "__main__":
    main()
