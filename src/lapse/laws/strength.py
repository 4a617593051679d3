"""What a law is given and gives back: columns of many strengths, or the strength of one memory.

Decides the form of a law's arguments. Refuses to hold a curve, a clock or a memory's content, and
to spare anything: that a pinned memory does not fade is its caller's business.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from lapse.errors import Fault, fault, raise_all
from lapse.model.instants import SECOND, Instant
from lapse.model.memory import Kind
from lapse.model.retention import TRACE_COUNT, Strength, UseSource

FloatArray: TypeAlias = NDArray[np.float64]
IntArray: TypeAlias = NDArray[np.int64]

NEVER: int = int(np.iinfo(np.int64).max)
"""Instant of what does not happen within `HORIZON_DAYS`."""

HORIZON_DAYS = 36_525.0
"""One hundred years: what takes longer is called never."""

MINIMUM_STABILITY_DAYS = 0.001
"""Least stability, so that no number of rejections makes a curve undefined."""

BLOCK = 32_768
"""Rows computed at a time: many enough to call NumPy seldom, few enough for the cache."""

TRACE_BLOCK = 8_192
"""The same where each row has ten intermediate numbers."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class StrengthColumns:
    """What the laws read of n memories, one array per quantity. Instants are integer microseconds.

    Attributes:
        created_at: Shape (n,). First access, or the event's own time where the policy's anchor is
            `event`.
        last_counted_at: Shape (n,). Latest counted use; `created_at` where there is none or where
            it is later (`last_counted`).
        traces_at: Shape (n,). Instant at which the traces are aligned.
        traces: Shape (10, n), one row per time constant; ≥ 0. In any memory order.
        stability_days: Shape (n,), > 0.
        difficulty: Shape (n,), in [1, 10]. Read by no curve, only by FSRS's next review.
        importance: Shape (n,), in [0, 1], with the policy's default already put in.
        decay: Shape (n,). d of the power law, as `effective_decay` gives it.

    Raises:
        ValidationError: The shapes do not belong together. Values are trusted: they come from
            `Strength`, which was validated.
    """

    created_at: IntArray
    last_counted_at: IntArray
    traces_at: IntArray
    traces: FloatArray
    stability_days: FloatArray
    difficulty: FloatArray
    importance: FloatArray
    decay: FloatArray

    def __post_init__(self) -> None:
        raise_all(self._faults())

    def __len__(self) -> int:
        return len(self.created_at)

    def take(self, rows: NDArray[np.intp] | Sequence[int]) -> "StrengthColumns":
        """Columns of the rows given, in that order."""
        index = np.asarray(rows, dtype=np.intp)
        return StrengthColumns(
            created_at=self.created_at[index],
            last_counted_at=self.last_counted_at[index],
            traces_at=self.traces_at[index],
            traces=np.take(self.traces, index, axis=1),
            stability_days=self.stability_days[index],
            difficulty=self.difficulty[index],
            importance=self.importance[index],
            decay=self.decay[index],
        )

    def _faults(self) -> Iterator[Fault]:
        count = len(self.created_at)
        if self.traces.shape != (TRACE_COUNT, count):
            yield fault("traces", self.traces.shape, f"needs the shape ({TRACE_COUNT}, {count})")
        for name in (
            "last_counted_at",
            "traces_at",
            "stability_days",
            "difficulty",
            "importance",
            "decay",
        ):
            shape = getattr(self, name).shape
            if shape != (count,):
                yield fault(name, shape, f"needs the shape ({count},)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """One memory as a row of `StrengthColumns`.

    Attributes:
        created_at: First access, or the event's own time where the policy's anchor is `event`.
        strength: What the laws know of it.
        importance: In [0, 1], with the policy's default already put in.
        decay: d of the power law, as `effective_decay` gives it.
    """

    created_at: Instant
    strength: Strength
    importance: float
    decay: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Seed:
    """What a memory's first strength depends on.

    Attributes:
        kind: Kind of memory.
        derived: Whether it was derived from other memories.
        importance: In [0, 1], with the policy's default already put in.
        confidence: In [0, 1]; belief, never strength: it enters only where importance slows decay.
        proof_count: Independent corroborations, ≥ 1.
        entity_count: Entities it names.
        created_at: Instant from which strength starts.
    """

    created_at: Instant
    kind: Kind = Kind.SEMANTIC
    derived: bool = False
    importance: float = 0.5
    confidence: float = 0.5
    proof_count: int = 1
    entity_count: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class CountedUse:
    """One use that counts, after bucketing.

    Attributes:
        at: When.
        source: What it is evidence of; never `REJECTED`.
        weight: > 0.
    """

    at: Instant
    source: UseSource
    weight: float


def columns_of(held: Sequence[Held]) -> StrengthColumns:
    """Columns of a few memories. Many belong in columns from the start (`lapse.index`)."""
    strengths = [each.strength for each in held]
    traces = np.array([each.traces for each in strengths], dtype=np.float64)
    return StrengthColumns(
        created_at=np.array([each.created_at for each in held], dtype=np.int64),
        last_counted_at=np.array([last_counted(each) for each in held], dtype=np.int64),
        traces_at=np.array([each.traces_at for each in strengths], dtype=np.int64),
        traces=np.ascontiguousarray(traces.reshape(len(held), TRACE_COUNT).T),
        stability_days=np.array([each.stability_days for each in strengths], dtype=np.float64),
        difficulty=np.array([each.difficulty for each in strengths], dtype=np.float64),
        importance=np.array([each.importance for each in held], dtype=np.float64),
        decay=np.array([each.decay for each in held], dtype=np.float64),
    )


def last_counted(held: Held) -> Instant:
    """Latest counted use, or creation where there is none or where it is later."""
    used_at = held.strength.last_counted_at
    return held.created_at if used_at is None else max(used_at, held.created_at)


def elapsed_s(since: IntArray, now: Instant) -> FloatArray:
    """Seconds from each instant to `now`; a future instant counts as age 0."""
    seconds = np.empty(len(since))
    elapsed_microseconds(since, now, seconds)
    seconds *= 1 / SECOND
    return seconds


def elapsed_microseconds(since: IntArray, now: Instant, out: FloatArray) -> None:
    """Write microseconds from each instant to `now` into `out`; a future instant counts as age 0.

    Ages are taken in integers and only then become floats: those of instants are not exact.
    """
    np.subtract(np.int64(now), since, out=out)
    raise_to(0.0, out)


def raise_to(least: float, values: FloatArray) -> None:
    """Raise to `least` what is below it, in place; looking first is cheaper than writing all."""
    if len(values) and values.min() < least:
        np.maximum(values, least, out=values)


def blocks(count: int, size: int = BLOCK) -> Iterator[slice]:
    """Cut `count` rows into slices of at most `size`."""
    for start in range(0, count, size):
        yield slice(start, min(start + size, count))
