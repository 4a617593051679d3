"""What the same work costs on each store: `python -m benchmarks.stores`.

Telling one memory, a recall of one question, a change of twenty states and opening anew with the
first recall, in a bank of `--size`; and a sweep of what is due in one of `--swept`. Every store
holds the same memories, by the same clock, without vectors. A PostgreSQL server is started unless
`LAPSE_TEST_POSTGRES_URL` names one.

Decides what is timed. Refuses to say what is fast enough.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
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
from benchmarks.places import empty_store
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
COLUMNS: Final = ("store", "remember", "recall", "20 states", "cold open", "disk MB", "sweep")
IN_RAM: Final = "memory"
PLACES: Final = {"sqlite": "file", "files": "folder", "postgres": "postgres"}


@contextmanager
def empty(store: str) -> Iterator[str]:
    """Give what opens an empty store."""
    if store == IN_RAM:
        yield "memory://"
        return
    with empty_store(PLACES[store]) as target:
        yield target


def opened(target: str) -> Lapse:
    """Open a store by the clock of all of them."""
    clock = FakeClock(NOW)
    return Lapse.open(target, policy=POLICY, embedder=None, clock=clock, background=False)


def measure(store: str, size: int, swept: int) -> dict[str, Json]:
    """Time each kind of work on one kind of store, in ms; medians of what is done often."""
    with empty(store) as target:
        found = measure_daily(target, size, lasts=store != IN_RAM)
    with empty(store) as target:
        return {**found, "sweep": measure_sweep(target, swept)}


def measure_sweep(target: str, size: int) -> float:
    """Time one sweep of what is due among the rest, in ms."""
    with opened(target) as mind:
        fill_store(mind, Contents(healthy=size - DUE, due=DUE))
        return _once(mind.bank(REF.name).sweep)


def measure_daily(target: str, size: int, *, lasts: bool) -> dict[str, Json]:
    """Time what is done all day, and opening, in ms."""
    with opened(target) as mind:
        bank, store = mind.bank(REF.name), mind._core.parts.store  # noqa: SLF001 - quickest way in
        fill_store(mind, Contents(healthy=size, due=0))
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
        taken = store.size_bytes() / 1e6
    started = time.perf_counter()
    with opened(target) as mind:
        mind.bank(REF.name).recall("which ship docked")
        cold = (time.perf_counter() - started) * 1e3
    return {
        "remember": told,
        "recall": recalled,
        "20 states": stated,
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
    parser.add_argument("--size", type=at_least(STATES), default=10_000)
    parser.add_argument("--swept", type=at_least(DUE + 1), default=100_000)
    parser.add_argument("--store", action="append", choices=[IN_RAM, *PLACES])
    given = parser.parse_args()
    names = given.store or [IN_RAM, *PLACES]
    costs = {name: measure(name, given.size, given.swept) for name in names}
    outcome = envelope("stores", {"size": given.size, "swept": given.swept, "due": DUE, **costs})
    if given.as_json:
        print_json(outcome)
        return
    print_machine(outcome)
    rows = [(name, *(cost[each] for each in COLUMNS[1:])) for name, cost in costs.items()]
    print_table(f"ms, {given.size:,} memories; sweep: {given.swept:,}", COLUMNS, rows)


if __name__ == "__main__":
    main()
