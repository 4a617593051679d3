"""Rows of the table. Erasing: what is destroyed for good, allowed again, and proved.

Decides what is said of them. Refuses to do them (`erasure_calls`).
"""

from typing import Final

from lapse.errors import GuardedError, KeyMissingError, NotFoundError, ValidationError
from lapse.faces.operations.erasure_requests import (
    EraseRequest,
    LiftRequest,
    SubjectRequest,
    TombstonesRequest,
    VerifyReceiptRequest,
)
from lapse.faces.operations.operation import Effect, Example, Operation, Permission, Subject

EXAMPLE_TOMBSTONE: Final = "0f8fad5bd9cb469fa165"
"""Stands in an example for the id of a tombstone."""

ERASING: tuple[Operation, ...] = (
    Operation(
        name="erase",
        summary="Destroy memories for good, with all that was derived from them alone.",
        details=(
            "Without yes it only shows what it would take. Only a hold refuses it, and a missing "
            "approved_by where the policy asks for two people. A tombstone without content stays "
            "of each: the same, nearly the same, and whatever holds it is refused on every path "
            "that writes. With --json the answer holds a signed receipt."
        ),
        request=EraseRequest,
        effect=Effect.DESTRUCTIVE,
        permission=Permission.OPERATE,
        errors=(GuardedError, KeyMissingError, NotFoundError, ValidationError),
        examples=(
            Example(says="Look first", given={"ids": ["lunch"]}),
            Example(says="All about somebody", given={"subject": "bob"}),
            Example(
                says="Do it",
                given={"ids": ["lunch"], "by": "alice", "reason": "asked for", "yes": True},
            ),
        ),
    ),
    Operation(
        name="subject_report",
        summary="Everything a bank keeps of a person: what erasing them would destroy.",
        details=(
            "Memories of every kind and wherever they stand, what was made of them alone, and what "
            "each said before. Looking changes nothing and counts as no use."
        ),
        request=SubjectRequest,
        effect=Effect.READ,
        permission=Permission.READ,
        errors=(ValidationError,),
        examples=(Example(says="What is kept of Bob", given={"subject": "bob"}),),
    ),
    Operation(
        name="tombstones",
        summary="What was erased: when, by whom, and whether it was allowed again.",
        details=(
            "In the order in which they came or were lifted; nothing of what was erased. Those of "
            "other banks of the tenant, where they hold here too, name no bank."
        ),
        request=TombstonesRequest,
        effect=Effect.READ,
        permission=Permission.AUDIT,
        errors=(ValidationError,),
        examples=(Example(says="The first of them", given={"limit": 10}),),
    ),
    Operation(
        name="lift_tombstone",
        summary="Allow erased content to be told again.",
        details="That it was allowed, by whom and why, stays on record.",
        request=LiftRequest,
        effect=Effect.WRITE,
        permission=Permission.OPERATE,
        errors=(NotFoundError, ValidationError),
        examples=(
            Example(
                says="Erased by mistake",
                given={"id": EXAMPLE_TOMBSTONE, "by": "alice", "reason": "a mistake"},
            ),
        ),
    ),
    Operation(
        name="verify_receipt",
        summary="Whether a receipt says what was signed, without any store.",
        details="It also tells what the erasure does not reach. Compare the public key yourself.",
        request=VerifyReceiptRequest,
        effect=Effect.READ,
        permission=Permission.AUDIT,
        subject=Subject.NOTHING,
        errors=(ValidationError,),
        examples=(Example(says="As it was given", given={"path": "receipt.json"}),),
    ),
)
