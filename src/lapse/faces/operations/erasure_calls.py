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
    VerifyReceiptRequest,
)
from lapse.model.memory import JsonValue
from lapse.model.receipt import message_of, signature_of
from lapse.model.tombstone import Lift


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
        "lift_tombstone": lift_tombstone,
        "verify_receipt": verify_receipt,
    }
)
"""The function of each of these operations, by its name in the table."""


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
