"""What recall is asked, and what it answers, before texts are loaded.

Decides the values that go in and out. Refuses to compute: the other files of this package do.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from lapse.errors import Fault, fault, raise_all
from lapse.model.closing import Closing
from lapse.model.index_delta import Float32Array
from lapse.model.instants import Instant
from lapse.model.query import AsOf, Exclusion, Explanation, Reason, Scope

Stopwatch: TypeAlias = Callable[[], float]
"""Seconds on a clock that only runs forward; recall reads no clock of its own."""

TokenCounts: TypeAlias = Callable[[Sequence[int]], Sequence[int]]
"""Tokens that the texts of these internal numbers cost."""

Rerank: TypeAlias = Callable[[Sequence[int]], Sequence[float]]
"""Scores in [0, 1] of the texts of these internal numbers, for the question at hand."""

Same: TypeAlias = Callable[[int, int], bool]
"""Whether the texts of two internal numbers say the same of the same things."""

Product: TypeAlias = Callable[[Float32Array, Float32Array], Float32Array]
"""The product of a matrix and a vector."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Instruments:
    """What recall may use of the outside.

    Attributes:
        stopwatch: Measures where the time goes.
        token_counts: Needed for a budget of tokens.
        rerank: Takes the place of fused ranks.
        same: Whether two texts that are alike by vector and digest say the same; None trusts those.
        product: Multiplies all of a bank's vectors with the question's.
    """

    stopwatch: Stopwatch
    token_counts: TokenCounts | None = None
    rerank: Rerank | None = None
    same: Same | None = None
    product: Product = np.matmul


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Question:
    """What is asked of a bank.

    Attributes:
        terms: Stemmed terms of the question, in order, with repeats; as the memories' are made.
        text: The question as it was asked; recall itself looks at its terms and vector only.
        classes: Terms of the classes of things asked for (`text.classes`).
        vector: Shape (dimension,), float32, unit length, in the snapshot's space; None when it
            could not be made. All zeros (no known word) counts as None.
        scope: Hard filters.
        as_of: The two times the question is asked at.
        closings: The history of what ended, needed with `as_of.recorded` alone.
        now: The instant that everything is judged at.
        k: Most hits, ≥ 0.
        budget_words: Most words of all hits, ≥ 0, or None.
        budget_tokens: Most tokens of all hits, ≥ 0, or None.
    """

    text: str
    terms: tuple[str, ...]
    vector: NDArray[np.float32] | None
    scope: Scope
    as_of: AsOf
    now: Instant
    k: int
    classes: tuple[str, ...] = ()
    closings: Sequence[Closing] = ()
    budget_words: int | None = None
    budget_tokens: int | None = None

    def __post_init__(self) -> None:
        faults: list[Fault] = []
        for name in ("k", "budget_words", "budget_tokens"):
            value = getattr(self, name)
            if value is not None and (isinstance(value, bool) or value < 0):
                faults.append(fault(name, value, "needs an integer from 0"))
        raise_all(faults)

    @property
    def sought(self) -> tuple[str, ...]:
        """All terms that the text arm looks for: the question's own, and those of its classes."""
        return (*self.terms, *self.classes)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pick:
    """A memory that came to mind.

    Attributes:
        row: Internal number; for an overlay, the place among the candidates.
        id: Its id.
        score: Final ranking number.
        explanation: Why.
        words: Words it takes of the budget.
    """

    row: int
    id: str
    score: float
    explanation: Explanation
    words: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What came to mind and what did not.

    Attributes:
        picks: In order of rank; at most k, within the budgets, no id twice.
        revived: Suppressed memories that a strong cue brought up.
        exclusions: Every other candidate with its first reason, best score first. Made when first
            looked at, so that a recall whose exclusions nobody reads does not pay for them.
        passed_over: For which reasons packing left out what was ranked.
        wait_ms: Milliseconds until the judging began, for whoever had to wait for it.
        find_ms, strength_ms, select_ms: Where the time went.
    """

    picks: tuple[Pick, ...]
    revived: tuple[Pick, ...] = ()
    exclusions: Sequence[Exclusion] = ()
    passed_over: frozenset[Reason] = frozenset()
    wait_ms: float = 0.0
    find_ms: float = 0.0
    strength_ms: float = 0.0
    select_ms: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What became of one memory under a question.

    Attributes:
        explanation: Its numbers.
        reason: Why it is no hit, or None when it is one.
        rank: Its place among the hits, from 1, or None.
        detail: What made the reason apply.
    """

    explanation: Explanation
    reason: Reason | None
    rank: int | None
    detail: str = ""
