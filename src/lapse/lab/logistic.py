"""Logistic regression by Newton's method: few columns, many rows, no library.

    minimise  −Σ v [y ln p + (1 − y) ln(1 − p)] + ½·ridge·Σ w²,   p = 1/(1 + exp(−Xw))

The last column is taken for the constant and is not held small. Decides the fit. Refuses to know
what the columns mean.

Source: iteratively reweighted least squares (McCullagh & Nelder 1989); Platt (1999) for one column.
"""

import numpy as np
from numpy.typing import NDArray

from lapse.laws import FloatArray
from lapse.laws.calibration import logistic

ROUNDS = 50
CLOSE_ENOUGH = 1e-10


def fit_logistic(
    columns: FloatArray,
    wanted: NDArray[np.bool_],
    ridge: float = 1e-3,
    weights_of_rows: FloatArray | None = None,
) -> FloatArray:
    """Weights of the columns, shape (k,).

    Args:
        columns: Shape (n, k), n ≥ 1; the last is constant.
        wanted: Shape (n,). What is to be predicted; where all or none is, the constant stays finite
            because the number of rounds is bounded.
        ridge: > 0. Keeps the weights finite where a column separates the two.
        weights_of_rows: Shape (n,), > 0: v, how much each row counts; all alike if left out.
    """
    counted = np.ones(len(wanted)) if weights_of_rows is None else weights_of_rows
    held = np.full(columns.shape[1], ridge)
    held[-1] = ridge * 1e-3
    weights: FloatArray = np.zeros(columns.shape[1])
    for _ in range(ROUNDS):
        predicted = logistic(columns @ weights)
        slope = columns.T @ (counted * (predicted - wanted)) + held * weights
        spread = counted * predicted * (1 - predicted)
        curve = (columns.T * spread) @ columns + np.diag(held)
        step = np.linalg.solve(curve, slope)
        # No step so long that one round leaps past where probabilities mean anything.
        step *= min(1.0, 5.0 / max(float(np.abs(step).max()), 1e-300))
        weights = weights - step
        if float(np.abs(step).max()) < CLOSE_ENOUGH:
            break
    return weights
