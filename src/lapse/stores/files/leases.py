"""Who of several workers does what, as a file says it.

Decides the form of that file. Refuses to say whose a lease is.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from lapse.model.instants import Instant
from lapse.model.memory import BankRef
from lapse.stores.files.documents import document, read
from lapse.stores.files.forms import plain_of, read_form

LEASES: Final = "leases.json"
"""The file."""

Leases = dict[tuple[BankRef, str], tuple[str, Instant]]
"""Holder and end, by bank and name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Lease:
    ref: BankRef
    name: str
    holder: str
    until: Instant


@dataclass(frozen=True, slots=True, kw_only=True)
class _Leases:
    leases: tuple[_Lease, ...]


def lease_text(leases: Mapping[tuple[BankRef, str], tuple[str, Instant]]) -> str:
    """Write the file."""
    found = (
        _Lease(ref=ref, name=name, holder=holder, until=until)
        for (ref, name), (holder, until) in leases.items()
    )
    return document(plain_of(_Leases(leases=tuple(found))))


def read_leases(text: str) -> Leases:
    """Read the file.

    Raises:
        DamagedError: It is not as it was written.
        ValidationError: It holds another form.
    """
    found = read_form(_Leases, read(text)).leases
    return {(each.ref, each.name): (each.holder, each.until) for each in found}
