"""Calls of the verbs that correct what is held true.

Decides how a request becomes a call of the bank. Refuses every rule.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from lapse.bank import Bank
from lapse.engine.results import Remembered
from lapse.errors import ValidationError
from lapse.faces.operations.results import Conflicts, Pasts, RememberedMany
from lapse.faces.operations.truth_requests import (
    AsOfRequest,
    ConflictsRequest,
    DecideRequest,
    RetractRequest,
    SupersedeRequest,
    UnretractRequest,
    UnsupersedeRequest,
)
from lapse.model.paging import Listing
from lapse.model.proposal import Proposal, ProposalStatus


def supersede(bank: Bank, request: SupersedeRequest) -> Remembered:
    """Tell something that takes the place of another."""
    return bank.supersede(
        new=request.new,
        old=request.old or None,
        key=request.key,
        query=request.query,
        by=request.by,
        reason=request.reason,
        **request.fields,
    )


def unsupersede(bank: Bank, request: UnsupersedeRequest) -> Remembered:
    """Take a supersession back."""
    return bank.unsupersede(request.id, by=request.by, reason=request.reason)


def retract(bank: Bank, request: RetractRequest) -> RememberedMany:
    """Hold that memories were never so."""
    done = bank.retract(request.ids, query=request.query, reason=request.reason, by=request.by)
    return RememberedMany(remembered=tuple(done))


def unretract(bank: Bank, request: UnretractRequest) -> RememberedMany:
    """Hold that memories are so after all."""
    done = bank.unretract(request.ids, by=request.by, reason=request.reason)
    return RememberedMany(remembered=tuple(done))


def as_of(bank: Bank, request: AsOfRequest) -> Pasts:
    """Look at memories as of two times."""
    view = bank.as_of(valid=request.valid, recorded=request.recorded)
    if request.id is not None:
        return Pasts(memories=(view.get(request.id),))
    listing = Listing(after=request.after, limit=request.limit)
    return Pasts(memories=tuple(view.list(listing)))


def conflicts(bank: Bank, request: ConflictsRequest) -> Conflicts:
    """List what nobody has decided.

    Raises:
        ValidationError: There is no such status.
    """
    return Conflicts(conflicts=tuple(bank.conflicts(status=_status(request.status))))


def accept(bank: Bank, request: DecideRequest) -> Proposal:
    """Do what a conflict proposes."""
    return bank.accept(request.id, by=request.by, reason=request.reason)


def dismiss(bank: Bank, request: DecideRequest) -> Proposal:
    """Decide against it."""
    return bank.dismiss(request.id, by=request.by, reason=request.reason)


TRUTH_CALLS: Mapping[str, Callable[..., object]] = MappingProxyType(
    {
        "supersede": supersede,
        "unsupersede": unsupersede,
        "retract": retract,
        "unretract": unretract,
        "as_of": as_of,
        "conflicts": conflicts,
        "accept": accept,
        "dismiss": dismiss,
    }
)
"""The function of each of these operations, by its name in the table."""


def _status(given: str) -> ProposalStatus:
    if given not in set(ProposalStatus):
        problem = f"needs one of {', '.join(ProposalStatus)}"
        raise ValidationError.of("status", given, problem)
    return ProposalStatus(given)
