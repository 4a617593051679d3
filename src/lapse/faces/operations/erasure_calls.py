"""Calls of the verbs that destroy for good, allow again, and show what was done.

Decides that a request without its yes only looks, and which file a receipt is read from. Refuses
every rule.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from lapse.bank import Bank
from lapse.engine.erasing import Erasure
from lapse.engine.subject_report import SubjectReport
from lapse.errors import ValidationError
from lapse.faces.keys import verified
from lapse.faces.operations.erasure_requests import (
    EraseRequest,
    LiftRequest,
    SubjectRequest,
    TombstonesRequest,
    VerifyReceiptRequest,
)
from lapse.model.instants import Instant
from lapse.model.memory import BankRef, JsonValue
from lapse.model.paging import PAGE_LIMIT
from lapse.model.receipt import message_of, signature_of
from lapse.model.tombstone import KeptTombstone, Lift, TombstoneScope


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceiptCheck:
    """What a receipt says, and whether it says what was signed.

    Attributes:
        genuine: Whether nothing of it was changed since it was signed.
        public_key: Whose signature it is; compare it with the key of whoever gave the receipt.
        bank: Tenant and bank.
        at, by: When, and who asked.
        erased, derived: How many memories were chosen, and how many went with them.
        residue: How many of the sequences looked for were found afterwards.
        not_covered: What the erasure does not reach.
    """

    genuine: bool
    public_key: str
    bank: str
    at: str
    by: str
    erased: int
    derived: int
    residue: int
    not_covered: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ToldTombstone:
    """A tombstone without its digests, which are of use to the store alone.

    Attributes:
        number: Its place in the order in which tombstones were stored or lifted.
        id: Its name, as a refused write tells it.
        bank: Where the memory was; None where that was another bank of the tenant.
        scope: Where the content may not come back.
        key_id: Name of the key that its digests were made under.
        at, by: When the memory was erased, and who asked for it.
        lift: Who allowed the content again, or None while it is refused.
    """

    number: int
    id: str
    bank: str | None
    scope: TombstoneScope
    key_id: str
    at: Instant
    by: str
    lift: Lift | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Tombstones:
    """One page of tombstones; `next_after` continues, None when this was the last."""

    tombstones: tuple[ToldTombstone, ...]
    next_after: int | None


def erase(bank: Bank, request: EraseRequest) -> Erasure:
    """Show what an erasure would take; with its yes, do it."""
    if not request.yes:
        return bank.preview_erasure(request.ids, **request.where)
    by, reason = _named("by", request.by), _named("reason", request.reason)
    second = request.approved_by
    return bank.erase(request.ids, by=by, reason=reason, approved_by=second, **request.where)


def subject_report(bank: Bank, request: SubjectRequest) -> SubjectReport:
    """Show what is kept of a person."""
    return bank.subject_report(request.subject)


def tombstones(bank: Bank, request: TombstonesRequest) -> Tombstones:
    """Give a page of tombstones.

    Raises:
        ValidationError: A limit of no page.
    """
    if request.limit > PAGE_LIMIT:
        problem = f"needs an integer from 1 to {PAGE_LIMIT}"
        raise ValidationError.of("limit", request.limit, problem)
    found = bank.tombstones(after=request.after, limit=request.limit)
    more = len(found) == request.limit
    return Tombstones(
        tombstones=tuple(_told(each, bank.ref) for each in found),
        next_after=found[-1].number if more else None,
    )


def lift_tombstone(bank: Bank, request: LiftRequest) -> Lift:
    """Allow erased content again."""
    return bank.lift_tombstone(request.id, by=request.by, reason=request.reason)


def verify_receipt(request: VerifyReceiptRequest) -> ReceiptCheck:
    """Hold a receipt against its signature.

    Raises:
        ValidationError: The file cannot be read, or holds no receipt.
    """
    told = _read(Path(request.path))
    public, signature = signature_of(told)
    return ReceiptCheck(
        genuine=verified(public, signature, message_of(told)),
        public_key=public.hex(),
        bank=f"{told.get('tenant')}/{told.get('bank')}",
        at=str(told.get("at")),
        by=str(told.get("by")),
        erased=_count(told, "erased"),
        derived=_count(told, "derived"),
        residue=_count(told, "residue"),
        not_covered=_listed(told, "not_covered"),
    )


ERASURE_CALLS: Mapping[str, Callable[..., object]] = MappingProxyType(
    {
        "erase": erase,
        "subject_report": subject_report,
        "tombstones": tombstones,
        "lift_tombstone": lift_tombstone,
        "verify_receipt": verify_receipt,
    }
)
"""The function of each of these operations, by its name in the table."""


def _told(kept: KeptTombstone, ref: BankRef) -> ToldTombstone:
    stone = kept.tombstone
    return ToldTombstone(
        number=kept.number,
        id=stone.id,
        bank=stone.bank if stone.ref == ref else None,
        scope=stone.scope,
        key_id=stone.key_id,
        at=stone.at,
        by=stone.by,
        lift=stone.lift,
    )


def _read(path: Path) -> Mapping[str, JsonValue]:
    try:
        told: JsonValue = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        problem = f"needs a file that holds a receipt as JSON: {error}"
        raise ValidationError.of("path", str(path), problem) from None
    if not isinstance(told, Mapping):
        return {}
    within = told.get("receipt")  # what `erase --json` gives holds it
    return within if isinstance(within, Mapping) else told


def _count(told: Mapping[str, JsonValue], name: str) -> int:
    value = told.get(name)
    return value if isinstance(value, int) else 0


def _listed(told: Mapping[str, JsonValue], name: str) -> tuple[str, ...]:
    value = told.get(name)
    return tuple(map(str, value)) if isinstance(value, list) else ()


def _named(field: str, given: str | None) -> str:
    if given is None:
        raise ValidationError.of(field, given, "is needed to do it, for the journal")
    return given
