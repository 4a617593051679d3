"""Rows of the table. Strengthening: evidence of use, and the marks that keep a memory from fading.

Decides what is said of them. Refuses to do them (`calls`).
"""

from lapse.errors import NotFoundError, ValidationError
from lapse.faces.operations.operation import Effect, Example, Operation, Permission
from lapse.faces.operations.requests import (
    ExemptRequest,
    MarkRequest,
    UsedRequest,
    VerifyOutcomeRequest,
)

STRENGTHENING: tuple[Operation, ...] = (
    Operation(
        name="used",
        summary="Report that memories were used: the evidence that makes them stronger.",
        details=(
            "Durable when it returns; folded into strengths off the path. The same report twice "
            "counts once, and a thousand uses on one day count as one. `rejected` is evidence "
            "against."
        ),
        request=UsedRequest,
        effect=Effect.WRITE,
        permission=Permission.WRITE,
        errors=(NotFoundError, ValidationError),
        examples=(
            Example(says="An answer cited it", given={"ids": ["tea"]}),
            Example(
                says="A user said that it is wrong",
                given={"ids": ["lunch"], "source": "rejected", "event_id": "ticket-7"},
            ),
        ),
    ),
    Operation(
        name="pin",
        summary="Keep memories from fading, as a user's wish.",
        details="Pinned memories are as strong as on their first day, and go into an answer first.",
        request=MarkRequest,
        effect=Effect.WRITE,
        permission=Permission.WRITE,
        errors=(NotFoundError, ValidationError),
        examples=(Example(says="Pin one", given={"ids": ["name"], "by": "alice"}),),
    ),
    Operation(
        name="unpin",
        summary="Let pinned memories fade again.",
        details="They go on from the strength that their uses have given them.",
        request=MarkRequest,
        effect=Effect.WRITE,
        permission=Permission.WRITE,
        errors=(NotFoundError, ValidationError),
        examples=(Example(says="Unpin one", given={"ids": ["name"]}),),
    ),
    Operation(
        name="exempt",
        summary="Keep memories from fading for a stated reason.",
        details="The reason null ends the exemption.",
        request=ExemptRequest,
        effect=Effect.WRITE,
        permission=Permission.WRITE,
        errors=(NotFoundError, ValidationError),
        examples=(
            Example(
                says="For a reason that an auditor can read",
                given={"ids": ["name"], "reason": "contract term"},
            ),
            Example(says="End it", given={"ids": ["name"], "reason": None}),
        ),
    ),
    Operation(
        name="verify_outcome",
        summary="Record that what memories say came true: importance 1, and no fading.",
        details="The only thing that raises an importance after it was rated.",
        request=VerifyOutcomeRequest,
        effect=Effect.WRITE,
        permission=Permission.WRITE,
        errors=(NotFoundError, ValidationError),
        examples=(
            Example(
                says="A forecast that held",
                given={"ids": ["tea"], "reason": "she ordered tea again"},
            ),
        ),
    ),
)
