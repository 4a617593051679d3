"""Suggestions: where a level would cut, before anybody sets one.

Decides how the scores of a bank are shown as a histogram, and at which level the lowest tenth,
three twentieths and fifth end. Refuses to recommend one of them.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from lapse.lifecycle.plan_table import Scene, score_for, table_of
from lapse.lifecycle.retention_scores import DECIMALS
from lapse.model.index_delta import FloatArray
from lapse.model.plan import PlanAsk
from lapse.model.policy import RetentionScore

SHARES: Final = (10.0, 15.0, 20.0)
"""Shares of the active memories, in percent, whose levels are suggested."""

BINS: Final = 12
"""Bars of the histogram."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreBin:
    """One bar: memories whose score lies in [low, high), in the last bar [low, high]."""

    low: float
    high: float
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SuggestedLevel:
    """A level that would cut off about this share.

    Attributes:
        percent: Share of the active memories aimed at.
        level: In the score's own unit.
        count: Memories at the level or below it: more than the share where scores are equal.
    """

    percent: float
    level: float
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestion:
    """How the scores of a bank are spread.

    Attributes:
        score: Which score.
        count: Active memories of the kinds and sessions asked for.
        least, median, most: Of the scores, or None without memories.
        bins: Bars from the least score to the most; one where all are equal.
        levels: Levels for the lowest 10, 15 and 20 percent; none without memories.
    """

    score: RetentionScore
    count: int
    least: float | None
    median: float | None
    most: float | None
    bins: tuple[ScoreBin, ...]
    levels: tuple[SuggestedLevel, ...]


def suggest(ask: PlanAsk, scene: Scene) -> Suggestion:
    """Show the scores of the memories that a plan would consider."""
    scores = np.sort(table_of(ask, scene).scores)
    score = score_for(ask, scene.policy)
    if not len(scores):
        return Suggestion(
            score=score, count=0, least=None, median=None, most=None, bins=(), levels=()
        )
    return Suggestion(
        score=score,
        count=len(scores),
        least=float(scores[0]),
        median=round(float(np.median(scores)), DECIMALS),
        most=float(scores[-1]),
        bins=_bins(scores),
        levels=tuple(_level(scores, each) for each in SHARES),
    )


def _bins(scores: FloatArray) -> tuple[ScoreBin, ...]:
    low, high = float(scores[0]), float(scores[-1])
    if low == high:
        return (ScoreBin(low=low, high=high, count=len(scores)),)
    counts, edges = np.histogram(scores, bins=BINS)
    shown = np.round(edges, DECIMALS).tolist()
    return tuple(
        ScoreBin(low=shown[at], high=shown[at + 1], count=count)
        for at, count in enumerate(counts.tolist())
    )


def _level(scores: FloatArray, percent: float) -> SuggestedLevel:
    wanted = max(int(len(scores) * percent / 100), 1)
    level = float(scores[wanted - 1])
    count = int(np.searchsorted(scores, level, side="right"))
    return SuggestedLevel(percent=percent, level=level, count=count)
