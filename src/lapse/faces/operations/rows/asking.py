"""Rows of the table. Asking: what comes to mind, why, and what is stored.

Decides what is said of them. Refuses to do them (`calls`).
"""

from lapse.errors import NotFoundError, PolicyError, ValidationError
from lapse.faces.operations.operation import Effect, Example, Operation, Permission, Presence
from lapse.faces.operations.requests import (
    GetRequest,
    ListRequest,
    RankRequest,
    RecallRequest,
    WhyRequest,
)
from lapse.faces.operations.selection_requests import SelectRequest

ASKING: tuple[Operation, ...] = (
    Operation(
        name="recall",
        summary="What comes to mind for a question, what does not, and why.",
        details=(
            "Relevance leads, forgetting bends the order by a bounded factor. Everything that was "
            "left out has one reason. Looking counts as no use: report what was used with `used`."
        ),
        request=RecallRequest,
        effect=Effect.READ,
        permission=Permission.READ,
        errors=(ValidationError, PolicyError),
        examples=(
            Example(
                says="The three memories that help most, in at most 60 words",
                given={"query": "what should I bring her?", "k": 3, "budget_words": 60},
            ),
            Example(
                says="The same question as if nothing were ever forgotten",
                given={"query": "what does she drink?", "mode": "off"},
            ),
        ),
    ),
    Operation(
        name="rank",
        summary="Order what another store found, by relevance and strength.",
        details=(
            "For Lapse beside an existing memory. Strength is kept under the candidates' own ids "
            "and dated from their own created_at. A bank first made this way observes: it computes "
            "everything and changes no order."
        ),
        request=RankRequest,
        effect=Effect.WRITE,
        permission=Permission.WRITE,
        presence=Presence.MADE,
        errors=(ValidationError, PolicyError),
        examples=(
            Example(
                says="Two candidates of another store",
                given={
                    "candidates": [
                        {
                            "id": "x1",
                            "text": "Retries: three attempts",
                            "created_at": "2026-02-28T09:00Z",
                            "score": 0.81,
                        },
                        {
                            "id": "x2",
                            "text": "Retries: five attempts",
                            "created_at": "2025-11-02T09:00Z",
                            "score": 0.82,
                        },
                    ],
                    "query": "how many retries?",
                },
            ),
            Example(
                says="With the other store's own vectors",
                given={
                    "candidates": [
                        {"id": "x1", "text": "Retries: three attempts", "vector": [0.8, 0.6]},
                        {"id": "x2", "text": "Deploy on Tuesdays", "vector": [-0.6, 0.8]},
                    ],
                    "query": "how many retries?",
                    "query_vector": [1.0, 0.0],
                },
            ),
        ),
    ),
    Operation(
        name="why",
        summary="Why one memory is, or is not, among the answers to a question.",
        details="Answers for any memory of the bank, with the numbers that decided.",
        request=WhyRequest,
        effect=Effect.READ,
        permission=Permission.READ,
        errors=(NotFoundError, ValidationError, PolicyError),
        examples=(
            Example(
                says="Why the lunch does not come to mind",
                given={"query": "what should I bring her?", "id": "lunch"},
            ),
        ),
    ),
    Operation(
        name="get",
        summary="One memory with its state.",
        details="Whatever its lifecycle. Looking changes nothing.",
        request=GetRequest,
        effect=Effect.READ,
        permission=Permission.READ,
        errors=(NotFoundError,),
        examples=(Example(says="By its id", given={"id": "tea"}),),
    ),
    Operation(
        name="list",
        summary="Memories page by page, in the order they were stored.",
        details=(
            "Stable while others write: a page never repeats or skips what was there throughout. "
            "`next_after` is the cursor of the next page, and null on the last."
        ),
        request=ListRequest,
        effect=Effect.READ,
        permission=Permission.READ,
        errors=(ValidationError,),
        examples=(
            Example(
                says="The first two that nothing superseded",
                given={"limit": 2, "latest_only": True},
            ),
        ),
    ),
    Operation(
        name="select",
        summary="Which memories are meant, why each is, and which nearly are.",
        details=(
            "Decided by equality: an identifier finds every way to write it and no neighbour that "
            "shares a prefix, a name counts in its own case, and statements that two names are one "
            "are followed. Whatever suppresses, archives or forgets by a selector takes exactly "
            "these. Looking changes nothing."
        ),
        request=SelectRequest,
        effect=Effect.READ,
        permission=Permission.READ,
        errors=(ValidationError,),
        examples=(
            Example(says="Everything about somebody", given={"query": "everything about Alice"}),
            Example(
                says="What names an address, in any spelling",
                given={"identifier": "alice@acme.io"},
            ),
            Example(says="All claims under a key", given={"key": "user/drink"}),
        ),
    ),
)
