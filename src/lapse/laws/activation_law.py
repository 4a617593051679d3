"""`activation`: the default law. R is calibrated need.

Decides how base level becomes R, and when R falls to a level. Refuses to keep a list of uses.
"""

import math
from dataclasses import dataclass

import numpy as np

from lapse.laws.activation import noise, threshold
from lapse.laws.calibration import NeedLine, log_logistic, logistic
from lapse.laws.crossing import seconds_until
from lapse.laws.law import INERT_DIFFICULTY, INERT_STABILITY, Shared, need_line
from lapse.laws.strength import (
    HORIZON_DAYS,
    MINIMUM_STABILITY_DAYS,
    CountedUse,
    FloatArray,
    IntArray,
    Seed,
    StrengthColumns,
)
from lapse.model.instants import Instant
from lapse.model.policy import LawName, LawPolicy
from lapse.model.retention import Strength

_DAY_S = 86_400.0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ActivationLaw:
    """R = need = 1/(1 + exp((τ − B)/s)) with B from the ten traces and importance.

    The anchor does not enter: every use has its own age. Stability stands still, but for
    rejections, which are kept there for a later change of law.

    Attributes:
        shared: What all laws resolve.
        odds: Line from B to the log-odds of R: slope 1/s, offset −τ/s.
        need_odds: Line from B to the log-odds of need; the same unless the policy sets its own.
    """

    shared: Shared
    odds: NeedLine
    need_odds: NeedLine

    @classmethod
    def of(cls, policy: LawPolicy) -> "ActivationLaw":
        """Resolve a policy."""
        shared = Shared.of(policy)
        scale = noise(policy, shared.cooldown_hours)
        bar = threshold(policy, shared.cooldown_hours)
        odds = NeedLine(slope=1 / scale, offset=-bar / scale)
        return cls(shared=shared, odds=odds, need_odds=need_line(policy, odds))

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
        """Need below which a memory has faded."""
        return self.shared.archive_level

    def initial(self, seed: Seed) -> Strength:
        """One trace of weight 1. Importance enters when R is asked for, so it may still change."""
        return self.shared.told(seed, INERT_STABILITY, INERT_DIFFICULTY)

    def reinforce(self, strength: Strength, use: CountedUse) -> Strength:
        """Add the use to the traces, with `use_gain` times its weight."""
        return self.shared.counted(strength, use, strength.stability_days, strength.difficulty)

    # When a rejection comes does not matter to this law; it does to FSRS.
    def reject(self, strength: Strength, at: Instant, factor: float) -> Strength:  # noqa: ARG002
        """Let every past use, creation included, weigh less by the factor."""
        left = max(strength.stability_days * factor, MINIMUM_STABILITY_DAYS)
        return self.shared.rejected(strength, factor, left, strength.difficulty)

    def log_retrievability(self, columns: StrengthColumns, now: Instant) -> FloatArray:
        """Logarithm of R."""
        return log_logistic(self._log_odds(columns, now, self.odds))

    def retrievability(self, columns: StrengthColumns, now: Instant) -> FloatArray:
        """R in [0, 1]: need itself. Largest at age 0."""
        return logistic(self._log_odds(columns, now, self.odds))

    def need(self, columns: StrengthColumns, now: Instant) -> FloatArray:
        """Probability of use within 30 days; R itself unless the policy has its own calibration."""
        return logistic(self._log_odds(columns, now, self.need_odds))

    def base_level_activation(self, columns: StrengthColumns, now: Instant) -> FloatArray:
        """B in nats."""
        return self.shared.base_level(columns, now)

    def crossing(self, columns: StrengthColumns, level: float | FloatArray) -> IntArray:
        """Instant at which R falls to `level` if not used again; see `Law.crossing`."""
        levels = np.broadcast_to(np.asarray(level, dtype=np.float64), (len(columns),))
        bars = np.where(levels <= 0, -math.inf, math.inf)
        inside = (levels > 0) & (levels < 1)
        bars[inside] = self.odds.scores_at(levels[inside])
        return self.shared.base_level_crossing(columns, bars)

    def base_level_crossing(self, columns: StrengthColumns, level: float) -> IntArray:
        """Instant at which B falls to `level` nats; see `Law.base_level_crossing`."""
        return self.shared.base_level_crossing(columns, np.full(len(columns), level))

    def retrievability_at(self, need: float) -> float:
        """R at which need has this value: the same, unless the policy has its own calibration."""
        if self.need_odds == self.odds:
            return need
        return float(self.odds.need(np.array([self.need_odds.score_at(need)]))[0])

    def half_life_days(self, columns: StrengthColumns) -> FloatArray:
        """Days from the last use (the alignment of the traces) until R is half of what it was."""
        zero = np.zeros(len(columns))
        start = self.shared.trace_sum.log_sum_after(zero, columns.traces, columns.decay)
        start += self._offset(columns)
        half = log_logistic(start * self.odds.slope + self.odds.offset) - math.log(2)
        # R/2 has log-odds ln(R/2) − ln(1 − R/2), which stays finite where R/2 itself would be 0.
        odds = half - np.log1p(-np.exp(np.maximum(half, -700.0)))
        bar = (odds - self.odds.offset) / self.odds.slope
        days = self._seconds_until(columns, bar) / _DAY_S
        return np.where(days <= HORIZON_DAYS, days, math.inf)

    def _log_odds(self, columns: StrengthColumns, now: Instant, line: NeedLine) -> FloatArray:
        log_odds = self.shared.base_level(columns, now)
        log_odds *= line.slope
        log_odds += line.offset
        return log_odds

    def _offset(self, columns: StrengthColumns) -> FloatArray:
        return self.shared.importance_weight * (columns.importance - 0.5)

    def _seconds_until(self, columns: StrengthColumns, bar: FloatArray) -> FloatArray:
        """Seconds from the alignment until B falls to `bar`."""
        return seconds_until(self.shared.trace_sum, columns, bar - self._offset(columns))
