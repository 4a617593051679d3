"""Calls of the verbs that put memories out of mind, bring them back, or forbid it.

Decides that a request without its yes only looks. Refuses every rule.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import assert_never

from lapse.bank import Bank
from lapse.engine.attending import Moved
from lapse.engine.choosing import Where, read_mode
from lapse.errors import NotFoundError, ValidationError
from lapse.faces.operations.attention_requests import (
    AwayRequest,
    ForgetRequest,
    HoldRequest,
    ReleaseRequest,
    RestoreRequest,
    SearchArchiveRequest,
    StandingRequest,
)
from lapse.faces.operations.requests import NothingRequest
from lapse.faces.operations.results import Holds
from lapse.model.guards import ForgetMode
from lapse.model.hold import Hold
from lapse.model.paging import Page
from lapse.model.query import Recall
from lapse.model.verbs import Verb


def suppress(bank: Bank, request: AwayRequest) -> Moved:
    """Suppress, or show what that would do."""
    return _away(bank, ForgetMode.SUPPRESS, request)


def archive(bank: Bank, request: AwayRequest) -> Moved:
    """Archive, or show what that would do."""
    return _away(bank, ForgetMode.ARCHIVE, request)


def forget(bank: Bank, request: ForgetRequest) -> Moved:
    """Show what forgetting would take; with its yes, do it."""
    return _away(bank, read_mode(request.mode), request)


def restore(bank: Bank, request: RestoreRequest) -> Moved:
    """Bring back."""
    return bank.restore(
        request.ids, by=request.by, reason=request.reason, plan=request.plan, **request.where
    )


def suppressed(bank: Bank, request: StandingRequest) -> Page:
    """A page of what is suppressed."""
    return bank.suppressed(after=request.after, limit=request.limit)


def archived(bank: Bank, request: StandingRequest) -> Page:
    """A page of what is archived."""
    return bank.archived(after=request.after, limit=request.limit)


def search_archive(bank: Bank, request: SearchArchiveRequest) -> Recall:
    """Search the archive."""
    return bank.search_archive(
        request.query,
        kinds=request.kinds,
        session=request.session,
        subject=request.subject,
        tags=request.tags,
        metadata=request.metadata,
        **request.overrides,
    )


def hold(bank: Bank, request: HoldRequest) -> Hold:
    """Place a hold."""
    return bank.hold(request.name, by=request.by, reason=request.reason, **request.covered)


def release(bank: Bank, request: ReleaseRequest) -> Hold:
    """End a hold."""
    return bank.release(request.name, by=request.by, reason=request.reason)


def holds(bank: Bank, request: NothingRequest) -> Holds:  # noqa: ARG001 - it asks nothing
    """List the holds."""
    return Holds(holds=tuple(bank.holds()))


ATTENTION_CALLS: Mapping[str, Callable[..., object]] = MappingProxyType(
    {
        "suppress": suppress,
        "archive": archive,
        "forget": forget,
        "restore": restore,
        "suppressed": suppressed,
        "archived": archived,
        "search_archive": search_archive,
        "hold": hold,
        "release": release,
        "holds": holds,
    }
)
"""The function of each of these operations, by its name in the table."""


def _away(bank: Bank, mode: ForgetMode, request: AwayRequest | ForgetRequest) -> Moved:
    ids, where = _meant(bank, request)
    if not request.yes:
        return bank.forget(ids, mode=mode, **where)
    by, reason = _named("by", request.by), _named("reason", request.reason)
    second = request.approved_by
    match mode:
        case ForgetMode.SUPPRESS:
            return bank.suppress(ids, by=by, reason=reason, approved_by=second, **where)
        case ForgetMode.ARCHIVE:
            return bank.archive(ids, by=by, reason=reason, approved_by=second, **where)
        case ForgetMode.ERASE:
            done = bank.erase(ids, by=by, reason=reason, approved_by=second, **where)
            gone = (*done.erased, *done.derived)
            return Moved(verb=Verb.ERASE, applied=True, ids=gone, unchanged=done.unchanged)
        case _:
            assert_never(mode)


def _meant(bank: Bank, request: AwayRequest | ForgetRequest) -> tuple[tuple[str, ...], Where]:
    """The ids and marks of a request; a single "id" of several words is a wish in plain words.

    Unless it is the id of a memory.
    """
    ids, where = request.ids, request.where
    if len(ids) != 1 or len(ids[0].split()) < 2 or any(where.values()):
        return ids, where
    try:
        bank.get(ids[0])
    except (NotFoundError, ValidationError):
        return (), {"query": ids[0]}
    return ids, where


def _named(field: str, given: str | None) -> str:
    if given is None:
        raise ValidationError.of(field, given, "is needed to do it, for the journal")
    return given
