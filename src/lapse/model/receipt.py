"""Receipts: what an erasure can prove afterwards, to somebody who has nothing but the receipt.

Decides what a receipt says, what it says of what it does not cover, and the bytes that are signed.
Refuses to hold content, to sign and to verify.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Final

from lapse.errors import ValidationError
from lapse.model.memory import JsonValue

FORMAT: Final = "lapse-receipt-1"
"""Names the form of a receipt, so that another one is not taken for it."""

NOT_COVERED: Final = (
    "copies that left this store: exports, backups, prompts already sent, other systems' records",
    "what other processes hold in RAM until they next read the bank or end",
    "the disk below the file: snapshots, journals of the file system, worn blocks of flash",
    "paraphrases: content told again in other words is not recognised",
    "names of actors, and single words: what was called the same is taken for a name",
)
"""What an erasure does not reach, whatever it did."""

_CANONICAL: Final = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """What one erasure did.

    Attributes:
        tenant, bank: Where.
        at, by: When (ISO 8601, UTC), and who asked for it.
        approved_by: Who else stands for it; empty where nobody was named.
        erased, derived, cut: How many memories were chosen, how many went with them, and how many
            stay without them.
        redacted: How many different texts went that persons had written beside memories and that
            repeated what was erased: reasons, names of holds.
        answers: How many cached answers went, in all banks.
        tombstones: Ids of the tombstones.
        key_id: Name of the key they were made under.
        journal_seq, journal_hash: The journal's head when it was signed (hash in hexadecimal).
        banks: Each bank in which something went, how much, and its journal's head.
        copies: Copies of these banks that had left the store before: exports and backups.
        places: What was searched byte by byte afterwards.
        residue: How many of the sequences looked for were still found; 0 is what is wanted.
        log_emptied, rebuilt: Whether the log of writes is empty, and whether the file was rebuilt.
        not_covered: What it does not reach.
        public_key, signature: Ed25519, in hexadecimal; empty before it is signed.
        format: `FORMAT`.
    """

    tenant: str
    bank: str
    at: str
    by: str
    approved_by: str
    erased: int
    derived: int
    cut: int
    redacted: int
    answers: int
    tombstones: tuple[str, ...]
    key_id: str
    journal_seq: int
    journal_hash: str
    banks: tuple[str, ...]
    copies: tuple[str, ...]
    places: tuple[str, ...]
    residue: int
    log_emptied: bool
    rebuilt: bool
    not_covered: tuple[str, ...] = NOT_COVERED
    public_key: str = ""
    signature: str = ""
    format: str = FORMAT


def told_of(receipt: Receipt) -> dict[str, JsonValue]:
    """The receipt as a JSON object: what is given to whoever asked."""
    return {name: _plain(value) for name, value in asdict(receipt).items()}


def message_of(told: Mapping[str, JsonValue]) -> bytes:
    """The bytes that are signed: everything but the signature itself, in one form."""
    return _CANONICAL.encode(
        {name: value for name, value in told.items() if name != "signature"}
    ).encode("ascii")


def signature_of(told: object) -> tuple[bytes, bytes]:
    """The public key and the signature that a receipt holds.

    Raises:
        ValidationError: It is no receipt of this form.
    """
    if not isinstance(told, Mapping) or told.get("format") != FORMAT:
        raise ValidationError.of(
            "receipt", "…", f"needs what an erasure answers, with format {FORMAT!r}, as JSON"
        )
    found = []
    for name in ("public_key", "signature"):
        value = told.get(name)
        try:
            found.append(bytes.fromhex(value if isinstance(value, str) else "-"))
        except ValueError:
            raise ValidationError.of(f"receipt.{name}", value, "needs hexadecimal digits") from None
    return found[0], found[1]


def _plain(value: object) -> JsonValue:
    if isinstance(value, tuple):
        return [str(each) for each in value]
    if isinstance(value, bool | int | str):
        return value
    return str(value)
