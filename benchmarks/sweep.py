"""What a level sweep costs, by what is due and by what is stored: `python -m benchmarks.sweep`.

Each store holds the same 1,000 memories that are due, besides so many healthy ones, 10,000 past
their level but pinned, and 1,000 that are due but held or cited. The cost should follow what is
due. Between two sweeps the memories are put back as they were.

Decides what is timed and counted. Refuses to say what is fast enough.
"""

import tempfile
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from statistics import median

from benchmarks.common import (
    Json,
    arguments,
    at_least,
    envelope,
    print_json,
    print_machine,
    print_table,
    sizes,
)
from benchmarks.sweep_stores import NOW, REF, Contents, composed, fill, level_wish
from lapse.engine.planning import make_plan
from lapse.engine.sweep_turns import Turns, sweep_bank
from lapse.model.changeset import Changes, ChangeSet, Committed
from lapse.model.due import Due, DueAfter, DueBy
from lapse.model.instants import Instant
from lapse.model.memory import BankRef
from lapse.model.retention import Lifecycle
from lapse.model.sweep import SweepReport
from lapse.model.verbs import Verb
from lapse.model.view import Reads, View
from lapse.stores.sql.sqlite import SqliteStore
from lapse.stores.sql.sweeping import DUE
from lapse.testing.fakes import FakeClock, Written

SIZES = (10_000, 100_000, 1_000_000)
DUE_COUNT, PINNED, HELD, CITED = 1_000, 10_000, 500, 500
PLANNED = 10_000
PLANS = 15


@dataclass(slots=True, kw_only=True)
class Counts:
    """What one sweep asked of the store.

    Attributes:
        entries: Entries of the index of what is due.
        rows: Memories read.
        written: States written.
    """

    entries: int = 0
    rows: int = 0
    written: int = 0


class CountingStore(SqliteStore):
    """The embedded store, counting what it gives and what it is given."""

    def count_anew(self) -> Counts:
        """Begin at nothing."""
        self._counts = Counts()
        return self._counts

    def due(
        self, ref: BankRef, by: DueBy, until: Instant, after: DueAfter, limit: int
    ) -> list[Due]:
        """Count the entries."""
        found = super().due(ref, by, until, after, limit)
        self._counts.entries += len(found)
        return found

    def commit(self, change: ChangeSet) -> Committed:
        """Count the memories that the judge sees, and the states it writes."""

        def judge(view: View) -> Changes:
            self._counts.rows += len(view.records)
            return change.judge(view)

        committed = super().commit(replace(change, judge=judge))
        self._counts.written += len(committed.changes.states)
        return committed


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """One store, swept some times.

    Attributes:
        ms: Median time of a sweep, report included.
        due: Memories that went.
        spared: Memories that were due and that a guard spared.
        rows_read, rows_written: Memories read, and states written, by one sweep.
        entries_read: Entries of the index of what is due that were read.
        fill_s: Seconds that making the store took.
        disk_mb: Its size.
    """

    ms: float
    due: int
    spared: int
    rows_read: int
    rows_written: int
    entries_read: int
    fill_s: float
    disk_mb: float


def main() -> None:
    """Measure and print."""
    parser = arguments(__doc__ or "")
    parser.add_argument("--sizes", type=sizes, default=SIZES, help="healthy memories, 10000,100000")
    parser.add_argument("--rounds", type=at_least(1), default=7, help="sweeps of each store")
    options = parser.parse_args()
    outcome = envelope("sweep", measure(options.sizes, options.rounds))
    if options.as_json:
        print_json(outcome)
        return
    print_machine(outcome)
    columns = ["healthy", "ms", "due", "spared", "read", "written", "index", "MB"]
    rows = [
        (name, *(cost[each] for each in ("ms", "due", "spared", "rows_read", "rows_written",
                                         "entries_read", "disk_mb")))
        for name, cost in outcome.results.items()
        if isinstance(cost, dict)
    ]  # fmt: skip
    print_table("one level sweep", columns, rows)
    singles = [pair for pair in outcome.results.items() if not isinstance(pair[1], dict | list)]
    print_table("besides", ["measure", "value"], singles)


def measure(healthy: Sequence[int], rounds: int) -> dict[str, Json]:
    """Sweep a store of each size; plan over one of 10,000."""
    costs = {_named(size): sweep_cost(standard(size), rounds) for size in healthy}
    first, *_, last = [*costs.values(), *costs.values()]
    results: dict[str, Json] = {
        name: {key: round(value, 4) for key, value in asdict(cost).items()}
        for name, cost in costs.items()
    }
    ratio = f"ratio_{_named(healthy[-1])}_{_named(healthy[0])}"
    return results | {
        ratio: round(last.ms / first.ms, 3),
        "due": last.due,
        "rows_read": last.rows_read,
        "rows_written": last.rows_written,
        "plan_10k_ms": round(plan_ms(), 3),
        "explain": explain(),
    }


def standard(healthy: int) -> Contents:
    """So many healthy memories, and beside them always the same."""
    return Contents(healthy=healthy, due=DUE_COUNT, pinned=PINNED, held=HELD, cited=CITED)


def sweep_cost(contents: Contents, rounds: int) -> Cost:
    """Make a store, sweep it, put back what went, and again."""
    with tempfile.TemporaryDirectory(prefix="lapse-sweep-") as folder:
        path = Path(folder) / "bank.db"
        started = time.perf_counter()
        fill(path, contents)
        fill_s = time.perf_counter() - started
        clock = FakeClock(NOW)
        with closing(CountingStore.open(path)) as store:
            assert isinstance(store, CountingStore)
            counts = store.count_anew()
            core = composed(store, clock)
            spent, reports = [], []
            for _ in range(rounds):
                clock.advance(seconds=1)
                counts = store.count_anew()
                started = time.perf_counter()
                swept = sweep_bank(core, REF, Turns(by="benchmark"))
                spent.append(time.perf_counter() - started)
                assert swept.report is not None
                reports.append(swept.report)
                seen = replace(counts)
                _put_back(store, swept.report)
        disk = path.stat().st_size
    return Cost(
        ms=1e3 * median(spent),
        due=reports[-1].applied,
        spared=sum(each.count for each in reports[-1].spared),
        rows_read=seen.rows,
        rows_written=seen.written,
        entries_read=seen.entries,
        fill_s=fill_s,
        disk_mb=disk / 1e6,
    )


def plan_ms() -> float:
    """Median time of a plan by the policy's level over 10,000 memories, stored and journalled."""
    with tempfile.TemporaryDirectory(prefix="lapse-sweep-") as folder:
        path = Path(folder) / "bank.db"
        fill(path, Contents(healthy=PLANNED - DUE_COUNT - 1, due=DUE_COUNT))
        clock = FakeClock(NOW)
        with closing(SqliteStore.open(path)) as store:
            core = composed(store, clock)
            runtime = core.runtime(REF)
            spent = []
            for _ in range(PLANS + 2):
                clock.advance(seconds=1)
                started = time.perf_counter()
                plan = make_plan(core, runtime, level_wish())
                spent.append(time.perf_counter() - started)
                assert len(plan.items) == DUE_COUNT
    return 1e3 * median(spent[2:])


def explain() -> list[Json]:
    """How SQLite finds what is due."""
    with tempfile.TemporaryDirectory(prefix="lapse-sweep-") as folder:
        path = Path(folder) / "bank.db"
        fill(path, Contents(healthy=10, due=10))
        with closing(SqliteStore.open(path)) as store, store._connections.lent() as connection:  # noqa: SLF001 - its own words
            statement = f"EXPLAIN QUERY PLAN {DUE[DueBy.FADING]}"
            found = connection.execute(statement, (None,) * statement.count("?"))
            return [str(step) for *_, step in found.fetchall()]


def _put_back(store: SqliteStore, report: SweepReport) -> None:
    plans = [store.plan(REF, each) for each in report.plan_ids]
    ids = [item.memory_id for plan in plans if plan is not None for item in plan.items]
    states = [
        (each.memory.id, replace(each.state, lifecycle=Lifecycle.ACTIVE, transition=None))
        for each in store.get(REF, ids)
    ]
    changes = Changes(states=tuple(states))
    store.commit(
        ChangeSet(verb=Verb.REDATE, ref=REF, now=NOW, reads=Reads(), judge=Written(changes=changes))
    )


def _named(size: int) -> str:
    if size % 1_000_000 == 0:
        return f"{size // 1_000_000}M"
    return f"{size // 1_000}k" if size % 1_000 == 0 else str(size)


if __name__ == "__main__":
    main()
