"""Call of rating.

Decides how the request becomes a call. Refuses every rule.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from lapse.bank import Bank
from lapse.engine.embedding import Progress
from lapse.faces.operations.rating_requests import RateRequest
from lapse.model.rating import RatingRun


def rate(bank: Bank, request: RateRequest, progress: Progress) -> RatingRun:
    """Rate what waits for the model, and on demand what nobody rated."""
    act = bank.backfill_ratings if request.backfill else bank.rate
    return act(by=request.by, progress=progress)


RATING_CALLS: Mapping[str, Callable[..., object]] = MappingProxyType({"rate": rate})
"""The function of this operation, by its name in the table."""
