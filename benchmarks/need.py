"""How well each law foresees which memories will be needed within 30 days.

A file of a repository stands for a memory, a touch for a use. Every 30 days after the first year
the past is frozen, all living files are ranked, and the next 30 days judge: AUC for "touched at
all", and the share of touches that fall on the best 20 %. Laws run with their default settings,
nothing is tuned on the log. Each touch weighs 1, and counts once per cooldown, as uses do.
`fitted` is what `lapse.lab` makes of the first 70 % of the log, judged on the rest.

    python -m benchmarks.need --data flask.csv [--json]
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import Protocol

import numpy as np

from benchmarks.access_log import Access, Touch, questions, read_log
from benchmarks.common import (
    Json,
    add_data,
    arguments,
    envelope,
    print_json,
    print_machine,
    print_table,
)
from benchmarks.fit import fitted_results
from benchmarks.measures import auc, kept_uses
from lapse.laws import (
    CountedUse,
    FloatArray,
    Held,
    Law,
    Seed,
    StrengthColumns,
    columns_of,
    law_for,
)
from lapse.lifecycle.reinforcement import bucket_of
from lapse.model.instants import Instant
from lapse.model.memory import Kind
from lapse.model.policy import LawName, LawPolicy
from lapse.model.retention import Strength, UseSource

KEPT = 0.2
LAWS = (LawName.ACTIVATION, LawName.FSRS, LawName.EBBINGHAUS, LawName.EXPONENTIAL)
RESAMPLES = 2000


class Ranker(Protocol):
    """Learns of accesses in order of time, and ranks items by them."""

    def learn(self, access: Access) -> None:
        """Take in one access that is no deletion."""
        ...

    def scores(self, items: Sequence[int], now: Instant) -> FloatArray:
        """A number for each item; higher is expected to be needed sooner."""
        ...


@dataclass(slots=True, kw_only=True)
class ByLaw:
    """Ranks by ln R of a law of decay under its default settings."""

    law: Law
    decay: float
    held: dict[int, Held] = field(default_factory=dict)
    buckets: dict[int, int] = field(default_factory=dict)

    @classmethod
    def of(cls, name: LawName) -> "ByLaw":
        """The law by its name. Items are like episodic memories of importance 0.5."""
        policy = LawPolicy(name=name)
        return cls(law=law_for(policy), decay=policy.decay)

    def learn(self, access: Access) -> None:
        """Tell the item, or count the use if no other counted in its bucket."""
        known = self.held.get(access.item)
        if known is None:
            told = self.law.initial(Seed(created_at=access.at, kind=Kind.EPISODIC))
            self._hold(access.item, access.at, told)
            self.buckets[access.item] = 0
            return
        bucket = bucket_of(access.at, known.created_at, self.law.cooldown_hours)
        if bucket > self.buckets[access.item]:
            use = CountedUse(at=access.at, source=UseSource.CITED, weight=1.0)
            self._hold(access.item, known.created_at, self.law.reinforce(known.strength, use))
            self.buckets[access.item] = bucket

    def scores(self, items: Sequence[int], now: Instant) -> FloatArray:
        """Logarithm of R: under some laws R itself is 0 for everything old."""
        columns: StrengthColumns = columns_of([self.held[each] for each in items])
        return self.law.log_retrievability(columns, now)

    def _hold(self, item: int, created_at: Instant, strength: Strength) -> None:
        self.held[item] = Held(
            created_at=created_at, strength=strength, importance=0.5, decay=self.decay
        )


@dataclass(slots=True, kw_only=True)
class ByLastUse:
    """LRU: the later used, the sooner needed."""

    last: dict[int, int] = field(default_factory=dict)

    def learn(self, access: Access) -> None:
        """Remember when."""
        self.last[access.item] = access.at

    def scores(self, items: Sequence[int], now: Instant) -> FloatArray:  # noqa: ARG002 - no clock
        """Instants of the last use."""
        return np.array([self.last[each] for each in items], dtype=np.float64)


@dataclass(slots=True, kw_only=True)
class ByCount:
    """LFU: the oftener used, the sooner needed."""

    counts: dict[int, int] = field(default_factory=dict)

    def learn(self, access: Access) -> None:
        """Count it."""
        self.counts[access.item] = self.counts.get(access.item, 0) + 1

    def scores(self, items: Sequence[int], now: Instant) -> FloatArray:  # noqa: ARG002 - no clock
        """Numbers of uses."""
        return np.array([self.counts[each] for each in items], dtype=np.float64)


@dataclass(slots=True, kw_only=True)
class AtRandom:
    """Chance, from a fixed seed."""

    dice: np.random.Generator = field(default_factory=lambda: np.random.default_rng(0))

    def learn(self, access: Access) -> None:
        """Learn nothing."""

    def scores(self, items: Sequence[int], now: Instant) -> FloatArray:  # noqa: ARG002 - no clock
        """Any order."""
        return self.dice.random(len(items))


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """How a ranker did at one question.

    Attributes:
        auc: For "used at all".
        kept: Uses that fall on the kept part, as a number to be expected.
        uses: All uses.
    """

    auc: float
    kept: float
    uses: int


def rankers() -> dict[str, Ranker]:
    """Every ranker by the name it has in the results."""
    by_law: dict[str, Ranker] = {each.value: ByLaw.of(each) for each in LAWS}
    return {**by_law, "lru": ByLastUse(), "lfu": ByCount(), "random": AtRandom()}


def judge(log: Sequence[Access], ranked_by: Mapping[str, Ranker]) -> dict[str, list[Judged]]:
    """Put every question of a log to every ranker."""
    judged: dict[str, list[Judged]] = {name: [] for name in ranked_by}
    for question in questions(log):
        uses = np.array([question.uses.get(each, 0) for each in question.living], dtype=np.int64)
        needed = uses > 0
        for name, ranker in ranked_by.items():
            for access in question.news:
                if access.touch is not Touch.DELETED:
                    ranker.learn(access)
            if needed.any() and not needed.all():
                scores = ranker.scores(question.living, question.now)
                judged[name].append(
                    Judged(
                        auc=auc(scores, needed),
                        kept=kept_uses(scores, uses, KEPT),
                        uses=int(uses.sum()),
                    )
                )
    return judged


def results(judged: Mapping[str, Sequence[Judged]]) -> dict[str, Json]:
    """Mean AUC over the questions, and the share of all their uses that was kept, by ranker."""
    return {
        name: {"auc": round(_mean_auc(rows), 4), "hit20": round(_share_kept(rows), 4)}
        for name, rows in judged.items()
    }


def auc_difference(ours: Sequence[Judged], theirs: Sequence[Judged]) -> tuple[float, float, float]:
    """Mean paired difference in AUC, and its 95 % interval by resampling the questions."""
    apart = np.array([a.auc - b.auc for a, b in zip(ours, theirs, strict=True)])
    dice = np.random.default_rng(0)
    means = apart[dice.integers(0, len(apart), (RESAMPLES, len(apart)))].mean(axis=1)
    low, high = np.quantile(means, (0.025, 0.975)).tolist()
    return float(apart.mean()), low, high


def main() -> None:
    """Measure and print."""
    parser = arguments(__doc__ or "")
    add_data(parser, help="lines of path id, unix seconds, kind (1 add, 2 and 3 change, 4 delete)")
    options = parser.parse_args()
    judged = judge(read_log(options.data), rankers())
    if not judged["lru"]:
        parser.error("the log is too short: it must go on for a month after its first year")
    fitted = fitted_results(options.data)
    outcome = envelope("need", {**results(judged), "fitted": fitted})
    if options.as_json:
        print_json(outcome)
        return
    print_machine(outcome)
    rows = [
        (name, _mean_auc(each), _share_kept(each), *auc_difference(each, judged["lru"]))
        for name, each in judged.items()
    ]
    count = len(judged["lru"])
    columns = ["ranked by", "auc", "hit20", "auc − lru", "95 % from", "to"]
    print_table(f"need within 30 days, {options.data.name}, {count} instants", columns, rows)
    print_table(
        "fitted on the first 70 %, judged on the rest", ["measure", "value"], list(fitted.items())
    )


def _mean_auc(judged: Sequence[Judged]) -> float:
    return fmean(each.auc for each in judged)


def _share_kept(judged: Sequence[Judged]) -> float:
    return sum(each.kept for each in judged) / sum(each.uses for each in judged)


if __name__ == "__main__":
    main()
