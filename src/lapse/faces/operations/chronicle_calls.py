"""Calls of the verbs that read the journal.

Decides nothing. Refuses every rule.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from lapse.bank import Bank
from lapse.engine.chronicle import History, JournalCheck
from lapse.faces.operations.requests import GetRequest, NothingRequest
from lapse.faces.operations.results import AccessLog


def history(bank: Bank, request: GetRequest) -> History:
    """Tell a memory's life."""
    return bank.history(request.id)


def verify_journal(bank: Bank, request: NothingRequest) -> JournalCheck:  # noqa: ARG001 - it asks nothing
    """Check the journal."""
    return bank.verify_journal()


def access_log(bank: Bank, request: NothingRequest) -> AccessLog:  # noqa: ARG001 - it asks nothing
    """Give the access log."""
    return AccessLog(entries=tuple(bank.access_log()))


CHRONICLE_CALLS: Mapping[str, Callable[..., object]] = MappingProxyType(
    {"history": history, "verify_journal": verify_journal, "access_log": access_log}
)
"""The function of each of these operations, by its name in the table."""
