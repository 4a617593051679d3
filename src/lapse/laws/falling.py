"""When a memory falls below a bar that is set on one of the scores that time alone moves.

Decides what a level of `need`, `weighted_r` and `activation` means under every law, so that dating
one memory and planning for many cannot disagree. Refuses scores that hang on the memories beside
one (`mean`, `informative`, `worth`, `promise`): those have no date.

    need        R at which the law's calibration gives the level
    weighted_r  R·(0.5 + 0.5·importance) = level, so R = level / (0.5 + 0.5·importance)
    activation  B = level, in nats, ages in seconds

Source: the level of -3.0 of the ACT-R sweep is read in seconds here: one use crosses it after
exp(6) = 403 s at d = 0.5; read in days it is -8.68, after 403 days.
"""

from dataclasses import dataclass
from typing import assert_never

import numpy as np

from lapse.errors import DomainError
from lapse.laws.law import Law
from lapse.laws.strength import NEVER, FloatArray, IntArray, StrengthColumns
from lapse.model.index_delta import BoolArray
from lapse.model.instants import Instant
from lapse.model.policy import RetentionPolicy, RetentionScore

DATED_SCORES: tuple[RetentionScore, ...] = (
    RetentionScore.NEED,
    RetentionScore.WEIGHTED_R,
    RetentionScore.ACTIVATION,
)
"""Scores of one memory that only its own uses and time move, so that its fall has a date."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """A level of a score.

    Attributes:
        score: One of `DATED_SCORES`.
        level: In the score's own unit. None for the law's archive level, which is one of R: for
            need and activation the same instant, for weighted_r the same number.
    """

    score: RetentionScore
    level: float | None


def bar_of(retention: RetentionPolicy) -> Bar | None:
    """The bar that the policy itself sets, or None where its score has no dates."""
    if retention.score not in DATED_SCORES:
        return None
    return Bar(score=retention.score, level=retention.level)


def falls_at(law: Law, columns: StrengthColumns, bar: Bar) -> IntArray:
    """Instant at which each memory falls to the bar if it is not used again, in microseconds.

    Returns:
        Shape (n,). `NEVER` beyond 100 years, and where neither bar nor law names a level.

    Raises:
        DomainError: A score without dates.
    """
    if bar.score not in DATED_SCORES:
        raise DomainError.of("score", bar.score.value, "needs need, weighted_r or activation")
    own = law.archive_level
    match bar:
        case Bar(score=RetentionScore.WEIGHTED_R):
            level = own if bar.level is None else bar.level
            return law.crossing(columns, _share_of(level, columns)) if level else _never(columns)
        case Bar(level=None):
            return _never(columns) if own is None else law.crossing(columns, own)
        case Bar(score=RetentionScore.NEED, level=float(level)):
            return law.crossing(columns, law.retrievability_at(level))
        case Bar(score=RetentionScore.ACTIVATION, level=float(level)):
            return law.base_level_crossing(columns, level)
        case _:
            raise DomainError.of("level", bar.level, "needs a number")


def score_of(law: Law, columns: StrengthColumns, score: RetentionScore, now: Instant) -> FloatArray:
    """The score of each memory at `now`, shape (n,).

    Raises:
        DomainError: A score that hangs on the memories beside one.
    """
    match score:
        case RetentionScore.NEED:
            return law.need(columns, now)
        case RetentionScore.WEIGHTED_R:
            weighted = law.retrievability(columns, now) * (0.5 + 0.5 * columns.importance)
            return np.asarray(weighted, dtype=np.float64)
        case RetentionScore.ACTIVATION:
            return law.base_level_activation(columns, now)
        case (
            RetentionScore.MEAN
            | RetentionScore.INFORMATIVE
            | RetentionScore.WORTH
            | RetentionScore.PROMISE
        ):
            raise DomainError.of("score", score.value, "needs need, weighted_r or activation")
        case _:
            assert_never(score)


def below(law: Law, columns: StrengthColumns, bar: Bar, now: Instant) -> BoolArray:
    """Whether each memory is at the bar or below it at `now`, shape (n,).

    Cheaper than `falls_at`, and the same to the precision of a float.

    Raises:
        DomainError: A score without dates.
    """
    level = bar.level
    if level is None and bar.score is not RetentionScore.WEIGHTED_R:
        own = law.archive_level
        if own is None:
            return np.zeros(len(columns), np.bool_)
        return np.asarray(law.retrievability(columns, now) <= own, dtype=np.bool_)
    level = law.archive_level if level is None else level
    if level is None:
        return np.zeros(len(columns), np.bool_)
    return np.asarray(score_of(law, columns, bar.score, now) <= level, dtype=np.bool_)


def _share_of(level: float, columns: StrengthColumns) -> FloatArray:
    return np.asarray(level / (0.5 + 0.5 * columns.importance), dtype=np.float64)


def _never(columns: StrengthColumns) -> IntArray:
    return np.full(len(columns), NEVER, np.int64)
