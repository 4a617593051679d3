"""Rows of the table. Sweeping: what is due leaves the active set, and canaries watch over it.

Decides what is said of them. Refuses to do them (`sweep_calls`).
"""

from lapse.errors import NotFoundError, PolicyError, ValidationError
from lapse.faces.operations.operation import Effect, Example, Operation, Permission, Subject
from lapse.faces.operations.requests import NothingRequest
from lapse.faces.operations.sweep_requests import (
    AddCanaryRequest,
    DropCanaryRequest,
    SweepRequest,
)

SWEEPING: tuple[Operation, ...] = (
    Operation(
        name="sweep",
        summary="Archive what is due, or plan to, bank by bank.",
        details=(
            "Visits only what is due, in order of its date, and only banks in mode lifecycle. "
            "With auto_apply it archives, otherwise the plan awaits approval. Many workers may "
            "sweep at once, and a second sweep at the same instant changes nothing. Suggested: "
            "weekly, nightly above 200 writes a day, in quiet hours."
        ),
        request=SweepRequest,
        effect=Effect.WRITE,
        permission=Permission.OPERATE,
        subject=Subject.STORE,
        errors=(PolicyError, ValidationError),
        examples=(
            Example(says="All that is due", given={}),
            Example(says="For ten seconds", given={"time_budget_s": 10}),
        ),
        reports_progress=True,
    ),
    Operation(
        name="canaries",
        summary="Questions with known answers: which there are, and how they fare now.",
        details=(
            "Sweeps ask them before and after. A loss beyond retention.max_canary_drop stops "
            "auto_apply. Being asked counts as no use."
        ),
        request=NothingRequest,
        effect=Effect.READ,
        permission=Permission.READ,
        errors=(),
        examples=(Example(says="Ask them all", given={}),),
    ),
    Operation(
        name="add_canary",
        summary="Keep a question with the answers it should keep having.",
        details="The same question again takes the place of the earlier one.",
        request=AddCanaryRequest,
        effect=Effect.WRITE,
        permission=Permission.OPERATE,
        errors=(NotFoundError, ValidationError),
        examples=(
            Example(
                says="An answer that must not be lost",
                given={"query": "what does she drink", "expected_ids": ["tea"]},
            ),
            Example(says="Keep what it answers now", given={"query": "tea"}),
        ),
    ),
    Operation(
        name="drop_canary",
        summary="Drop a question with known answers.",
        details="Its memories stay.",
        request=DropCanaryRequest,
        effect=Effect.WRITE,
        permission=Permission.OPERATE,
        errors=(NotFoundError, ValidationError),
        examples=(Example(says="By its question", given={"canary": "who is she"}),),
    ),
)
