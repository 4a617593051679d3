"""When a sum of fading traces falls to a level.

Decides one thing: the age at which the logarithm of the trace sum equals a given value. Refuses to
know what the value means. There is no closed form, so a Newton step in the logarithm of age is
taken inside a bracket that always holds the answer, for all rows at once.
"""

import math

import numpy as np

from lapse.laws.strength import HORIZON_DAYS, TRACE_BLOCK, FloatArray, StrengthColumns, blocks
from lapse.laws.traces import TraceSum

_HORIZON_S = HORIZON_DAYS * 86_400
_STEPS = 100
_MICROSECOND_S = 1e-6
_TOLERANCE = 1e-10
_LEAST_TRACE = 1e-300
_LEAST_SLOPE = -1e-9
_LONGEST_STEP = 50.0


def seconds_until(sums: TraceSum, columns: StrengthColumns, target: FloatArray) -> FloatArray:
    """Seconds from the alignment of the traces until the logarithm of their sum falls to `target`.

    Args:
        sums: The sum in question.
        columns: n memories.
        target: Shape (n,), in nats; may be infinite.

    Returns:
        Shape (n,). 0 where the sum starts at or below the target; inf where it is still above it
        after 100 years. Otherwise right to a microsecond or 10 digits, whichever is coarser.
    """
    answer = np.empty(len(columns))
    for rows in blocks(len(columns), TRACE_BLOCK):
        answer[rows] = _solve(sums, columns.traces[:, rows], columns.decay[rows], target[rows])
    return answer


def _solve(sums: TraceSum, traces: FloatArray, decay: FloatArray, target: FloatArray) -> FloatArray:
    count = len(target)
    at_start = sums.log_sum_after(np.zeros(count), traces, decay)
    at_end = sums.log_sum_after(np.full(count, _HORIZON_S), traces, decay)
    answer = np.where(at_start <= target, 0.0, np.inf)
    open_rows = np.flatnonzero((at_start > target) & (at_end <= target))
    if open_rows.size:
        inside = np.ascontiguousarray(traces[:, open_rows])
        answer[open_rows] = _bracketed(sums, inside, decay[open_rows], target[open_rows])
    return answer


def _bracketed(
    sums: TraceSum, traces: FloatArray, decay: FloatArray, target: FloatArray
) -> FloatArray:
    """Newton in ln(age), held inside (low, high].

    Where a step leaves the bracket or is not half of the one before, the bracket is bisected:
    below the floor the sum hardly falls, and Newton would go in circles. A row that has its answer
    is taken out, so that no answer depends on the rows beside it.
    """
    answer = np.full(len(target), _HORIZON_S)
    rows = np.arange(len(target))
    low, high = np.zeros(len(target)), answer.copy()
    guess = _as_one_access(traces, decay, target)
    stride = np.full(len(target), np.inf)
    for _ in range(_STEPS):
        level, slope = sums.log_sum_and_slope(guess, traces, decay)
        miss = level - target
        above = miss > 0
        np.copyto(low, guess, where=above)
        np.copyto(high, guess, where=~above)
        step = np.clip(-miss / np.minimum(slope, _LEAST_SLOPE), -_LONGEST_STEP, _LONGEST_STEP)
        newton = guess * np.exp(step)
        settled = np.abs(step) * guess <= np.maximum(_TOLERANCE * guess, _MICROSECOND_S)
        inside = (newton > low) & (newton < high) & (np.abs(step) <= stride / 2)
        proposal = np.where(inside | settled, newton, _middle(low, high))
        settled |= high - low <= _MICROSECOND_S
        stride = np.abs(np.log(proposal / guess))
        answer[rows] = proposal
        going = np.flatnonzero(~settled)
        if not going.size:
            break
        rows, guess, stride = rows[going], proposal[going], stride[going]
        low, high = low[going], high[going]
        traces, decay, target = np.take(traces, going, axis=1), decay[going], target[going]
    return answer


def _as_one_access(traces: FloatArray, decay: FloatArray, target: FloatArray) -> FloatArray:
    """Age at which one access as heavy as the slowest trace falls to the target: (E·e^−y)^(1/d)."""
    exponent = (np.log(np.maximum(traces[-1], _LEAST_TRACE)) - target) / decay
    return np.asarray(np.exp(np.clip(exponent, 0.0, math.log(_HORIZON_S / 2))), dtype=np.float64)


def _middle(low: FloatArray, high: FloatArray) -> FloatArray:
    """Middle of the bracket: geometric, because ages span ten orders of magnitude."""
    return np.where(low > 0, np.sqrt(low) * np.sqrt(high), np.minimum(high / 2, 1.0))
