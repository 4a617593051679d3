"""What the laws of decay cost: nanoseconds per memory, and how near that is to copying memory.

Each law computes R of a million memories by the call that recall and sweeps make, from instants to
probabilities, in one thread. `bandwidth_share` is the traffic that no implementation could avoid
(what the law reads of a memory, and R written once) per second, as a share of what `numpy.copyto`
moves between large arrays (reads and writes both counted).

Kernels and copies run in turn, many rounds, in parts that are over in a fraction of a millisecond;
the least time of each part counts, and the parts are added up. What else the machine does can only
add to a time, and between two turns of others a short part is measured as on a quiet machine.

    python -m benchmarks.kernels [--count 1000000] [--rounds 40] [--json]
"""

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

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
from lapse.laws import StrengthColumns, law_for
from lapse.laws.strength import blocks
from lapse.model.instants import DAY, parse_instant
from lapse.model.policy import LawName, LawPolicy
from lapse.model.retention import TRACE_COUNT

NOW = parse_instant("2026-09-01T00:00Z", "now")
PART = 65_536
"""Memories in a part."""

COPIED = 20_000_000
"""Numbers copied in a round: more than a cache holds."""

COPIED_PART = 500_000

ITEM_BYTES = 8

# Instant of the last use, S and R; the activation law reads ten traces, their instant, importance
# and d in place of the first two.
TRAFFIC_BYTES: Mapping[LawName, int] = {
    name: ITEM_BYTES * (TRACE_COUNT + 4 if name is LawName.ACTIVATION else 3) for name in LawName
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Kernel:
    """What one law took.

    Attributes:
        ns_per_memory: Least times of the parts, divided by the number of memories.
        bandwidth_share: Traffic it could not avoid per second, as a share of a copy's.
    """

    ns_per_memory: float
    bandwidth_share: float


def main() -> None:
    """Measure and print."""
    parser = arguments(__doc__ or "")
    parser.add_argument("--count", type=at_least(1), default=1_000_000, help="memories")
    parser.add_argument("--rounds", type=at_least(1), default=40, help="rounds of each part")
    options = parser.parse_args()
    found = measure(options.count, options.rounds)
    outcome = envelope("kernels", results(found))
    if options.as_json:
        print_json(outcome)
        return
    print_machine(outcome)
    rows = [(name, each.ns_per_memory, each.bandwidth_share) for name, each in found.items()]
    columns = ["law", "ns per memory", "share of copy bandwidth"]
    print_table(f"R of {options.count:,} memories", columns, rows)


def measure(count: int, rounds: int) -> dict[LawName, Kernel]:
    """Time every law, and copies between them."""
    whole = memories(count)
    parts = [whole.take(range(*rows.indices(count))) for rows in blocks(count, PART)]
    laws = {name: law_for(LawPolicy(name=name)) for name in LawName}
    kernels = {
        name: [partial(law.retrievability, part, NOW) for part in parts]
        for name, law in laws.items()
    }
    source, target = np.ones(COPIED), np.ones(COPIED)
    copies = [
        partial(np.copyto, target[rows], source[rows]) for rows in blocks(COPIED, COPIED_PART)
    ]
    copied = [math.inf] * len(copies)
    least = {name: [math.inf] * len(parts) for name in LawName}
    for _ in range(rounds):
        copied = least_seconds(copied, copies)
        least = {name: least_seconds(each, kernels[name]) for name, each in least.items()}
    bandwidth = 2 * COPIED * ITEM_BYTES / sum(copied)
    return {
        name: Kernel(
            ns_per_memory=1e9 * sum(each) / count,
            bandwidth_share=TRAFFIC_BYTES[name] * count / sum(each) / bandwidth,
        )
        for name, each in least.items()
    }


def memories(count: int) -> StrengthColumns:
    """Memories last used between a minute and ten years ago, and used now and then before."""
    dice = np.random.default_rng(0)
    age_s = 10 ** dice.uniform(1.8, 8.5, count)
    used_at = (NOW - age_s * 1e6).astype(np.int64)
    return StrengthColumns(
        created_at=used_at - 30 * DAY,
        last_counted_at=used_at,
        traces_at=used_at,
        traces=dice.uniform(0.5, 5.0, (TRACE_COUNT, count)),
        stability_days=dice.uniform(1.0, 100.0, count),
        difficulty=np.full(count, 5.0),
        importance=dice.random(count),
        decay=np.full(count, LawPolicy().decay),
    )


def least_seconds(known: Sequence[float], acts: Sequence[Callable[[], object]]) -> list[float]:
    """The time of each act, or the one known where that is less."""
    least: list[float] = []
    for before, act in zip(known, acts, strict=True):
        started = time.perf_counter()
        act()
        least.append(min(before, time.perf_counter() - started))
    return least


def results(found: Mapping[LawName, Kernel]) -> dict[str, Json]:
    """The figures under the names that stay stable."""
    return {
        name.value: {
            "ns_per_memory": round(each.ns_per_memory, 3),
            "bandwidth_share": round(each.bandwidth_share, 4),
        }
        for name, each in found.items()
    }


if __name__ == "__main__":
    main()
