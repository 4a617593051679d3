"""Explanations: the numbers that decided, candidate by candidate.

Decides how columns become the explanation of one candidate, and that those of exclusions are made
when somebody looks. Refuses to compute what the numbers mean.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import overload

import numpy as np
from numpy.typing import NDArray

from lapse.index.states import EXEMPT, LIFECYCLES, PINNED, VERIFIED
from lapse.laws import Law, StrengthColumns
from lapse.model.index_delta import BoolArray, FloatArray, IntArray
from lapse.model.instants import Instant
from lapse.model.query import Exclusion, Explanation, Flag, Reason
from lapse.recall.candidates import Found
from lapse.recall.scoring import Scores
from lapse.recall.strength import Strengths

_GUARD_FLAGS = ((PINNED, Flag.PINNED), (VERIFIED, Flag.VERIFIED), (EXEMPT, Flag.EXEMPT))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Explainer:
    """All columns that an explanation is read from; no vector and no text.

    Attributes:
        columns: What the laws read, or None where strength does not exist (mode off): then nothing
            is said of stability, half-life and activation.
        need_is_retrievability: Whether need was worked out already: it is the law's R.
        strong: Which candidates a strong cue brings up.
        now: Instant of the question.
        brief: Whether only the numbers are given that every explanation has.
    """

    found: Found
    strengths: Strengths
    scores: Scores
    created_at: IntArray
    guards: NDArray[np.uint8]
    lifecycle: NDArray[np.uint8]
    use_count: IntArray
    columns: StrengthColumns | None
    law: Law
    need_is_retrievability: bool
    strong: BoolArray
    now: Instant
    brief: bool

    def explain(
        self, places: Sequence[int], half_lives: Callable[[IntArray], FloatArray] | None = None
    ) -> list[Explanation]:
        """Explanations of the candidates at these places, in their order.

        Args:
            places: Which candidates.
            half_lives: Half-lives in days by place, where they are known already.
        """
        if not places:
            return []
        at = np.array(places, dtype=np.int64)
        strength = _Strength.of(self, at, half_lives)
        return list(self._brief(at, strength) if self.brief else self._full(at, strength))

    def _brief(self, at: IntArray, strength: "_Strength") -> Iterator[Explanation]:
        columns = (
            self.found.relevance,
            self.found.coverage,
            self.scores.base,
            self.scores.score,
            self.strengths.retrievability,
            self.strengths.importance,
            self.strengths.anchored_at,
            self.lifecycle,
        )
        rows = zip(*(column[at].tolist() for column in columns), strict=True)
        for row, need in zip(rows, strength.need, strict=True):
            yield Explanation(
                relevance=row[0],
                coverage=row[1],
                base=row[2],
                score=row[3],
                retrievability=row[4],
                need=need,
                importance=row[5],
                anchor=row[6],
                lifecycle=LIFECYCLES[row[7]],
            )

    def _full(self, at: IntArray, strength: "_Strength") -> Iterator[Explanation]:
        found, scores = self.found, self.scores
        columns = (
            found.lexical_rank,
            found.vector_rank,
            scores.event_recency,
            scores.temporal,
            scores.proof,
            self.use_count,
            scores.boost,
        )
        rows = zip(*(column[at].tolist() for column in columns), strict=True)
        rest = zip(
            _optional(found.lexical, at),
            _optional(found.cosine, at),
            self._terms(at),
            self._flags(at),
            strict=True,
        )
        for brief, row, (lexical, cosine, terms, flags), held in zip(
            self._brief(at, strength), rows, rest, strength.rows(), strict=True
        ):
            stability_days, half_life_days, level, used_at = held
            yield Explanation(
                relevance=brief.relevance,
                coverage=brief.coverage,
                base=brief.base,
                score=brief.score,
                retrievability=brief.retrievability,
                need=brief.need,
                importance=brief.importance,
                anchor=brief.anchor,
                lifecycle=brief.lifecycle,
                lexical=lexical,
                lexical_rank=row[0] or None,
                cosine=cosine,
                vector_rank=row[1] or None,
                event_recency=row[2],
                temporal=row[3],
                proof=row[4],
                stability_days=stability_days,
                half_life_days=half_life_days,
                base_level_activation=level,
                last_used_at=Instant(used_at) if row[5] else None,
                use_count=row[5],
                boost=row[6],
                terms=terms,
                flags=flags,
            )

    def _terms(self, at: IntArray) -> list[MappingProxyType[str, float]]:
        names = tuple(self.scores.terms)
        values = zip(*(self.scores.terms[name][at].tolist() for name in names), strict=True)
        return [MappingProxyType(dict(zip(names, each, strict=True))) for each in values]

    def _flags(self, at: IntArray) -> list[tuple[Flag, ...]]:
        cosine, guards = self.found.cosine, self.guards[at]
        skewed = np.maximum(self.created_at[at], self.strengths.anchored_at[at]) > self.now
        wanting = np.zeros(len(at), np.bool_) if cosine is None else np.isnan(cosine[at])
        raised = [(Flag.CLOCK_SKEW, skewed)]
        raised += [(flag, (guards & bit) != 0) for bit, flag in _GUARD_FLAGS]
        raised += [(Flag.STRONG_CUE, self.strong[at]), (Flag.NO_VECTOR, wanting)]
        flags: list[tuple[Flag, ...]] = [()] * len(at)
        for flag, holds in raised:
            for place in np.flatnonzero(holds).tolist():
                flags[place] = (*flags[place], flag)
        return flags


class Exclusions(Sequence[Exclusion]):
    """What was left out, best score first; made when somebody looks.

    A recall leaves out some two hundred candidates and few callers look at them. Until then they
    are columns, which take a fifth of the time and of the memory.
    """

    __slots__ = ("_explainer", "_ids", "_left", "_made")

    def __init__(
        self, explainer: Explainer, ids: Sequence[str], left: Sequence[tuple[int, Reason, str]]
    ) -> None:
        self._explainer = explainer
        self._ids = ids
        self._left = left
        self._made: tuple[Exclusion, ...] | None = None

    def __len__(self) -> int:
        return len(self._left)

    @overload
    def __getitem__(self, index: int) -> Exclusion: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Exclusion, ...]: ...
    def __getitem__(self, index: int | slice) -> Exclusion | tuple[Exclusion, ...]:
        return self._all()[index]

    def __iter__(self) -> Iterator[Exclusion]:
        return iter(self._all())

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Exclusions):
            return self._all() == other._all()
        return isinstance(other, tuple) and self._all() == other

    def __hash__(self) -> int:
        return hash(self._ids)

    def __repr__(self) -> str:
        return repr(self._all())

    def _all(self) -> tuple[Exclusion, ...]:
        if self._made is None:
            explanations = self._explainer.explain([place for place, _, _ in self._left])
            self._made = tuple(
                Exclusion(id=memory_id, reason=reason, explanation=why, detail=detail)
                for memory_id, (_, reason, detail), why in zip(
                    self._ids, self._left, explanations, strict=True
                )
            )
        return self._made


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Strength:
    """What is said of strength beyond what scoring needed; one entry per place explained."""

    need: list[float]
    stability_days: list[float | None]
    half_life_days: list[float | None]
    base_level: list[float | None]
    used_at: list[int]

    @classmethod
    def of(
        cls, explainer: Explainer, at: IntArray, half_lives: Callable[[IntArray], FloatArray] | None
    ) -> "_Strength":
        nothing: list[float | None] = [None] * len(at)
        if explainer.columns is None:
            return cls(
                need=[1.0] * len(at),
                stability_days=nothing,
                half_life_days=nothing,
                base_level=nothing,
                used_at=[0] * len(at),
            )
        columns, law, now = explainer.columns.take(at), explainer.law, explainer.now
        raw = explainer.strengths.raw_retrievability[at]
        need = (raw if explainer.need_is_retrievability else law.need(columns, now)).tolist()
        if explainer.brief:
            return cls(
                need=need,
                stability_days=nothing,
                half_life_days=nothing,
                base_level=nothing,
                used_at=[0] * len(at),
            )
        lives = law.half_life_days(columns) if half_lives is None else half_lives(at)
        return cls(
            need=need,
            stability_days=columns.stability_days.tolist(),
            half_life_days=_finite(lives),
            base_level=_finite(law.base_level_activation(columns, now)),
            used_at=columns.last_counted_at.tolist(),
        )

    def rows(self) -> Iterator[tuple[float | None, float | None, float | None, int]]:
        """Stability, half-life, base level and last use, place by place."""
        return zip(
            self.stability_days, self.half_life_days, self.base_level, self.used_at, strict=True
        )


def _optional(column: FloatArray | None, at: IntArray) -> list[float | None]:
    return [None] * len(at) if column is None else _finite(column[at])


def _finite(values: FloatArray) -> list[float | None]:
    """Values, None for what is not a finite number: no vector, or never."""
    if np.isfinite(values).all():
        listed: list[float | None] = values.tolist()
        return listed
    return [each if abs(each) < float("inf") else None for each in values.tolist()]
