"""Rows of the table. Copying: what leaves a bank, comes into one, and goes with its copies.

Decides what is said of them. Refuses to do them (`copy_calls`).
"""

from typing import Final

from lapse.errors import (
    ConflictError,
    GuardedError,
    KeyMissingError,
    NotFoundError,
    PolicyError,
    TombstonedError,
    ValidationError,
)
from lapse.faces.operations.copy_requests import (
    EraseEverywhereRequest,
    ExportRequest,
    ImportRequest,
    ShareRequest,
)
from lapse.faces.operations.operation import (
    Effect,
    Example,
    Operation,
    Permission,
    Presence,
    Subject,
)

EXAMPLE_EXPORT: Final = "alice.jsonl"
"""Stands in an example for a file that `export` wrote."""

COPYING: tuple[Operation, ...] = (
    Operation(
        name="share",
        summary="Copy memories into another bank of the same tenant.",
        details=(
            "A copy is a memory of its own there and goes when its source is erased. Holds on the "
            "source cover it. What the other bank has erased is refused."
        ),
        request=ShareRequest,
        effect=Effect.WRITE,
        permission=Permission.OPERATE,
        errors=(NotFoundError, TombstonedError, ValidationError),
        examples=(
            Example(
                says="With the team",
                given={"ids": ["tea"], "to_bank": "team", "by": "alice", "reason": "they ask"},
            ),
        ),
    ),
    Operation(
        name="export",
        summary="Write a bank to a file: JSON Lines, all of it, of one moment.",
        details=(
            "Memories with states, uses, truth and its history, vectors, policy, journal, holds "
            "and tombstones; no key. On the command line - is standard output."
        ),
        request=ExportRequest,
        effect=Effect.WRITE,
        permission=Permission.OPERATE,
        errors=(NotFoundError, ValidationError),
        examples=(Example(says="To a new file", given={"path": "bank.jsonl"}),),
        reports_progress=True,
    ),
    Operation(
        name="import",
        summary="Take in what export wrote: all of it, or nothing.",
        details=(
            "A bank that is not there yet is taken over whole. Into one that is there, memories "
            "come in beside its own. What was erased stays out, and is named. On the command line "
            "- is standard input."
        ),
        request=ImportRequest,
        effect=Effect.WRITE,
        permission=Permission.OPERATE,
        presence=Presence.MADE,
        errors=(ConflictError, KeyMissingError, PolicyError, ValidationError),
        examples=(Example(says="The same again", given={"path": EXAMPLE_EXPORT}),),
        reports_progress=True,
    ),
    Operation(
        name="erase_everywhere",
        summary="Destroy memories in all of a tenant's banks, in one act with one receipt.",
        details=(
            "A person, or whatever else they have in common; with nothing named, all there is. "
            "Without yes it only shows what it would take. A hold in any of the banks refuses it. "
            "On the command line --bank names the only bank."
        ),
        request=EraseEverywhereRequest,
        effect=Effect.DESTRUCTIVE,
        permission=Permission.OPERATE,
        subject=Subject.STORE,
        errors=(GuardedError, KeyMissingError, NotFoundError, ValidationError),
        examples=(
            Example(says="All about somebody, looked at first", given={"subject": "bob"}),
            Example(
                says="Do it",
                given={"key": "user/drink", "by": "alice", "reason": "asked for", "yes": True},
            ),
        ),
    ),
)
