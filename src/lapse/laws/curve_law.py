"""Laws whose strength is one curve since the anchor: R = f(age_days / S).

Decides what follows from the curve alone: retrievability, need, crossing, half-life. Refuses to
know the curve, or how S grows: `plain`, `ebbinghaus_law` and `fsrs_law` do.

Whatever only the last use decides ranks as LRU does, whichever curve is drawn over it. The curves
differ where a level is set or a score is mixed.
"""

import math
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np

from lapse.laws.calibration import NeedLine
from lapse.laws.law import Shared, later
from lapse.laws.strength import (
    HORIZON_DAYS,
    CountedUse,
    FloatArray,
    IntArray,
    Seed,
    StrengthColumns,
    blocks,
    elapsed_microseconds,
    raise_to,
)
from lapse.model.instants import DAY, Instant
from lapse.model.policy import LawName
from lapse.model.retention import Strength

_DAYS_PER_MICROSECOND = 1 / DAY

# NumPy is ten times slower where exp has no normal float64, and 1e-304 is as good as 0.
_LEAST_LOG = -700.0


class Firmness(NamedTuple):
    """What a law keeps of one memory beside its traces.

    Attributes:
        stability_days: S ≥ 0.001.
        difficulty: D in [1, 10].
    """

    stability_days: float
    difficulty: float


class Curve(Protocol):
    """A falling curve over age/S, and what makes S grow."""

    def log_retrievability(self, ratio: FloatArray, unit: float) -> FloatArray:
        """Logarithm of R at age_days/S = ratio·unit ≥ 0; may overwrite the ratio."""
        ...

    def ratio_at(self, log_retrievability: FloatArray) -> FloatArray:
        """age/S at which ln R has this value ≤ 0; inf where it never falls so low."""
        ...

    def longest_stability_days(self) -> float:
        """Greatest S that a change of law may give."""
        ...

    def first(self, seed: Seed) -> Firmness:
        """S and D of a new memory."""
        ...

    def used(self, strength: Strength, use: CountedUse) -> Firmness:
        """S and D after a counted use."""
        ...

    def rejected(self, strength: Strength, at: Instant, factor: float) -> Firmness:
        """S and D after a rejection."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CurveLaw:
    """R = f((now − anchor)/S).

    Attributes:
        shared: What all laws resolve.
        curve: f and the growth of S.
        line: From ln R to the log-odds of need.
    """

    shared: Shared
    curve: Curve
    line: NeedLine

    @property
    def name(self) -> LawName:
        """Which law."""
        return self.shared.name

    @property
    def cooldown_hours(self) -> float:
        """Width of the bucket in which one use counts."""
        return self.shared.cooldown_hours

    @property
    def archive_level(self) -> float | None:
        """Retrievability below which a memory has faded; None for never."""
        return self.shared.archive_level

    def initial(self, seed: Seed) -> Strength:
        """Strength of a memory at the instant it is told."""
        return self.shared.told(seed, *self.curve.first(seed))

    def reinforce(self, strength: Strength, use: CountedUse) -> Strength:
        """Strength after one counted use: traces, S, D, anchor."""
        return self.shared.counted(strength, use, *self.curve.used(strength, use))

    def reject(self, strength: Strength, at: Instant, factor: float) -> Strength:
        """Strength after evidence against the memory; the anchor stays."""
        left = self.curve.rejected(strength, at, factor)
        return self.shared.rejected(strength, factor, *left)

    def log_retrievability(self, columns: StrengthColumns, now: Instant) -> FloatArray:
        """Logarithm of R, ≤ 0."""
        answer = np.empty(len(columns))
        for rows in blocks(len(columns)):
            answer[rows] = self._log_retrievability(columns, rows, now, answer[rows])
        return answer

    def retrievability(self, columns: StrengthColumns, now: Instant) -> FloatArray:
        """R in [0, 1]; 1 at age 0."""
        answer = np.empty(len(columns))
        for rows in blocks(len(columns)):
            part = self._log_retrievability(columns, rows, now, answer[rows])
            raise_to(_LEAST_LOG, part)
            np.exp(part, out=answer[rows])
        return answer

    def need(self, columns: StrengthColumns, now: Instant) -> FloatArray:
        """Probability of use within 30 days. No more than the calibration's highest: see there."""
        answer = np.empty(len(columns))
        for rows in blocks(len(columns)):
            part = self._log_retrievability(columns, rows, now, answer[rows])
            answer[rows] = self.line.need(part)
        return answer

    def base_level_activation(self, columns: StrengthColumns, now: Instant) -> FloatArray:
        """B in nats, from the traces that every law keeps."""
        return self.shared.base_level(columns, now)

    def crossing(self, columns: StrengthColumns, level: float | FloatArray) -> IntArray:
        """Instant at which R falls to `level` if not used again; see `Law.crossing`."""
        levels = np.broadcast_to(np.asarray(level, dtype=np.float64), (len(columns),))
        logs = np.full(len(columns), -math.inf)
        np.log(np.minimum(levels, 1.0), out=logs, where=levels > 0)
        ratio = self.curve.ratio_at(logs)
        return later(self.shared.anchored_at(columns), ratio * columns.stability_days)

    def base_level_crossing(self, columns: StrengthColumns, level: float) -> IntArray:
        """Instant at which B falls to `level` nats; see `Law.base_level_crossing`."""
        return self.shared.base_level_crossing(columns, np.full(len(columns), level))

    def retrievability_at(self, need: float) -> float:
        """R at which need has this value in (0, 1); 0 or 1 where it never has."""
        return math.exp(min(self.line.score_at(need), 0.0))

    def half_life_days(self, columns: StrengthColumns) -> FloatArray:
        """Days from the last use until R is half of what it was at last use."""
        age_at_use = columns.last_counted_at - self.shared.anchored_at(columns)
        start = age_at_use / DAY / columns.stability_days
        log_half = self.curve.log_retrievability(start.copy(), 1.0) - math.log(2)
        days = (self.curve.ratio_at(log_half) - start) * columns.stability_days
        return np.where(days <= HORIZON_DAYS, days, math.inf)

    def _log_retrievability(
        self, columns: StrengthColumns, rows: slice, now: Instant, room: FloatArray
    ) -> FloatArray:
        """Logarithm of R of a block; `room`, of its size, is overwritten."""
        elapsed_microseconds(self.shared.anchored_at(columns, rows), now, room)
        room /= columns.stability_days[rows]
        return self.curve.log_retrievability(room, _DAYS_PER_MICROSECOND)
