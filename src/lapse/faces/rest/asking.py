"""What is asked: the request as it came, who was let in with it, and what it was read as.

Decides what this face has its own way for: where a bank is named, how a preview is confirmed, how a
page is gone on from. Refuses to act (`service`).
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from lapse.engine.erasing import Erasure
from lapse.engine.erasing_widely import WideErasure
from lapse.errors import AccessError, ValidationError, fault, raise_all
from lapse.faces.access import Caller
from lapse.faces.operations import Effect, Operation
from lapse.faces.operations.bank_calls import Banks
from lapse.faces.operations.copy_requests import ExportRequest, ImportRequest
from lapse.faces.operations.erasure_calls import Tombstones
from lapse.faces.rest.consenting import Consent
from lapse.faces.rest.reading import CURSOR, fields_offered, pages
from lapse.faces.rest.routes import Route, is_placed, takes_two_calls
from lapse.model.memory import BankRef
from lapse.model.paging import Page
from lapse.model.policy_server import ServerPolicy
from lapse.model.selector import Reach

_ANOTHER_BANK: Final = "to_bank"
_REACH: Final = "reach"
"""Field that says whether one bank is meant or all of the tenant's."""
"""Field that names a second bank of the same tenant."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One request.

    Attributes:
        path: What stands in the braces of the route's path.
        query: Names and values, in order.
        headers: By name in lower case.
        address: Where it comes from.
        request_id: What it is called in logs and problems.
        body: Its body, once it was read.
    """

    path: Mapping[str, str]
    query: Sequence[tuple[str, str]]
    headers: Mapping[str, str]
    address: str
    request_id: str
    body: bytes = b""


@dataclass(frozen=True, slots=True, kw_only=True)
class Guest:
    """Who was let in, and what the bank they ask about takes.

    Attributes:
        caller: Who.
        limits: Of the bank's policy.
        tenant, bank: The bank; empty where none is asked about.
    """

    caller: Caller
    limits: ServerPolicy
    tenant: str = ""
    bank: str = ""

    @property
    def place(self) -> str:
        """One text for tenant and bank, whatever is in their names."""
        return place_of(self.tenant, self.bank)

    @property
    def ref(self) -> BankRef:
        """The bank; where a tenant is asked about, one of it that stands for all."""
        return BankRef(tenant=self.tenant, name=self.bank or "*")

    @property
    def who(self) -> str:
        """The key that was shown, or empty."""
        return self.caller.key_id


def place_of(tenant: str, bank: str) -> str:
    """One text for tenant and bank, whatever is in their names."""
    return json.dumps([tenant, bank])


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """A request that was read: what is to be done, and how it should be answered."""

    route: Route
    request: object
    given: Mapping[str, object]
    consent: Consent = field(default_factory=Consent)
    prefer: frozenset[str] = field(default_factory=frozenset)


@dataclass(frozen=True, slots=True, kw_only=True)
class CopyWish:
    """A request for a whole bank that was read: who wants it out or in, and why."""

    by: str
    reason: str
    prefer: frozenset[str]


def read_copy_wish(
    operation: Operation, given: Mapping[str, object], prefer: frozenset[str]
) -> CopyWish:
    """Read by whom and why a bank is exported or imported.

    Raises:
        ValidationError: Other fields, or none of those texts.
    """
    request = operation.read(given)
    assert isinstance(request, ExportRequest | ImportRequest)  # noqa: S101 - these two alone copy
    return CopyWish(by=request.by, reason=request.reason, prefer=prefer)


def bearer(header: str | None) -> str | None:
    """The key in an Authorization header, or None."""
    kind, _, written = (header or "").partition(" ")
    return written.strip() if kind.lower() == "bearer" else None


def preferences(header: str) -> frozenset[str]:
    """What a Prefer header asks for, without parameters."""
    return frozenset(each.partition(";")[0].strip().lower() for each in header.split(","))


def joined(body: dict[str, object], query: dict[str, object]) -> dict[str, object]:
    """Fields of body and query.

    Raises:
        ValidationError: A field stands in both.
    """
    raise_all(fault(name, "…", "stands in body and query") for name in body if name in query)
    return body | query


def placed(route: Route, guest: Guest) -> dict[str, object]:
    """The fields that the path says: whose bank, or whose banks."""
    known: dict[str, object] = {"tenant": guest.tenant, "banks": [guest.bank]}
    return {
        each.name: known[each.name]
        for each in route.operation.fields
        if is_placed(route.operation, each)
    }


def check_elsewhere(route: Route, given: Mapping[str, object], guest: Guest) -> None:
    """Refuse to reach another bank that the key does not open, as if it were not there.

    Raises:
        NotFoundError: It does not open one that is named.
        AccessError: All banks of the tenant are meant, and it opens some of them alone.
    """
    other = given.get(_ANOTHER_BANK)
    if other is not None:
        guest.caller.check_reach(guest.tenant, str(other))
    whole = given.get(_REACH) not in (None, Reach.BANK)
    if whole and not guest.caller.grant.reaches(guest.tenant, None):
        raise AccessError("this reaches all of the tenant's banks, and the key opens some alone")
    if guest.bank or route.operation.effect is not Effect.DESTRUCTIVE:
        return
    named = given.get("banks") or []
    if not named and not guest.caller.grant.reaches(guest.tenant, None):
        raise AccessError("this reaches all of the tenant's banks: name those that the key opens")
    for each in [named] if isinstance(named, str) or not isinstance(named, Iterable) else named:
        guest.caller.check_reach(guest.tenant, str(each))


def ended_by(result: object, guest: Guest) -> set[str]:
    """The places of which no earlier answer may tell after an operation that ends something."""
    ended = {guest.place}
    if isinstance(result, Erasure):
        ended |= {place_of(each.ref.tenant, each.ref.name) for each in result.copies}
    if isinstance(result, WideErasure):
        ended |= {place_of(guest.tenant, each.bank) for each in result.banks}
    return ended


def listed(page: object) -> tuple[Sequence[object], int | None]:
    """What a page lists, and where the next one begins; what is no page lists itself."""
    match page:
        case Page():
            return page.records, page.next_after
        case Tombstones():
            return page.tombstones, page.next_after
        case _:
            return (page,), None


def within_reach(result: object, guest: Guest) -> object:
    """A result without the names of banks that the key does not open."""
    if not isinstance(result, Banks):
        return result
    opened = guest.caller.grant.reaches
    return replace(
        result, banks=tuple(each for each in result.banks if opened(result.tenant, each))
    )


def check_offered(route: Route, given: Mapping[str, object], guest: Guest) -> None:
    """Refuse fields that this face has another way for.

    Raises:
        ValidationError: All of them at once.
    """
    faults = [
        fault(each.name, "…", "the path says it; leave it out")
        for each in route.operation.fields
        if each.name in given
        and (is_placed(route.operation, each) or each.name in route.fields_in_path)
    ]
    known = {each.name for each in route.operation.fields} | ({CURSOR} if pages(route) else set())
    offered = [each.name for each in fields_offered(route)] + ([CURSOR] if pages(route) else [])
    faults += [
        fault(name, "…", f"unknown field; known are {', '.join(offered)}")
        for name in given
        if name not in known
    ]
    if takes_two_calls(route.operation) and "yes" in given:
        faults.append(fault("yes", "…", "confirm with the preview's id instead"))
    if pages(route) and "after" in given:
        faults.append(fault("after", "…", "give cursor, the next_cursor of the page before"))
    limit, most = given.get("limit"), guest.limits.max_page
    if pages(route) and isinstance(limit, int) and limit > most:
        faults.append(fault("limit", limit, f"may be {most} at most (server.max_page)"))
    if faults:
        raise ValidationError(faults)
