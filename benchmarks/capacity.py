"""Whether the active set levels off: three simulated years of a busy bank.

Two hundred memories a day, importance uniform in [0, 1]; each memory has a popularity, Zipf over a
random order (weight 1/rank^steepness), and two hundred uses a day fall on what was told before, by
popularity. Every week what has been below the preset's level for the grace period is let go, and
what is still over `max_active` after that, the weakest first. A use of what was let go is *needed
after forgotten*; it brings the memory back, as a restore does.

    python -m benchmarks.capacity [--days 1095] [--steepness 2] [--plot FILE] [--json]

The law's own columns are simulated, without texts and without a store: the budget's score is the
default's part that needs no text. Decides what is told and used. Refuses to rank.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter

import numpy as np

from benchmarks.common import (
    Json,
    arguments,
    at_least,
    envelope,
    print_json,
    print_machine,
    print_table,
)
from lapse.laws import FloatArray, IntArray, Law, StrengthColumns, law_for
from lapse.laws.trace_weights import TIME_CONSTANTS_S
from lapse.model.index_delta import BoolArray
from lapse.model.instants import DAY, Instant
from lapse.model.policy import Policy

DAYS = 1095
PER_DAY = 200
WEEK = 7
STEEPNESS = 2.0
QUARTERS = 4


@dataclass(slots=True, kw_only=True)
class Bank:
    """Columns of all that will be told, n memories in order of telling."""

    strengths: StrengthColumns
    popularity: FloatArray
    active: BoolArray
    told: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    """What became of a bank.

    Attributes:
        active: Active memories after each sweep.
        sweep_ms: Milliseconds of each sweep.
        uses: Uses after the first sweep.
        missed: Of these, how many fell on what had been let go.
    """

    active: tuple[int, ...]
    sweep_ms: tuple[float, ...]
    uses: int
    missed: int


def main() -> None:
    """Measure and print."""
    parser = arguments(__doc__ or "")
    parser.add_argument("--days", type=at_least(56), default=DAYS, help="days, default 1095")
    parser.add_argument("--per-day", type=at_least(1), default=PER_DAY, help="memories a day")
    parser.add_argument("--steepness", type=float, default=STEEPNESS, help="Zipf's, default 2")
    parser.add_argument("--plot", type=Path, help="write the active set over time as a PNG")
    options = parser.parse_args()
    policy = Policy()
    levels = replace(policy, retention=replace(policy.retention, max_active=None))
    with_budget = run(policy, options.days, options.per_day, options.steepness)
    by_level = run(levels, options.days, options.per_day, options.steepness)
    outcome = envelope("capacity", results(with_budget, by_level))
    if options.plot is not None:
        plot(options.plot, with_budget, by_level)
    if options.as_json:
        print_json(outcome)
        return
    print_machine(outcome)
    shown = [pair for pair in outcome.results.items() if not isinstance(pair[1], dict)]
    print_table(f"{options.days} days of {options.per_day} memories", ["measure", "value"], shown)


def results(with_budget: Course, by_level: Course) -> dict[str, Json]:
    """Growth of the last quarter, uses of what was gone, and the time of a sweep by quarter."""
    return {
        **_told(with_budget),
        "active_over_time": {"sweeps": list(with_budget.active)},
        "by_level_alone": _told(by_level),
        "by_level_alone_growth": round(_growth(by_level.active), 4),
        "by_level_alone_over_time": {"sweeps": list(by_level.active)},
    }


def _told(course: Course) -> dict[str, Json]:
    parts = np.array_split(np.array(course.sweep_ms), QUARTERS)
    return {
        "last_quarter_growth": round(_growth(course.active), 4),
        "needed_after_forgotten": round(course.missed / max(course.uses, 1), 4),
        "sweep_ms_by_quarter": [round(float(np.median(each)), 2) for each in parts],
        "active_at_the_end": course.active[-1],
    }


def _growth(active: Sequence[int]) -> float:
    before = active[len(active) * (QUARTERS - 1) // QUARTERS - 1]
    return active[-1] / max(before, 1) - 1


def run(policy: Policy, days: int, per_day: int, steepness: float = STEEPNESS) -> Course:
    """Live through so many days under a policy."""
    dice = np.random.default_rng(0)
    law = law_for(policy.law)
    bank = _unborn(days * per_day, policy, dice, steepness)
    active: list[int] = []
    spent: list[float] = []
    uses, missed = 0, 0
    for day in range(days):
        now = Instant(day * DAY)
        drawn = _drawn(bank, per_day, dice)
        used = np.unique(drawn)
        if active:
            uses, missed = uses + len(drawn), missed + int((~bank.active[drawn]).sum())
        # Once each: a second use on the same day does not count.
        _reinforce(bank, used, now, policy)
        bank.active[used] = True
        _tell(bank, per_day, now)
        if day % WEEK == WEEK - 1:
            start = perf_counter()
            _sweep(bank, policy, law, now)
            spent.append((perf_counter() - start) * 1000)
            active.append(int(bank.active.sum()))
    return Course(active=tuple(active), sweep_ms=tuple(spent), uses=uses, missed=missed)


def _unborn(count: int, policy: Policy, dice: np.random.Generator, steepness: float) -> Bank:
    never = np.zeros(count, np.int64)
    strengths = StrengthColumns(
        created_at=never.copy(),
        last_counted_at=never.copy(),
        traces_at=never.copy(),
        traces=np.ones((len(TIME_CONSTANTS_S), count)),
        stability_days=np.ones(count),
        difficulty=np.full(count, 5.0),
        importance=dice.random(count),
        decay=np.full(count, policy.law.decay),
    )
    ranks: FloatArray = 1.0 + dice.permutation(count).astype(np.float64)
    popularity = np.power(ranks, -steepness)
    return Bank(strengths=strengths, popularity=popularity, active=np.zeros(count, np.bool_))


def _drawn(bank: Bank, count: int, dice: np.random.Generator) -> IntArray:
    """What is used today, by popularity; the same memory may be used more than once."""
    if bank.told == 0:
        return np.zeros(0, np.int64)
    rising = np.cumsum(bank.popularity[: bank.told])
    drawn: IntArray = np.searchsorted(rising, dice.random(count) * rising[-1]).astype(np.int64)
    return drawn


def _tell(bank: Bank, count: int, now: Instant) -> None:
    new = slice(bank.told, bank.told + count)
    for column in (bank.strengths.created_at, bank.strengths.last_counted_at):
        column[new] = now
    bank.strengths.traces_at[new] = now
    bank.active[new] = True
    bank.told += count


def _reinforce(bank: Bank, used: IntArray, now: Instant, policy: Policy) -> None:
    strengths = bank.strengths
    elapsed_s = (now - strengths.traces_at[used]) / 1_000_000
    faded = np.exp(-np.outer(1 / np.array(TIME_CONSTANTS_S), elapsed_s))
    weight = policy.reinforcement.weight_cited * policy.law.use_gain
    strengths.traces[:, used] = strengths.traces[:, used] * faded + weight
    strengths.traces_at[used] = now
    strengths.last_counted_at[used] = now


def _sweep(bank: Bank, policy: Policy, law: Law, now: Instant) -> None:
    """Let go what was below the level for the grace period, and then what is over the budget."""
    rows = np.flatnonzero(bank.active)
    columns = _rows(bank.strengths, rows)
    level = law.archive_level
    assert level is not None
    spared = _spared(columns, policy)
    fallen = law.crossing(columns, level)
    grace = round(policy.retention.grace_days * DAY)
    due = (np.maximum(fallen, columns.last_counted_at) <= now - grace) & ~spared
    bank.active[rows[due]] = False
    rows, columns, spared = rows[~due], _rows(columns, np.flatnonzero(~due)), spared[~due]
    excess = len(rows) - (policy.retention.max_active or len(rows))
    if excess > 0:
        offset = policy.law.importance_weight * (columns.importance - 0.5)
        score = law.base_level_activation(columns, now) - offset
        score[spared | (columns.last_counted_at + grace > now)] = np.inf
        weakest = np.argsort(score, kind="stable")[:excess]
        bank.active[rows[weakest[np.isfinite(score[weakest])]]] = False


def _spared(columns: StrengthColumns, policy: Policy) -> BoolArray:
    bar = policy.retention.protect_importance
    return columns.importance >= (2.0 if bar is None else bar)


def _rows(columns: StrengthColumns, rows: IntArray) -> StrengthColumns:
    return StrengthColumns(
        created_at=columns.created_at[rows],
        last_counted_at=columns.last_counted_at[rows],
        traces_at=columns.traces_at[rows],
        traces=columns.traces[:, rows],
        stability_days=columns.stability_days[rows],
        difficulty=columns.difficulty[rows],
        importance=columns.importance[rows],
        decay=columns.decay[rows],
    )


def plot(path: Path, with_budget: Course, by_level: Course) -> None:
    """The active set over time, with the budget and by level alone."""
    # Matplotlib is an extra, and slow to load: only a plot pays for it.
    from matplotlib.figure import Figure  # noqa: PLC0415

    figure = Figure(figsize=(8, 4.5), layout="constrained")
    axes = figure.subplots()
    for course, label in ((with_budget, "level and budget"), (by_level, "level alone")):
        axes.plot([WEEK * at / 365 for at in range(len(course.active))], course.active, label=label)
    axes.set_xlabel("years")
    axes.set_ylabel("active memories")
    axes.set_ylim(bottom=0)
    axes.legend()
    figure.savefig(path, dpi=120)


if __name__ == "__main__":
    main()
