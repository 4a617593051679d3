"""Call of consolidating.

Decides how the request becomes a call. Refuses every rule.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from lapse.bank import Bank
from lapse.faces.operations.consolidation_requests import ConsolidateRequest
from lapse.faces.operations.results import Consolidations


def consolidate(bank: Bank, request: ConsolidateRequest) -> Consolidations:
    """Derive memories from sessions."""
    return Consolidations(sessions=tuple(bank.consolidate(request.session, by=request.by)))


CONSOLIDATION_CALLS: Mapping[str, Callable[..., object]] = MappingProxyType(
    {"consolidate": consolidate}
)
"""The function of this operation, by its name in the table."""
