"""What every law of decay can do, and what all of them share.

Decides the interface, the constants that a policy leaves to the law, and what a counted use or a
rejection does under every law. Refuses to hold a curve.
"""

from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from lapse.laws.activation import importance_weight
from lapse.laws.calibration import NeedLine
from lapse.laws.crossing import seconds_until
from lapse.laws.strength import (
    HORIZON_DAYS,
    NEVER,
    CountedUse,
    FloatArray,
    IntArray,
    Seed,
    StrengthColumns,
)
from lapse.laws.traces import TraceSum, kernel, scaled, told_once, with_use
from lapse.model.instants import DAY, Instant
from lapse.model.policy import Anchor, LawName, LawPolicy
from lapse.model.retention import Strength

_DAY_S = 86_400.0

INERT_STABILITY = 1.0
"""Stability of laws that have none of their own: their clock runs at its plain pace."""

INERT_DIFFICULTY = 5.0
"""Difficulty under laws that have none."""


class Law(Protocol):
    """A law of decay: how retrievability falls between uses, and what uses do to it.

    All methods are pure. Columns of n memories give arrays of shape (n,). `now` before a memory's
    anchor (clock skew) counts as age 0.
    """

    @property
    def name(self) -> LawName:
        """Which law."""
        ...

    @property
    def cooldown_hours(self) -> float:
        """Width of the bucket in which one use counts; 0 counts every use."""
        ...

    @property
    def archive_level(self) -> float | None:
        """Retrievability below which a memory has faded; None for never."""
        ...

    def initial(self, seed: Seed) -> Strength:
        """Strength of a memory at the instant it is told."""
        ...

    def reinforce(self, strength: Strength, use: CountedUse) -> Strength:
        """Strength after one counted use. Traces take uses in any order; S wants them in time's."""
        ...

    def reject(self, strength: Strength, at: Instant, factor: float) -> Strength:
        """Strength after evidence against the memory, of which `factor` in [0, 1] is left.

        Traces and S are multiplied by it (FSRS grades S by itself). Moves no anchor.
        """
        ...

    def log_retrievability(self, columns: StrengthColumns, now: Instant) -> FloatArray:
        """Logarithm of R, ≤ 0; exact where R itself would be 0."""
        ...

    def retrievability(self, columns: StrengthColumns, now: Instant) -> FloatArray:
        """R in [0, 1]: how well the memory can be recalled now. Never rises with age."""
        ...

    def need(self, columns: StrengthColumns, now: Instant) -> FloatArray:
        """Calibrated probability of use within the next 30 days."""
        ...

    def base_level_activation(self, columns: StrengthColumns, now: Instant) -> FloatArray:
        """B in nats, ages in seconds, importance included: the score `activation` under any law."""
        ...

    def crossing(self, columns: StrengthColumns, level: float | FloatArray) -> IntArray:
        """Instant at which R falls to `level` if the memory is not used again, in microseconds.

        It lies in the past where R is below the level now, and at the curve's start where R never
        was above it. `NEVER` beyond 100 years after that start.

        Args:
            columns: n memories.
            level: One for all, or shape (n,).
        """
        ...

    def base_level_crossing(self, columns: StrengthColumns, level: float) -> IntArray:
        """Instant at which B falls to `level` nats if not used again; as `crossing`."""
        ...

    def retrievability_at(self, need: float) -> float:
        """R in [0, 1] at which need has this value in (0, 1); 0 or 1 where it never has."""
        ...

    def half_life_days(self, columns: StrengthColumns) -> FloatArray:
        """Days from the last use until R is half its value at last use; inf beyond 100 years."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Shared:
    """What all laws need of a policy, resolved once.

    Attributes:
        name: Which law.
        anchor: Instant from which age counts.
        cooldown_hours: Width of the counting bucket.
        archive_level: Level that `fades_at` is dated by, or None.
        use_gain: How much a use of weight 1 weighs in the traces beside the telling.
        importance_weight: β in nats.
        trace_sum: The sum that the traces stand for.
    """

    name: LawName
    anchor: Anchor
    cooldown_hours: float
    archive_level: float | None
    use_gain: float
    importance_weight: float
    trace_sum: TraceSum

    @classmethod
    def of(cls, policy: LawPolicy) -> "Shared":
        """Resolve a policy."""
        return cls(
            name=policy.name,
            anchor=policy.anchor,
            cooldown_hours=cooldown_hours(policy),
            archive_level=archive_level(policy),
            use_gain=policy.use_gain,
            importance_weight=importance_weight(policy),
            trace_sum=TraceSum.of(policy.decay, policy.age_floor_s),
        )

    def told(self, seed: Seed, stability_days: float, difficulty: float) -> Strength:
        """Strength at creation: one access, no use."""
        return Strength(
            traces=told_once(),
            traces_at=seed.created_at,
            stability_days=stability_days,
            difficulty=difficulty,
        )

    def counted(
        self, strength: Strength, use: CountedUse, stability_days: float, difficulty: float
    ) -> Strength:
        """Strength after a counted use whose S and D the law has worked out."""
        traces, traces_at = with_use(strength, use.at, use.weight * self.use_gain)
        before = strength.last_counted_at
        return replace(
            strength,
            traces=traces,
            traces_at=traces_at,
            stability_days=stability_days,
            difficulty=difficulty,
            last_counted_at=use.at if before is None else max(before, use.at),
            reinforcement_count=strength.reinforcement_count + 1,
        )

    def rejected(
        self, strength: Strength, factor: float, stability_days: float, difficulty: float
    ) -> Strength:
        """Strength after a rejection whose S and D the law has worked out."""
        return replace(
            strength,
            traces=scaled(strength.traces, factor),
            stability_days=stability_days,
            difficulty=difficulty,
        )

    def base_level(self, columns: StrengthColumns, now: Instant) -> FloatArray:
        """B in nats: logarithm of the trace sum, and β·(importance − 0.5)."""
        level = self.trace_sum.log_sum(columns, now)
        if self.importance_weight != 0:
            level += self.importance_weight * (columns.importance - 0.5)
        return level

    def base_level_crossing(self, columns: StrengthColumns, level: FloatArray) -> IntArray:
        """Instant at which B falls to `level`, shape (n,); the search starts at the alignment."""
        bar = level - self.importance_weight * (columns.importance - 0.5)
        age_s = seconds_until(self.trace_sum, columns, bar)
        return later(columns.traces_at, age_s / _DAY_S)

    def anchored_at(self, columns: StrengthColumns, rows: slice = slice(None)) -> IntArray:
        """Instant from which the age of each memory in `rows` counts, in microseconds."""
        match self.anchor:
            case Anchor.LAST_USE:
                return columns.last_counted_at[rows]
            case Anchor.CREATED | Anchor.EVENT:
                return columns.created_at[rows]


def days_since_anchor(strength: Strength, at: Instant) -> float:
    """Days from creation or the last counted use to `at`; never negative.

    The traces are aligned at exactly the later of the two.
    """
    return max(at - strength.traces_at, 0) / DAY


def later(start: IntArray, age_days: FloatArray) -> IntArray:
    """Instants `age_days` after `start`, in microseconds, rounded up; `NEVER` beyond 100 years."""
    within = age_days <= HORIZON_DAYS
    age = np.ceil(np.where(within, age_days, 0.0) * DAY).astype(np.int64)
    return np.where(within, start + age, np.int64(NEVER))


def cooldown_hours(policy: LawPolicy) -> float:
    """Width of the counting bucket in force: the policy's, else the law's own."""
    if policy.cooldown_hours is not None:
        return policy.cooldown_hours
    return 6.0 if policy.name is LawName.EBBINGHAUS else 24.0


def archive_level(policy: LawPolicy) -> float | None:
    """Retrievability below which a memory has faded: the policy's, else the law's own.

    Levels of two laws do not compare: R falls to 0.05 after 4 days (half-life 24 h), 25 days
    (0.995 per hour), 90 days (Ebbinghaus, S 30 d) or, under FSRS, never.
    """
    match policy.name:
        case LawName.NONE:
            return None
        case LawName.ACTIVATION:
            own = 0.02
        case LawName.FSRS:
            own = 0.58
        case LawName.EXPONENTIAL | LawName.HALF_LIFE | LawName.EBBINGHAUS:
            own = 0.05
    return own if policy.archive_level is None else policy.archive_level


def need_line(policy: LawPolicy, own: NeedLine) -> NeedLine:
    """Calibration in force: the policy's numbers, each by itself, else the law's own."""
    return NeedLine(
        slope=own.slope if policy.need_slope is None else policy.need_slope,
        offset=own.offset if policy.need_offset is None else policy.need_offset,
    )


def creation_log_term(columns: StrengthColumns, now: Instant, age_floor_s: float) -> FloatArray:
    """Logarithm of what creation by itself adds to the trace sum, in nats; shape (n,).

    The score `worth` weighs the uses against it.
    """
    age_s = np.maximum(np.int64(now) - columns.created_at, 0) / 1e6
    return np.log(kernel(age_s, columns.decay, age_floor_s))
