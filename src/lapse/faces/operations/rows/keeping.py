"""Rows of the table. Keeping: upkeep of a store, its copies and its health.

Decides what is said of them. Refuses to do them (`calls`).
"""

from lapse.errors import EmbedderError, ValidationError
from lapse.faces.operations.operation import Effect, Example, Operation, Permission, Subject
from lapse.faces.operations.requests import (
    BackupRequest,
    BanksRequest,
    DoctorRequest,
    NothingRequest,
)

KEEPING: tuple[Operation, ...] = (
    Operation(
        name="banks",
        summary="Which banks a tenant has.",
        details="A served store names those that the key opens.",
        request=BanksRequest,
        effect=Effect.READ,
        permission=Permission.SURVEY,
        subject=Subject.STORE,
        errors=(),
        examples=(Example(says="Their names", given={}),),
    ),
    Operation(
        name="drain",
        summary="Do all that waits off the path: fold in uses, date, embed.",
        details="Safe to run any number of times, and by any number of processes.",
        request=NothingRequest,
        effect=Effect.WRITE,
        permission=Permission.OPERATE,
        errors=(),
        examples=(Example(says="Catch up", given={}),),
        reports_progress=True,
    ),
    Operation(
        name="reembed",
        summary="Make every vector anew with the configured embedder.",
        details="Recall goes on meanwhile. Interrupted, it goes on where it stopped.",
        request=NothingRequest,
        effect=Effect.WRITE,
        permission=Permission.OPERATE,
        errors=(EmbedderError,),
        examples=(Example(says="After a change of model", given={}),),
        reports_progress=True,
    ),
    Operation(
        name="backup",
        summary="Write a consistent copy of the whole store while it stays open.",
        details=(
            "All tenants and banks; each one's journal says so. The file must not exist yet; it is "
            "readable by its owner alone."
        ),
        request=BackupRequest,
        effect=Effect.WRITE,
        permission=Permission.OPERATE,
        subject=Subject.STORE,
        errors=(ValidationError,),
        examples=(Example(says="To a new file", given={"path": "copy.db"}),),
    ),
    Operation(
        name="doctor",
        summary="What contradicts something else in a store, and what to do about it.",
        details="Finds nothing when all is well. Changes nothing.",
        request=DoctorRequest,
        effect=Effect.READ,
        permission=Permission.AUDIT,
        subject=Subject.STORE,
        errors=(),
        examples=(Example(says="Every bank of the tenant", given={}),),
    ),
)
