"""Rows of the table. Telling: how memories come into a bank, and are reworded.

Decides what is said of them. Refuses to do them (`calls`).
"""

from lapse.errors import ConflictError, NotFoundError, ValidationError, VersionConflictError
from lapse.faces.operations.operation import Effect, Example, Operation, Permission, Presence
from lapse.faces.operations.requests import (
    IngestRequest,
    RememberManyRequest,
    RememberRequest,
    UpdateRequest,
)

TELLING: tuple[Operation, ...] = (
    Operation(
        name="remember",
        summary="Store one memory, or recognise it as told again.",
        details=(
            "The same text, or the same value under the same key, told again makes no second "
            "row and strengthens the first. Another value under the key supersedes it. The same "
            "id with the same content changes nothing, so a retry is safe."
        ),
        request=RememberRequest,
        effect=Effect.WRITE,
        permission=Permission.WRITE,
        presence=Presence.MADE,
        errors=(ValidationError, ConflictError, NotFoundError),
        examples=(
            Example(
                says="A claim: another value for user/drink would supersede it",
                given={
                    "text": "I have gone over to green tea",
                    "id": "green-tea",
                    "key": "user/drink",
                    "role": "user",
                },
            ),
            Example(
                says="What happened, when it happened, and how much it matters",
                given={
                    "text": "We buried Rex under the apple tree",
                    "id": "rex",
                    "kind": "episodic",
                    "occurred_at": "2026-02-27T15:00Z",
                    "importance": 0.9,
                    "tags": ["family", "loss"],
                    "metadata": {"channel": "phone"},
                },
            ),
        ),
    ),
    Operation(
        name="remember_many",
        summary="Store many memories in order.",
        details=(
            "A transaction for every 1,000. When any of them has a fault, nothing is stored and "
            "every fault is named by its position. An id in conflict and an unknown source are met "
            "later: the transactions before them stand."
        ),
        request=RememberManyRequest,
        effect=Effect.WRITE,
        permission=Permission.WRITE,
        presence=Presence.MADE,
        errors=(ValidationError, ConflictError, NotFoundError),
        examples=(
            Example(
                says="Two memories at once",
                given={
                    "drafts": [
                        {"id": "bike", "text": "The bicycle is in the cellar", "tags": ["home"]},
                        {"id": "allergy", "text": "I am allergic to nuts", "importance": 1.0},
                    ]
                },
            ),
        ),
        reports_progress=True,
    ),
    Operation(
        name="ingest",
        summary="Store a chat log: its messages become memories, in order.",
        details=(
            "Messages are {role, content, at} objects. Nothing is left out: what is not worth "
            "keeping fades."
        ),
        request=IngestRequest,
        effect=Effect.WRITE,
        permission=Permission.WRITE,
        presence=Presence.MADE,
        errors=(ValidationError,),
        examples=(
            Example(
                says="Two messages of one conversation",
                given={
                    "messages": [
                        {
                            "id": "chat-1",
                            "role": "user",
                            "content": "My sister Ana visits on Friday",
                            "at": "2026-03-02T18:30Z",
                        },
                        {
                            "id": "chat-2",
                            "role": "assistant",
                            "content": "Shall I plan a dinner for two?",
                            "at": "2026-03-02T18:31Z",
                        },
                    ],
                    "session": "monday",
                },
            ),
        ),
        reports_progress=True,
    ),
    Operation(
        name="update",
        summary="Write a new content version of a memory.",
        details=(
            "Strength stays as it is, and the versions before stay for questions about the past. A "
            "field given as null is emptied."
        ),
        request=UpdateRequest,
        effect=Effect.WRITE,
        permission=Permission.WRITE,
        errors=(NotFoundError, VersionConflictError, ValidationError),
        examples=(
            Example(
                says="Reword it, if nobody else has since",
                given={"id": "lunch", "text": "Lunch was pasta at Gino's", "if_version": 1},
            ),
            Example(says="Empty a field", given={"id": "tea", "source": None}),
        ),
    ),
)
