"""From a law's score to need: the probability of use within the next 30 days.

Decides the two numbers per law. Refuses to fit them (the lab does), and to change them by itself: a
calibration changes only with an applied policy.

    need = 1/(1 + exp(−(slope·x + offset)))

x is the base-level activation under `activation` and ln R elsewhere. Retrievability is not a
probability of need: used as one, FSRS's R loses to a constant on every log.

The numbers were fitted on eight public access logs (files touched in repositories, 30-day horizon),
so they are a prior for a bank that has no log of its own yet:

- activation: need is R itself (slope 1/s, offset −τ/s), see `activation`.
- ebbinghaus: slope 0.115, offset −1.718 on ln R (S₀ 30 d, gain 0.5).
- fsrs: slope 4.00, offset −1.709 on ln R.
- exponential and half_life: fitted once, as slope 0.078 and offset −1.655 on ln R = −age/30 d. That
  is log-odds falling by 0.078/30 = 0.0026 per day since the last use. Both are the same curve in
  other units, so their slope is 0.0026 divided by their own fall of ln R per day, and need does not
  depend on the unit.
- none: R says nothing, so need is the mean share of memories used within 30 days on the eight logs,
  0.0675.

Source: leave-one-log-out Platt maps (Platt 1999).
"""

import math
from dataclasses import dataclass

import numpy as np

from lapse.laws.strength import FloatArray

BASE_RATE = 0.0675
"""Mean share of memories used within 30 days, over the eight logs."""

LOG_ODDS_PER_DAY = 0.078 / 30
"""Fall of the log-odds of need per day since the last use, where only that is known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NeedLine:
    """Line from a law's score to the log-odds of need.

    Attributes:
        slope: Log-odds per unit of the score, ≥ 0.
        offset: Log-odds at a score of 0.
    """

    slope: float
    offset: float

    def need(self, score: FloatArray) -> FloatArray:
        """Probability of use within 30 days, shape (n,), in [0, 1]."""
        log_odds = score * self.slope
        log_odds += self.offset
        return logistic(log_odds)

    def score_at(self, need: float) -> float:
        """Score at which need has this value in (0, 1); infinite where the line is flat."""
        distance = logit(need) - self.offset
        if self.slope == 0:
            return math.copysign(math.inf, distance)
        return distance / self.slope

    def scores_at(self, needs: FloatArray) -> FloatArray:
        """`score_at` of many in (0, 1), where the line is not flat."""
        odds = np.log(needs) - np.log1p(-needs)
        return np.asarray((odds - self.offset) / self.slope, dtype=np.float64)


EBBINGHAUS = NeedLine(slope=0.115, offset=-1.718)
FSRS = NeedLine(slope=4.0, offset=-1.709)
NONE = NeedLine(slope=0.0, offset=math.log(BASE_RATE / (1 - BASE_RATE)))


def last_use_line(log_fall_per_day: float) -> NeedLine:
    """Line for a law that falls exponentially since the last use.

    Args:
        log_fall_per_day: −d ln R/d age, per day; 0 for no ageing, where need stays at its highest.
    """
    slope = LOG_ODDS_PER_DAY / log_fall_per_day if log_fall_per_day > 0 else 0.0
    return NeedLine(slope=slope, offset=-1.655)


def logistic(log_odds: FloatArray) -> FloatArray:
    """1/(1 + e^−x), without overflow; the argument is overwritten."""
    np.negative(log_odds, out=log_odds)
    # Beyond this e^x has no finite float64, and the answer is 0 to 300 digits.
    np.minimum(log_odds, 700.0, out=log_odds)
    np.exp(log_odds, out=log_odds)
    log_odds += 1
    return np.reciprocal(log_odds, out=log_odds)


def log_logistic(log_odds: FloatArray) -> FloatArray:
    """ln(1/(1 + e^−x)), exact in both tails."""
    tail = np.abs(log_odds)
    np.negative(tail, out=tail)
    np.exp(tail, out=tail)
    np.log1p(tail, out=tail)
    return np.asarray(np.minimum(log_odds, 0.0) - tail, dtype=np.float64)


def logit(probability: float) -> float:
    """Log-odds of a probability in (0, 1)."""
    return math.log(probability) - math.log1p(-probability)
