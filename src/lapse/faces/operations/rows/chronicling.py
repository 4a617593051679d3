"""Rows of the table. Chronicling: the journal, checked or told as one memory's life.

Decides what is said of them. Refuses to do them (`chronicle_calls`).
"""

from lapse.errors import NotFoundError
from lapse.faces.operations.operation import Effect, Example, Operation, Permission
from lapse.faces.operations.requests import GetRequest, NothingRequest

CHRONICLING: tuple[Operation, ...] = (
    Operation(
        name="history",
        summary="What a memory lived through, with who did it and why.",
        details="Told, changed, used, put away, brought back; from the journal and the use log.",
        request=GetRequest,
        effect=Effect.READ,
        permission=Permission.AUDIT,
        errors=(NotFoundError,),
        examples=(Example(says="One memory's life", given={"id": "tea"}),),
    ),
    Operation(
        name="verify_journal",
        summary="Whether a bank's journal is whole.",
        details=(
            "Walks along the chain from its beginning and names the first entry that was changed, "
            "left out or moved. Note the head it gives elsewhere to tell later that nothing before "
            "it was rewritten."
        ),
        request=NothingRequest,
        effect=Effect.READ,
        permission=Permission.AUDIT,
        errors=(),
        examples=(Example(says="Check it", given={}),),
    ),
    Operation(
        name="access_log",
        summary="What happened to which memory and when, for the lab: no text.",
        details=(
            "Created, used, rejected, superseded, suppressed, restored; and returned, with "
            "reinforcement.access_log on. What is gone for good is not in it. `lapse lab` reads it "
            "by itself; written with --json, its entries can be taken elsewhere."
        ),
        request=NothingRequest,
        effect=Effect.READ,
        permission=Permission.READ,
        errors=(),
        examples=(Example(says="All of it", given={}),),
    ),
)
