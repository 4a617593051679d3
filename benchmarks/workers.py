"""Whether many processes that share a store, and die, lose or double anything.

Banks are filled with memories of which half are never used and due to fade; the other half have
uses waiting to be folded in. Worker processes drain and sweep every bank, each in an order of its
own and at an hour of its own, so that no lease holds another off; one of them is killed every so
often and replaced. In the end every use must be counted exactly once, every memory that was due
must have gone exactly once, every bank must be sound, and no worker may have met an error.

    python -m benchmarks.workers [--workers 8] [--banks 200] [--events 100000] [--kill-s 3]
        [--kills 40] [--store postgres] [--json]
"""

import argparse
import multiprocessing
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from multiprocessing.connection import wait
from multiprocessing.process import BaseProcess
from random import Random

from benchmarks.common import arguments, envelope, print_json, print_machine, print_table
from benchmarks.places import STORES, empty_store
from lapse import Lapse
from lapse.model.changeset import Changes
from lapse.model.instants import DAY, HOUR, Instant
from lapse.model.memory import BankRef
from lapse.model.policy_layers import DEFAULT, apply
from lapse.model.policy_sources import from_diff
from lapse.model.retention import Lifecycle
from lapse.model.verbs import Verb
from lapse.testing.fakes import START, FakeClock, use, writes

POLICY = apply(
    DEFAULT,
    from_diff(
        {
            "forgetting.mode": "lifecycle",
            "forgetting.auto_apply": True,
            "retention.max_active": "none",
        }
    ),
)
USED, IDLE = 10, 10
"""Memories of each bank that are used, and that are not."""

LATER = Instant(START + 90 * DAY)


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """What is to be done where."""

    target: str
    banks: int
    events: int

    @property
    def uses(self) -> int:
        """Uses of each used memory."""
        return self.events // (self.banks * USED)


def main() -> None:
    """Measure and print."""
    options = read_arguments()
    with empty_store(options.store) as target:
        work = Work(target=target, banks=options.banks, events=options.events)
        fill(work)
        ran = run(work, Crew(options.workers, kill_s=options.kill_s, kills=options.kills))
        found = {**ran, **judge(work)}
    outcome = envelope("workers", found)
    if options.as_json:
        print_json(outcome)
        return
    print_machine(outcome)
    print_table("workers that share a store", list(found), [tuple(found.values())])


def read_arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = arguments(__doc__ or "")
    parser.add_argument("--workers", type=int, default=8, metavar="N")
    parser.add_argument("--banks", type=int, default=200, metavar="N")
    parser.add_argument("--events", type=int, default=100_000, metavar="N")
    parser.add_argument("--kill-s", type=float, default=3.0, metavar="S", dest="kill_s")
    parser.add_argument("--kills", type=int, default=40, metavar="N", help="at most")
    parser.add_argument("--store", choices=STORES, default="postgres")
    return parser.parse_args()


def opened(target: str, now: Instant) -> Lapse:
    """Open the store at an instant."""
    clock = FakeClock(now)
    return Lapse.open(target, policy=POLICY, embedder=None, clock=clock, background=False)


def fill(work: Work) -> None:
    """Tell every bank its memories, and report the uses, without folding them in."""
    mind = opened(work.target, Instant(START))
    for number in range(work.banks):
        mind.bank(f"bank{number}").remember_many(
            {"text": f"Ship number{at} docked at pier {at}", "id": f"m{at}", "importance": 0.0}
            for at in range(USED + IDLE)
        )
    store = mind._core.parts.store  # noqa: SLF001 - all uses of a bank in one write
    for number in range(work.banks):
        ref = BankRef(name=f"bank{number}")
        told = tuple(
            use(f"m{each}", f"e{at}", at=Instant(LATER - (at % 20) * DAY - HOUR))
            for at in range(work.uses)
            for each in range(USED)
        )
        store.commit(writes(Changes(enqueued=told), ref=ref, verb=Verb.USED, now=LATER))
    store.close()  # alone: `mind` would fold the uses in


def drudge(target: str, banks: int, generation: int) -> None:
    """Drain and sweep every bank, in an order of this worker's own, until nothing is left."""
    order = list(range(banks))
    Random(generation).shuffle(order)  # noqa: S311 - another order for each
    # A lease of one that was killed ends by the clock.
    with opened(target, Instant(LATER + generation * HOUR)) as mind:
        for number in order:
            bank = mind.bank(f"bank{number}")
            bank.drain()
            bank.sweep(by=f"worker {generation}")


class Crew:
    """Workers of which one is killed every `kill_s` seconds, at most `kills` times in all."""

    def __init__(self, size: int, *, kill_s: float, kills: int) -> None:
        self.size = size
        self.kill_s = kill_s
        self.kills = kills
        self.begun = self.killed = self.failed = 0
        self._running: list[BaseProcess] = []
        self._context = multiprocessing.get_context("spawn")

    def begin(self, work: Work) -> None:
        """Start one more."""
        self.begun += 1
        args = (work.target, work.banks, self.begun)
        made = self._context.Process(target=drudge, args=args)
        made.start()
        self._running.append(made)

    def at_work(self) -> bool:
        """Wait until it is time to kill, or one has ended; tell whether any still works."""
        sentinels = [each.sentinel for each in self._running]
        over = time.monotonic() + self.kill_s
        while sentinels and (left := over - time.monotonic()) > 0:
            ended = wait(sentinels, left)
            sentinels = [each for each in sentinels if each not in ended]
        still = [each for each in self._running if each.is_alive()]
        self.failed += sum(each.exitcode != 0 for each in self._running if each not in still)
        self._running = still
        return bool(still)

    def kill_one(self) -> None:
        """Kill one of those at work, each time another."""
        victim = self._running.pop(self.killed % len(self._running))
        victim.kill()
        victim.join()
        self.killed += 1


def run(work: Work, crew: Crew) -> Mapping[str, float]:
    """Let workers work; every so often kill one and start another."""
    started = time.monotonic()
    for _ in range(crew.size):
        crew.begin(work)
    while crew.at_work():
        if crew.killed < crew.kills:
            crew.kill_one()
            crew.begin(work)
    drudge(work.target, work.banks, crew.begun + 1)  # what the last one to die left
    taken = time.monotonic() - started
    return {"seconds": taken, "killed": crew.killed, "failed": crew.failed}


def judge(work: Work) -> Mapping[str, float]:
    """Count what was lost or doubled."""
    wrong_counts = lost = twice = unsound = 0
    with opened(work.target, LATER) as mind:
        store = mind._core.parts.store  # noqa: SLF001 - read as it is, past every verb
        for number in range(work.banks):
            ref = BankRef(name=f"bank{number}")
            records = store.get(ref, [f"m{at}" for at in range(USED + IDLE)])
            wrong_counts += sum(
                each.state.strength.access_count != work.uses for each in records[:USED]
            )
            lost += sum(each.state.lifecycle is Lifecycle.ACTIVE for each in records[USED:])
            moves = Counter(
                item.row
                for entry in store.journal(ref, 0, 10_000)
                if entry.verb is Verb.SWEEP
                for item in entry.items
            )
            twice += sum(count > 1 for count in moves.values())
            unsound += len(list(store.faults(ref)))
    return {
        "counted_wrongly": wrong_counts,
        "not_gone": lost,
        "gone_twice": twice,
        "faults": unsound,
    }


if __name__ == "__main__":
    main()
