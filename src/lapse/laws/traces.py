"""Ten exponential traces: the memory of every use, in constant space.

Decides how a use enters the traces and what sum they stand for. Refuses to say what that sum means
(`activation` does) and which use counts (`lapse.lifecycle.reinforcement` does).

A power-law sum cannot be aged by one factor, an exponential one can. So each memory keeps

    E_q = Σ_j v_j·exp(−t_j/τ_q),   q = 1 … 10

over all its counted uses j, creation included (weight v_j, age t_j at the instant of alignment),
and

    Σ_j v_j·t_j^−d ≈ Σ_q w_q(d)·E_q·exp(−Δ/τ_q)

Δ after the alignment. A use is added in O(1) and exactly, in any order; two memories merge by
adding aligned traces; one state serves every d; no time of use is kept.

Source: the kernel identity is standard (a power law is a mixture of exponentials); golden group
`actr_exponential_traces`.
"""

import math
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from lapse.laws.strength import TRACE_BLOCK, FloatArray, StrengthColumns, blocks, elapsed_s
from lapse.laws.trace_weights import TIME_CONSTANTS_S, weights_for
from lapse.model.instants import SECOND, Instant
from lapse.model.retention import TRACE_COUNT, Strength

IndexArray: TypeAlias = NDArray[np.intp]

SLOWEST_S = TIME_CONSTANTS_S[-1]
"""Time constant that is taken out of the sum, so that its logarithm is finite at any age."""

_RATES: FloatArray = 1 / np.array(TIME_CONSTANTS_S) - 1 / SLOWEST_S
_RATES_DOWN: FloatArray = -_RATES.reshape(TRACE_COUNT, 1)

# exp(−600) is nothing beside the slowest trace; below exp(−708) NumPy is ten times slower or more.
_LEAST_EXPONENT = -600.0
_LEAST_SUM = 1e-300


def told_once() -> tuple[float, ...]:
    """Traces of a memory at the instant of its creation: one access of weight 1."""
    return (1.0,) * TRACE_COUNT


def with_use(strength: Strength, at: Instant, weight: float) -> tuple[tuple[float, ...], Instant]:
    """Traces with one more use in them, and the instant at which they are aligned.

    E_q ← E_q·exp(−Δ/τ_q) + v for a later use; E_q ← E_q + v·exp(−Δ/τ_q) for one earlier than the
    alignment, which stays.

    Args:
        strength: Before the use.
        at: When it was used.
        weight: v ≥ 0.
    """
    gap_s = (at - strength.traces_at) / SECOND
    if gap_s >= 0:
        aged = zip(strength.traces, TIME_CONSTANTS_S, strict=True)
        return tuple(math.exp(-gap_s / tau) * trace + weight for trace, tau in aged), at
    late = zip(strength.traces, TIME_CONSTANTS_S, strict=True)
    return tuple(trace + weight * math.exp(gap_s / tau) for trace, tau in late), strength.traces_at


def scaled(traces: tuple[float, ...], factor: float) -> tuple[float, ...]:
    """Traces of which every past use weighs `factor` of what it did."""
    return tuple(trace * factor for trace in traces)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TraceSum:
    """The sum Σ_j v_j·max(t_j, floor)^−d that the traces stand for.

    Uses younger than the floor cannot be told apart in the traces, so the sum is the least of three
    bounds, each a sum over the uses of a kernel that is at least the floored one and never rises
    with age. That makes it exact (up to the error of the weights) when no use is younger than the
    floor and for a memory told once, at most 12 % high (d 0.5, floor 60 s) for old uses and a fresh
    one; it never rises with age, and one more use never lowers it.

    Attributes:
        decay: d where the rows do not differ.
        age_floor_s: Youngest age a use is given, > 0.
        weights: Shape (10, 1). w_q(d).
        caps: Shape (2, 10, 1). The two bounds beside the weights themselves.
    """

    decay: float
    age_floor_s: float
    weights: FloatArray
    caps: FloatArray

    @classmethod
    def of(cls, decay: float, age_floor_s: float) -> "TraceSum":
        """Prepare the sum for one d and one floor."""
        weights = weights_for(np.array([decay]))
        caps = _caps(weights, age_floor_s)
        return cls(decay=decay, age_floor_s=age_floor_s, weights=weights, caps=caps)

    def log_sum(self, columns: StrengthColumns, now: Instant) -> FloatArray:
        """Logarithm of the sum for every row, in nats.

        Args:
            columns: n memories.
            now: Instant at which they are judged; one before the alignment counts as age 0.

        Returns:
            Shape (n,). Finite at every age; ages are in seconds.
        """
        if len(columns) <= TRACE_BLOCK:
            elapsed = elapsed_s(columns.traces_at, now)
            return self.log_sum_after(elapsed, columns.traces, columns.decay)
        total = np.empty(len(columns))
        for rows in blocks(len(columns), TRACE_BLOCK):
            elapsed = elapsed_s(columns.traces_at[rows], now)
            total[rows] = self.log_sum_after(elapsed, columns.traces[:, rows], columns.decay[rows])
        return total

    def log_sum_after(
        self, elapsed: FloatArray, traces: FloatArray, decay: FloatArray
    ) -> FloatArray:
        """Logarithm of the sum, `elapsed` seconds after the alignment.

        Args:
            elapsed: Shape (n,), ≥ 0.
            traces: Shape (10, n).
            decay: Shape (n,).
        """
        aged = _aged(elapsed, traces)
        weights = self._weights(decay)
        young = np.flatnonzero(elapsed < self.age_floor_s)
        capped = self._capped(aged, weights, young) if young.size else None
        aged *= weights
        return _log_of(_summed(aged), elapsed, young, capped)

    def log_sum_and_slope(
        self, elapsed: FloatArray, traces: FloatArray, decay: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """Logarithm of the sum, and its derivative by ln(elapsed) as if there were no floor.

        Args:
            elapsed: Shape (n,), > 0.
            traces: Shape (10, n).
            decay: Shape (n,).

        Returns:
            Two arrays of shape (n,); the second is ≤ 0.
        """
        aged = _aged(elapsed, traces)
        weights = self._weights(decay)
        young = np.flatnonzero(elapsed < self.age_floor_s)
        capped = self._capped(aged, weights, young) if young.size else None
        aged *= weights
        total = _summed(aged)
        aged *= _RATES_DOWN
        slope = _summed(aged)
        with np.errstate(over="ignore"):  # only traces that nobody counted are so large
            slope /= np.maximum(total, _LEAST_SUM)
            slope -= 1 / SLOWEST_S
            slope *= elapsed
        return _log_of(total, elapsed, young, capped), slope

    def _weights(self, decay: FloatArray) -> FloatArray:
        return self.weights if (decay == self.decay).all() else weights_for(decay)

    def _capped(self, aged: FloatArray, weights: FloatArray, young: IndexArray) -> FloatArray:
        if weights is self.weights:
            caps = self.caps
        else:
            caps = _caps(weights[:, young], self.age_floor_s)
        moved, level = caps
        inside = aged[:, young]
        return np.minimum(_summed(moved * inside), _summed(level * inside))


def kernel(age_s: FloatArray, decay: FloatArray, age_floor_s: float) -> FloatArray:
    """One use's part in the sum: the traces' stand-in for max(t, floor)^−d.

    Args:
        age_s: Shape (n,). Ages; below the floor they count as the floor.
        decay: Shape (n,), in [0.2, 0.9].
        age_floor_s: > 0.
    """
    aged = np.outer(1 / np.array(TIME_CONSTANTS_S), -np.maximum(age_s, age_floor_s))
    np.exp(np.maximum(aged, _LEAST_EXPONENT), out=aged)
    aged *= weights_for(decay)
    return _summed(aged)


def _aged(elapsed: FloatArray, traces: FloatArray) -> FloatArray:
    aged = np.multiply(_RATES_DOWN, elapsed)
    np.maximum(aged, _LEAST_EXPONENT, out=aged)
    np.exp(aged, out=aged)
    aged *= traces
    return aged


def _log_of(
    total: FloatArray, elapsed: FloatArray, young: IndexArray, capped: FloatArray | None
) -> FloatArray:
    """Logarithm of the sum, with the caps of young rows and the slowest trace's fall put back."""
    if capped is not None:
        total[young] = np.minimum(total[young], capped)
    np.maximum(total, _LEAST_SUM, out=total)
    np.log(total, out=total)
    total -= elapsed * (1 / SLOWEST_S)
    return total


def _summed(table: FloatArray) -> FloatArray:
    """Sum over the ten traces, always in their order.

    NumPy adds the elements of a single column in another order than those of many, and a memory's
    numbers may not depend, even in the last bit, on the memories beside it.
    """
    if table.shape[1] == 1:
        return _summed(np.repeat(table, 2, axis=1))[:1]
    total: FloatArray = np.add.reduce(table, axis=0)
    return total


def _caps(weights: FloatArray, floor_s: float) -> FloatArray:
    """Two more bounds of the floored sum, as weights of the traces.

    The first moves the weight of every trace that fades within the floor to the next slower one, so
    that the kernel meets the true one at the floor. The second lets every use count as one that has
    just reached the floor. Both kernels equal w(floor) there, lie above the true one beyond it, and
    fall more slowly before it.
    """
    rates = _RATES.reshape(TRACE_COUNT, 1)
    at_floor = np.exp(np.maximum(-rates * floor_s, _LEAST_EXPONENT)) * weights
    first = min(int(np.searchsorted(TIME_CONSTANTS_S, floor_s, side="right")), TRACE_COUNT - 1)
    moved = weights.copy()
    moved[:first] = 0
    moved[first] += _summed(at_floor[:first]) * np.exp(_RATES[first] * floor_s)
    level = np.zeros_like(weights)
    level[-1] = _summed(at_floor)
    return np.stack([moved, level])
