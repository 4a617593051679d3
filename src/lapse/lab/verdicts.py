"""How well a predictor foresaw the instants of a log that it was not fitted on.

Decides which figures a verdict holds, and that each memory counts for all that it stands for.
Refuses to predict, and to say which verdict is good enough.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from lapse.lab.judging import Needed, auc, binned_error, calibration_error, kept_uses, log_loss
from lapse.lab.replaying import Moment
from lapse.laws import FloatArray

KEPT = 0.2
"""Part of the memories that a predictor may keep."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """How one predictor did on the part of the log that nobody was fitted on.

    Attributes:
        log_loss, rmse_bins, ece: None for what gives an order and no probability.
        auc: Mean over the instants; None for what keeps a part and gives no order.
        hit20: Share of all uses that falls on the best fifth.
    """

    log_loss: float | None
    rmse_bins: float | None
    ece: float | None
    auc: float | None
    hit20: float


def needed_in(part: Sequence[Moment]) -> Needed:
    """Which memories of instants, one after the other, were needed afterwards."""
    return np.concatenate([each.uses > 0 for each in part])


def weights_in(part: Sequence[Moment]) -> FloatArray:
    """For how many each of these stands."""
    return np.concatenate([each.weights for each in part])


def judged_by(part: Sequence[Moment], predict: Callable[[Moment], FloatArray]) -> Verdict:
    """The verdict on what gives each memory of an instant a probability."""
    predictions = [predict(each) for each in part]
    predicted, needed = np.concatenate(predictions), needed_in(part)
    ages = np.concatenate([each.recency_s / 86_400 for each in part])
    counts = np.concatenate([each.counts for each in part])
    order, counted = _order(part, predictions), weights_in(part)
    return replace(
        order,
        log_loss=log_loss(predicted, needed, counted),
        rmse_bins=binned_error(predicted, needed, ages, counts, counted),
        ece=calibration_error(predicted, needed, weights=counted),
    )


def ranked_by(part: Sequence[Moment], rank: Callable[[Moment], FloatArray]) -> Verdict:
    """The verdict on what gives the memories of an instant an order: higher is kept first."""
    return _order(part, [rank(each) for each in part])


def kept_by(part: Sequence[Moment], scores: Sequence[FloatArray]) -> Verdict:
    """The verdict on what keeps some memories of each instant: 1 for these, 0 for others."""
    return replace(_order(part, scores), auc=None)


def _order(part: Sequence[Moment], scores: Sequence[FloatArray]) -> Verdict:
    pairs = list(zip(part, scores, strict=True))
    kept = sum(kept_uses(score, each.uses, KEPT, each.weights) for each, score in pairs)
    uses = sum(float((each.uses * each.weights).sum()) for each in part)
    areas = [auc(score, each.uses > 0, each.weights) for each, score in pairs]
    return Verdict(
        log_loss=None,
        rmse_bins=None,
        ece=None,
        auc=float(np.mean(areas)),
        hit20=kept / uses,
    )
