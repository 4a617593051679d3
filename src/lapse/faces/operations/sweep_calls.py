"""Calls of sweeping, and of the canaries that watch over it.

Decides how a request becomes a call. Refuses every rule.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from lapse.bank import Bank
from lapse.errors import ValidationError
from lapse.faces.app import Lapse
from lapse.faces.operations.operation import Progress
from lapse.faces.operations.requests import NothingRequest
from lapse.faces.operations.results import Canaries, Sweeps
from lapse.faces.operations.sweep_requests import (
    AddCanaryRequest,
    DropCanaryRequest,
    SweepRequest,
)
from lapse.model.canary import Canary


def sweep(lapse: Lapse, request: SweepRequest, progress: Progress) -> Sweeps:
    """Sweep banks in turn."""
    done = lapse.sweep(
        tenant=request.tenant,
        banks=request.banks,
        limit=request.limit,
        time_budget_s=request.time_budget_s,
        by=request.by,
        progress=progress,
    )
    return Sweeps(sweeps=tuple(done))


def canaries(bank: Bank, request: NothingRequest) -> Canaries:  # noqa: ARG001 - it asks nothing
    """Show the canaries, and ask them."""
    book = bank.canaries
    return Canaries(canaries=tuple(book), check=book.check())


def add_canary(bank: Bank, request: AddCanaryRequest) -> Canary:
    """Keep a question with its answers.

    Raises:
        ValidationError: Neither a question nor a recall is named, or both are.
    """
    if (request.query is None) is (request.recall is None):
        raise ValidationError.of("query", "…", "needs a question or a recall, and not both")
    if request.recall is not None:
        return bank.canaries.capture(
            request.recall, expected_ids=request.expected_ids, by=request.by
        )
    assert request.query is not None  # noqa: S101 - it is one of the two
    return bank.canaries.add(request.query, request.expected_ids, by=request.by)


def drop_canary(bank: Bank, request: DropCanaryRequest) -> Canary:
    """Drop a canary."""
    return bank.canaries.drop(request.canary, by=request.by)


SWEEP_CALLS: Mapping[str, Callable[..., object]] = MappingProxyType(
    {
        "sweep": sweep,
        "canaries": canaries,
        "add_canary": add_canary,
        "drop_canary": drop_canary,
    }
)
"""The function of each of these operations, by its name in the table."""
