"""Rows of the table. Correcting: what is no longer so, what never was, and what nobody decided.

Decides what is said of them. Refuses to do them (`truth_calls`).
"""

from lapse.errors import ConflictError, NotFoundError, ValidationError
from lapse.faces.operations.operation import Effect, Example, Operation, Permission
from lapse.faces.operations.truth_requests import (
    AsOfRequest,
    ConflictsRequest,
    DecideRequest,
    RetractRequest,
    SupersedeRequest,
    UnretractRequest,
    UnsupersedeRequest,
)

EXAMPLE_CONFLICT = "8d1b9c40"
"""Stands in examples for the id of a listed conflict."""

CORRECTING: tuple[Operation, ...] = (
    Operation(
        name="supersede",
        summary="Tell something that takes the place of what was told before.",
        details=(
            "What is replaced stays stored, closed where the new begins, and keeps its strength. "
            "Of a compound memory only the clause that changed is replaced. What is older than "
            "what it names takes its place in the past. Taken back exactly by unsupersede."
        ),
        request=SupersedeRequest,
        effect=Effect.WRITE,
        permission=Permission.WRITE,
        errors=(NotFoundError, ConflictError, ValidationError),
        examples=(
            Example(
                says="Another drink, by the memory's id",
                given={"new": "She drinks coffee now", "old": ["tea"], "id": "coffee"},
            ),
            Example(
                says="Found by what it is about",
                given={"new": "Lunch was soup", "query": "what lunch was", "id": "soup"},
            ),
        ),
    ),
    Operation(
        name="unsupersede",
        summary="Take back that a memory was replaced: it stands exactly as before.",
        details=(
            "What replaced it goes if it was told by supersede or holds the same key; a memory "
            "that stood for itself stays."
        ),
        request=UnsupersedeRequest,
        effect=Effect.WRITE,
        permission=Permission.WRITE,
        errors=(NotFoundError, ConflictError, ValidationError),
        examples=(Example(says="The name she had first", given={"id": "smith"}),),
    ),
    Operation(
        name="retract",
        summary="Hold that memories were never so; nothing is asserted in their place.",
        details=(
            "What they had replaced holds again, and what was made from them alone goes with "
            "them. Told again, a retracted memory stays away and is listed by conflicts."
        ),
        request=RetractRequest,
        effect=Effect.WRITE,
        permission=Permission.WRITE,
        errors=(NotFoundError, ValidationError),
        examples=(
            Example(says="It was a joke", given={"ids": ["lunch"], "reason": "it was a joke"}),
        ),
    ),
    Operation(
        name="unretract",
        summary="Hold that retracted memories are so after all.",
        details="They stand exactly as before, and so does all that was taken along.",
        request=UnretractRequest,
        effect=Effect.WRITE,
        permission=Permission.WRITE,
        errors=(NotFoundError, ValidationError),
        examples=(Example(says="It was none", given={"ids": ["lunch"]}),),
    ),
    Operation(
        name="as_of",
        summary="What held, and what was known, at an earlier time.",
        details=(
            "Content, validity and attention as they were. Several memories: those that were there "
            "and held. Questions to an earlier time are asked with recall."
        ),
        request=AsOfRequest,
        effect=Effect.READ,
        permission=Permission.READ,
        errors=(NotFoundError, ValidationError),
        examples=(
            Example(
                says="What was known of the name on its first day",
                given={"id": "smith", "recorded": "2026-03-01T09:00:00Z"},
            ),
            Example(says="What holds today", given={"valid": "2026-03-02T09:00:00Z"}),
        ),
    ),
    Operation(
        name="conflicts",
        summary="What nobody has decided: doubtful replacements, and what was told again in vain.",
        details=(
            "Nothing listed here was acted on. Each names the memory it is about and those it "
            "bears on; accept does what it proposes, dismiss decides against it for good."
        ),
        request=ConflictsRequest,
        effect=Effect.READ,
        permission=Permission.READ,
        errors=(ValidationError,),
        examples=(Example(says="What waits", given={}),),
    ),
    Operation(
        name="accept",
        summary="Do what a listed conflict proposes.",
        details=(
            "A doubtful replacement takes place; what was told again holds again; what was put "
            "out of mind comes back."
        ),
        request=DecideRequest,
        effect=Effect.WRITE,
        permission=Permission.WRITE,
        errors=(NotFoundError, ConflictError, ValidationError),
        examples=(Example(says="It is so again", given={"id": EXAMPLE_CONFLICT, "by": "alice"}),),
    ),
    Operation(
        name="dismiss",
        summary="Decide against a listed conflict; it does not come up again.",
        details="Nothing changes but that it is no longer open.",
        request=DecideRequest,
        effect=Effect.WRITE,
        permission=Permission.WRITE,
        errors=(NotFoundError, ConflictError, ValidationError),
        examples=(
            Example(says="An old transcript", given={"id": EXAMPLE_CONFLICT, "by": "alice"}),
        ),
    ),
)
