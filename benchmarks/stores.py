"""What the same work costs on each store: `python -m benchmarks.stores`.

Telling one memory, a recall of one question, a change of twenty states, a sweep of what is due
among the rest, and opening anew with the first recall. Every store holds the same memories, by the
same clock, without vectors.

Decides what is timed. Refuses to say what is fast enough.
"""

import os
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from statistics import median
from typing import Final

from benchmarks.common import (
    Json,
    arguments,
    at_least,
    envelope,
    print_json,
    print_machine,
    print_table,
)
from benchmarks.sweep_stores import NOW, POLICY, REF, Contents, fill_store
from lapse.faces.app import Lapse
from lapse.model.changeset import Changes, ChangeSet
from lapse.model.paging import Listing
from lapse.model.verbs import Verb
from lapse.model.view import Reads, View
from lapse.testing.fakes import FakeClock

TIMES: Final = 40
STATES: Final = 20
DUE: Final = 1_000
COLUMNS: Final = ("store", "remember", "recall", "20 states", "sweep", "cold open", "disk MB")


def targets(folder: Path) -> dict[str, str]:
    """What is opened, by the store's name; a server only where one was named."""
    found = {
        "memory": "memory://",
        "sqlite": f"sqlite:///{folder / 'store.db'}",
        "files": f"file://{folder / 'folder'}",
    }
    served = os.environ.get("LAPSE_TEST_POSTGRES_URL")
    return found if served is None else {**found, "postgres": served}


def measure(target: str, size: int, due: int) -> dict[str, Json]:
    """Time each kind of work on one store, in ms; medians of what is done often."""
    clock = FakeClock(NOW)

    def opened() -> Lapse:
        return Lapse.open(target, policy=POLICY, embedder=None, clock=clock, background=False)

    with opened() as mind:
        bank, store = mind.bank(REF.name), mind._core.parts.store  # noqa: SLF001 - quickest way in
        fill_store(mind, Contents(healthy=size - due, due=due))
        numbers = iter(range(10**9))
        bank.recall("which ship docked")
        told = _times(lambda: bank.remember(f"Ship number{next(numbers)} docked in the rain"))
        recalled = _times(lambda: bank.recall(f"which ship number{next(numbers)} docked"))
        known = tuple(each.memory.id for each in store.page(REF, Listing(limit=STATES)).records)

        def judge(view: View) -> Changes:
            states = ((n, replace(r.state, updated_at=NOW)) for n, r in view.records.items())
            return Changes(states=tuple(states))

        change = ChangeSet(verb=Verb.REDATE, ref=REF, now=NOW, reads=Reads(ids=known), judge=judge)
        stated = _times(lambda: store.commit(change))
        swept = _once(bank.sweep)
        taken = store.size_bytes() / 1e6
    started = time.perf_counter()
    with opened() as mind:
        mind.bank(REF.name).recall("which ship docked")
        cold = (time.perf_counter() - started) * 1e3
    lasts = target != "memory://"
    return {
        "remember": told,
        "recall": recalled,
        "20 states": stated,
        "sweep": swept,
        "cold open": cold if lasts else None,
        "disk MB": taken if lasts else None,
    }


def _times(work: Callable[[], object]) -> float:
    return median(_once(work) for _ in range(TIMES))


def _once(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return (time.perf_counter() - started) * 1e3


def main() -> None:
    """Run and print."""
    parser = arguments(__doc__ or "")
    parser.add_argument("--size", type=at_least(DUE + STATES), default=10_000)
    parser.add_argument("--store", action="append", help="only this one; may be given again")
    given = parser.parse_args()
    results: dict[str, Json] = {}
    with tempfile.TemporaryDirectory(prefix="lapse-stores-") as folder:
        for name, target in targets(Path(folder)).items():
            if given.store is None or name in given.store:
                results[name] = measure(target, given.size, DUE)
    outcome = envelope("stores", {"size": given.size, "due": DUE, **results})
    if given.as_json:
        print_json(outcome)
        return
    print_machine(outcome)
    rows = [
        (name, *(cost[each] for each in COLUMNS[1:]))
        for name, cost in results.items()
        if isinstance(cost, dict)
    ]
    print_table(f"ms, {given.size:,} memories", COLUMNS, rows)


if __name__ == "__main__":
    main()
