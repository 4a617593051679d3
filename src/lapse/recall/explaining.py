"""Explanations: the numbers that decided, candidate by candidate.

Decides how columns become the explanation of one candidate. Refuses to compute what they mean.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from lapse.index.states import EXEMPT, LIFECYCLES, PINNED, VERIFIED
from lapse.model.index_delta import BoolArray, FloatArray, IntArray
from lapse.model.instants import Instant
from lapse.model.query import Explanation, Flag
from lapse.recall.field import Field
from lapse.recall.scoring import Scores
from lapse.recall.strength import Strengths

_GUARD_FLAGS = ((PINNED, Flag.PINNED), (VERIFIED, Flag.VERIFIED), (EXEMPT, Flag.EXEMPT))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Explainer:
    """All columns that an explanation is read from.

    Attributes:
        half_life_days: inf beyond 100 years; None where strength does not exist.
        strong: Which candidates a strong cue brings up.
        now: For the flag of skewed clocks.
        brief: Whether only the numbers are given that every explanation has.
    """

    field: Field
    strengths: Strengths
    scores: Scores
    half_life_days: FloatArray | None
    strong: BoolArray
    now: Instant
    brief: bool

    def explain(self, places: Sequence[int]) -> list[Explanation]:
        """Explanations of the candidates at these places, in their order."""
        at = np.array(places, dtype=np.int64)
        return list(self._brief(at) if self.brief else self._full(at))

    def _brief(self, at: IntArray) -> Iterator[Explanation]:
        found, strengths, scores = self.field.found, self.strengths, self.scores
        for relevance, coverage, base, score, r, need, importance, anchor, lifecycle in zip(
            found.relevance[at].tolist(),
            found.coverage[at].tolist(),
            scores.base[at].tolist(),
            scores.score[at].tolist(),
            strengths.retrievability[at].tolist(),
            strengths.need[at].tolist(),
            strengths.importance[at].tolist(),
            strengths.anchored_at[at].tolist(),
            self.field.lifecycle[at].tolist(),
            strict=True,
        ):
            yield Explanation(
                relevance=relevance,
                coverage=coverage,
                base=base,
                score=score,
                retrievability=r,
                need=need,
                importance=importance,
                anchor=anchor,
                lifecycle=LIFECYCLES[lifecycle],
            )

    def _full(self, at: IntArray) -> Iterator[Explanation]:
        found, strengths, scores = self.field.found, self.strengths, self.scores
        used = np.where(self.field.use_count > 0, strengths.last_counted_at, 0)
        columns = (
            found.relevance,
            found.coverage,
            scores.base,
            scores.score,
            strengths.retrievability,
            strengths.need,
            strengths.importance,
            strengths.anchored_at,
            self.field.lifecycle,
            found.lexical_rank,
            found.vector_rank,
            scores.event_recency,
            scores.temporal,
            scores.proof,
            used,
            self.field.use_count,
            scores.boost,
        )
        optional = (found.lexical, found.cosine, self._stability(), self.half_life_days)
        shown = [_optional(column, at) for column in (*optional, strengths.base_level)]
        rows = zip(*(column[at].tolist() for column in columns), strict=True)
        rest = zip(*shown, self._terms(at), self._flags(at), strict=True)
        for row, (lexical, cosine, stability, half_life, level, terms, flags) in zip(
            rows, rest, strict=True
        ):
            yield Explanation(
                relevance=row[0],
                coverage=row[1],
                base=row[2],
                score=row[3],
                retrievability=row[4],
                need=row[5],
                importance=row[6],
                anchor=row[7],
                lifecycle=LIFECYCLES[row[8]],
                lexical=lexical,
                lexical_rank=row[9] or None,
                cosine=cosine,
                vector_rank=row[10] or None,
                event_recency=row[11],
                temporal=row[12],
                proof=row[13],
                stability_days=stability,
                half_life_days=half_life,
                base_level_activation=level,
                last_used_at=row[14] if row[15] else None,
                use_count=row[15],
                boost=row[16],
                terms=terms,
                flags=flags,
            )

    def _stability(self) -> FloatArray | None:
        return None if self.half_life_days is None else self.strengths.stability_days

    def _terms(self, at: IntArray) -> list[MappingProxyType[str, float]]:
        names = tuple(self.scores.terms)
        values = zip(*(self.scores.terms[name][at].tolist() for name in names), strict=True)
        return [MappingProxyType(dict(zip(names, each, strict=True))) for each in values]

    def _flags(self, at: IntArray) -> list[tuple[Flag, ...]]:
        field, cosine = self.field, self.field.found.cosine
        guards = field.guards[at]
        skewed = np.maximum(field.created_at[at], self.strengths.anchored_at[at]) > self.now
        wanting = np.isnan(cosine[at]) if cosine is not None else np.zeros(len(at), np.bool_)
        raised = [(Flag.CLOCK_SKEW, skewed)]
        raised += [(flag, (guards & bit) != 0) for bit, flag in _GUARD_FLAGS]
        raised += [(Flag.STRONG_CUE, self.strong[at]), (Flag.NO_VECTOR, wanting)]
        flags: list[tuple[Flag, ...]] = [()] * len(at)
        for flag, holds in raised:
            for place in np.flatnonzero(holds).tolist():
                flags[place] = (*flags[place], flag)
        return flags


def _optional(column: FloatArray | None, at: IntArray) -> list[float | None]:
    """Values of a column, None for what is not a number of use: NaN, or beyond all bounds."""
    if column is None:
        return [None] * len(at)
    values = column[at]
    listed: list[float | None] = values.tolist()
    if not np.isfinite(values).all():
        return [None if not abs(each) < float("inf") else each for each in values.tolist()]
    return listed
