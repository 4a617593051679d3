"""What Lapse costs beside another store, and what one bank costs to write, open and keep.

`rank()` judges 1,000 candidates of 256 dimensions with their own scores: a tenth repeats a text, a
tenth nearly does; the order is bent by strength, duplicates go, and 20 are spread by MMR. `ms` is
for candidates whose texts were offered before, as they are when a host asks again and again;
`cold_ms` for texts never seen. Both with `Candidate`s; `mapping_ms` and `cold_mapping_ms` with
plain mappings, which have to be read each time. Each is the least of several medians taken apart in
time: what else the machine does can only add.

The growth table has the rest by the size of the bank; see `benchmarks.growth.Costs`.

    python -m benchmarks.rank [--sizes 1000,10000,100000] [--json]
"""

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import TypeAlias

from benchmarks.common import (
    Json,
    arguments,
    envelope,
    print_json,
    print_machine,
    print_table,
    sizes,
)
from benchmarks.growth import Costs, Effort, costs
from benchmarks.latency import NOW, bundled
from benchmarks.offers import Offer, Offers
from lapse import Lapse
from lapse.bank import Bank
from lapse.engine.candidates import read_candidates
from lapse.model.query import Candidate
from lapse.testing.fakes import FakeClock

Candidates: TypeAlias = Sequence[Candidate] | Sequence[Mapping[str, object]]

K = 20
ROUNDS = 8
WARM = 15
COLD = 4
USUAL = 10_000
"""Size of the bank that `remember` and `remember_many` are quoted for, where it is measured."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """Median milliseconds of ranking 1,000 candidates."""

    ms: float
    cold_ms: float
    mapping_ms: float
    cold_mapping_ms: float


def main() -> None:
    """Measure and print."""
    parser = arguments(__doc__ or "")
    parser.add_argument(
        "--sizes", type=sizes, default=(1000, 10_000, 100_000), metavar="N,N", help="memories"
    )
    options = parser.parse_args()
    ranked = rank_costs()
    grown = {size: costs(bundled(), size, Effort()) for size in options.sizes}
    outcome = envelope("rank", results(ranked, grown))
    if options.as_json:
        print_json(outcome)
        return
    print_machine(outcome)
    times = [
        ("Candidates", ranked.ms, ranked.cold_ms),
        ("mappings", ranked.mapping_ms, ranked.cold_mapping_ms),
    ]
    print_table("rank() over 1,000 candidates", ["given as", "ms", "cold ms"], times)
    by_size = {size: each.rounded() for size, each in grown.items()}
    names = list(Costs.__dataclass_fields__)
    rows = [(name, *(each[name] for each in by_size.values())) for name in names]
    print_table("by size of the bank", ["", *map(str, by_size)], rows)


def rank_costs() -> Ranked:
    """Time `rank` over candidates seen before and never seen, read and unread."""
    offers = Offers(bundled(), seed=1)
    with Lapse.open("memory://", background=False, embedder=None, clock=FakeClock(NOW)) as mind:
        bank = mind.bank("beside")
        bank.set_policy({"forgetting.mode": "rank", "recall.diversity": "mmr"})
        known = offers.make()
        read = read_candidates(known.candidates)
        ranked(bank, known, read)
        rounds = [_round(bank, offers, known, read) for _ in range(ROUNDS)]
    return Ranked(
        ms=min(each.ms for each in rounds),
        cold_ms=min(each.cold_ms for each in rounds),
        mapping_ms=min(each.mapping_ms for each in rounds),
        cold_mapping_ms=min(each.cold_mapping_ms for each in rounds),
    )


def _round(bank: Bank, offers: Offers, known: Offer, read: Candidates) -> Ranked:
    """Medians of one round."""
    fresh = [offers.make() for _ in range(2 * COLD)]
    unread, unseen = (
        fresh[:COLD],
        [(each, read_candidates(each.candidates)) for each in fresh[COLD:]],
    )
    return Ranked(
        ms=_median_ms(ranked(bank, known, read) for _ in range(WARM)),
        cold_ms=_median_ms(ranked(bank, each, candidates) for each, candidates in unseen),
        mapping_ms=_median_ms(ranked(bank, known, known.candidates) for _ in range(WARM)),
        cold_mapping_ms=_median_ms(ranked(bank, each, each.candidates) for each in unread),
    )


def ranked(bank: Bank, offer: Offer, candidates: Candidates) -> float:
    """Seconds of one ranking."""
    started = time.perf_counter()
    found = bank.rank(candidates, query=offer.query, query_vector=offer.vector, k=K)
    spent = time.perf_counter() - started
    assert len(found.hits) == K
    return spent


def results(ranked: Ranked, grown: dict[int, Costs]) -> dict[str, Json]:
    """The figures under the names that stay stable, and all of them by size."""
    usual = grown[USUAL if USUAL in grown else max(grown)].rounded()
    largest = grown[max(grown)].rounded()
    rank = {name: round(getattr(ranked, name), 3) for name in Ranked.__dataclass_fields__}
    return {
        "ms": rank["ms"],
        "rank": rank,
        "remember": {"ms": usual["remember_ms"]},
        "remember_many": {"per_s": usual["remember_many_per_s"]},
        "drain": {
            "per_s": largest["drain_per_s"],
            "transactions_per_100_events": largest["transactions_per_100_events"],
        },
        "cold_open": {"ms": largest["cold_open_ms"]},
        "bytes_per_memory": {
            "disk": largest["disk_bytes_per_memory"],
            "ram": largest["ram_bytes_per_memory"],
        },
        "growth": {str(size): each.rounded() for size, each in grown.items()},
    }


def _median_ms(spent: Iterable[float]) -> float:
    return 1e3 * median(spent)


if __name__ == "__main__":
    main()
