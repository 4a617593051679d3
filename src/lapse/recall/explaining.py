"""Explanations: the numbers that decided, candidate by candidate.

Decides how columns become the explanation of one candidate, and that those of exclusions are made
when somebody looks. Refuses to compute what the numbers mean.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TypeAlias, overload

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

HalfLives: TypeAlias = Callable[[IntArray], FloatArray]
"""Half-lives in days by place."""

LeftOut: TypeAlias = Callable[[], list[tuple[int, Reason, str]]]
"""Places left out, best first, with the reason and what made it apply."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Explainer:
    """All columns that an explanation is read from; no vector and no text.

    Attributes:
        columns: What the laws read, or None where strength does not exist (mode off): then nothing
            is said of stability, half-life and activation.
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
    strong: BoolArray
    now: Instant
    brief: bool

    def explain(
        self, places: Sequence[int], half_lives: HalfLives | None = None
    ) -> list[Explanation]:
        """Explanations of the candidates at these places, in their order.

        Args:
            places: Which candidates.
            half_lives: Where half-lives are known already; else the law is asked.
        """
        if not places:
            return []
        at = np.array(places, dtype=np.int64)
        needs = self._needs(at)
        if self.brief:
            return [self._brief(place, need) for place, need in zip(places, needs, strict=True)]
        held = zip(needs, self._half_lives(at, half_lives), self._levels(at), strict=True)
        return [self._full(place, *each) for place, each in zip(places, held, strict=True)]

    def _brief(self, place: int, need: float) -> Explanation:
        return Explanation(
            relevance=self.found.relevance.item(place),
            coverage=self.found.coverage.item(place),
            base=self.scores.base.item(place),
            score=self.scores.score.item(place),
            retrievability=self.strengths.retrievability.item(place),
            need=need,
            importance=self.strengths.importance.item(place),
            anchor=Instant(self.strengths.anchored_at.item(place)),
            lifecycle=LIFECYCLES[self.lifecycle.item(place)],
        )

    def _full(
        self, place: int, need: float, half_life_days: float | None, level: float | None
    ) -> Explanation:
        found, scores, strengths, columns = self.found, self.scores, self.strengths, self.columns
        used = columns is not None and self.use_count.item(place) > 0
        return Explanation(
            relevance=found.relevance.item(place),
            coverage=found.coverage.item(place),
            base=scores.base.item(place),
            score=scores.score.item(place),
            retrievability=strengths.retrievability.item(place),
            need=need,
            importance=strengths.importance.item(place),
            anchor=Instant(strengths.anchored_at.item(place)),
            lifecycle=LIFECYCLES[self.lifecycle.item(place)],
            lexical=None if found.lexical is None else found.lexical.item(place),
            lexical_rank=found.lexical_rank.item(place) or None,
            cosine=None if found.cosine is None else _finite(found.cosine.item(place)),
            vector_rank=found.vector_rank.item(place) or None,
            event_recency=scores.event_recency.item(place),
            temporal=scores.temporal.item(place),
            proof=scores.proof.item(place),
            stability_days=None if columns is None else columns.stability_days.item(place),
            half_life_days=half_life_days,
            base_level_activation=level,
            last_used_at=Instant(columns.last_counted_at.item(place)) if columns and used else None,
            use_count=self.use_count.item(place) if used else 0,
            boost=scores.boost.item(place),
            terms=MappingProxyType({name: term.item(place) for name, term in scores.terms.items()}),
            flags=self._flags(place),
        )

    def _flags(self, place: int) -> tuple[Flag, ...]:
        flags: list[Flag] = []
        latest = max(self.created_at.item(place), self.strengths.anchored_at.item(place))
        if latest > self.now:
            flags.append(Flag.CLOCK_SKEW)
        guards = self.guards.item(place)
        if guards:
            flags.extend(flag for bit, flag in _GUARD_FLAGS if guards & bit)
        if self.strong.item(place):
            flags.append(Flag.STRONG_CUE)
        if self.found.cosine is not None and math.isnan(self.found.cosine.item(place)):
            flags.append(Flag.NO_VECTOR)
        return tuple(flags)

    def _needs(self, at: IntArray) -> list[float]:
        needs = self.strengths.need
        if needs is None and self.columns is not None:
            return list(self.law.need(self.columns.take(at), self.now).tolist())
        return [1.0] * len(at) if needs is None else list(needs[at].tolist())

    def _half_lives(self, at: IntArray, known: HalfLives | None) -> list[float | None]:
        if self.columns is None:
            return [None] * len(at)
        lives = self.law.half_life_days(self.columns.take(at)) if known is None else known(at)
        return [_finite(each) for each in lives.tolist()]

    def _levels(self, at: IntArray) -> list[float | None]:
        if self.columns is None:
            return [None] * len(at)
        levels = self.strengths.base_level
        if levels is None:
            levels = self.law.base_level_activation(self.columns.take(at), self.now)
            return [_finite(each) for each in levels.tolist()]
        return [_finite(each) for each in levels[at].tolist()]


class Exclusions(Sequence[Exclusion]):
    """What was left out, best score first; made when somebody looks.

    A recall leaves out some two hundred candidates and few callers look at them. Until then they
    are columns, which take a fifth of the time and of the memory.
    """

    __slots__ = ("_explainer", "_found", "_ids", "_left", "_made")

    def __init__(self, explainer: Explainer, ids: Sequence[str], left: LeftOut) -> None:
        self._explainer = explainer
        self._ids = ids
        self._left = left
        self._found: list[tuple[int, Reason, str]] | None = None
        self._made: tuple[Exclusion, ...] | None = None

    def __len__(self) -> int:
        return len(self._places())

    def unmade(self) -> "Exclusions":
        """The same, to be made when somebody looks: for whoever keeps them."""
        return Exclusions(self._explainer, self._ids, self._left)

    def reasons(self) -> list[Reason]:
        """The first reason of each, in their order, without explaining any."""
        return [reason for _, reason, _ in self._places()]

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
        return hash(tuple(each.id for each in self._all()))

    def __repr__(self) -> str:
        return repr(self._all())

    def _places(self) -> list[tuple[int, Reason, str]]:
        if self._found is None:
            self._found = self._left()
        return self._found

    def _all(self) -> tuple[Exclusion, ...]:
        if self._made is None:
            left = self._places()
            explanations = self._explainer.explain([place for place, _, _ in left])
            self._made = tuple(
                Exclusion(id=self._ids[place], reason=reason, explanation=why, detail=detail)
                for (place, reason, detail), why in zip(left, explanations, strict=True)
            )
        return self._made


def _finite(value: float) -> float | None:
    """None for what is not a finite number: no vector, or never."""
    return value if math.isfinite(value) else None
