"""The banks of a tenant: which there are.

Decides what is said of them: their names. Refuses to look into any.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from lapse.faces.app import Lapse
from lapse.faces.operations.requests import BanksRequest


@dataclass(frozen=True, slots=True, kw_only=True)
class Banks:
    """The banks of a tenant, by name; a served store tells of those that the key opens."""

    tenant: str
    banks: tuple[str, ...]


def banks(lapse: Lapse, request: BanksRequest) -> Banks:
    """Name them."""
    return Banks(tenant=request.tenant, banks=tuple(lapse.banks(tenant=request.tenant)))


BANK_CALLS: Mapping[str, Callable[..., object]] = MappingProxyType({"banks": banks})
"""The function of this operation, by its name in the table."""
