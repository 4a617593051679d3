"""Rows of the table. Attending: what is put out of mind, brought back, or kept for a matter.

Decides what is said of them. Refuses to do them (`attention_calls`).
"""

from lapse.errors import (
    ConflictError,
    GuardedError,
    NotFoundError,
    PlanError,
    PolicyError,
    ValidationError,
)
from lapse.faces.operations.attention_requests import (
    AwayRequest,
    ForgetRequest,
    HoldRequest,
    ReleaseRequest,
    RestoreRequest,
    SearchArchiveRequest,
    StandingRequest,
)
from lapse.faces.operations.operation import Effect, Example, Milder, Operation, Permission
from lapse.faces.operations.requests import NothingRequest

_SPARED = (
    "A hold, a pin, a verified outcome, an exemption or an audit spares a memory; importance, "
    "citations and grace do not, since they guard against choices made by score. Where the policy "
    "asks for two people, approved_by names the second. Without yes it only shows what it would do."
)

ATTENDING: tuple[Operation, ...] = (
    Operation(
        name="suppress",
        summary="Take memories out of recall, kept whole.",
        details=f"restore brings them back exactly. {_SPARED}",
        request=AwayRequest,
        effect=Effect.DESTRUCTIVE,
        permission=Permission.WRITE,
        errors=(GuardedError, NotFoundError, ValidationError),
        examples=(
            Example(says="Look first", given={"ids": ["lunch"]}),
            Example(
                says="Do it",
                given={"ids": ["lunch"], "by": "alice", "reason": "over", "yes": True},
            ),
            Example(says="A whole conversation", given={"session": "monday"}),
        ),
    ),
    Operation(
        name="archive",
        summary="Take memories out of recall and of its index.",
        details=f"search_archive still finds them, and restore brings them back. {_SPARED}",
        request=AwayRequest,
        effect=Effect.DESTRUCTIVE,
        permission=Permission.OPERATE,
        errors=(GuardedError, NotFoundError, ValidationError),
        examples=(
            Example(says="Look first", given={"tag": "trip"}),
            Example(
                says="Do it",
                given={"ids": ["lunch"], "by": "alice", "reason": "old", "yes": True},
            ),
        ),
    ),
    Operation(
        name="forget",
        summary="What forgetting would take, and what is spared; with yes, do it.",
        details=(
            "Forgetting means suppressing, unless another mode is given. Where the policy asks for "
            "two people, approved_by names the second."
        ),
        request=ForgetRequest,
        effect=Effect.DESTRUCTIVE,
        permission=Permission.OPERATE,
        milder=Milder(field="mode", values=frozenset({"suppress"}), permission=Permission.WRITE),
        errors=(GuardedError, NotFoundError, ValidationError),
        examples=(
            Example(says="All about somebody", given={"subject": "bob"}),
            Example(says="What an erasure would take", given={"ids": ["tea"], "mode": "erase"}),
        ),
    ),
    Operation(
        name="restore",
        summary="Undo the last suppression or archiving of memories, exactly.",
        details=(
            "Strength, counts, marks and links are as before, and scores spare what is back for "
            "the grace period. What was archived after being suppressed is suppressed again."
        ),
        request=RestoreRequest,
        effect=Effect.WRITE,
        permission=Permission.WRITE,
        errors=(NotFoundError, PlanError, ValidationError),
        examples=(
            Example(
                says="It was wanted after all",
                given={"ids": ["lunch"], "by": "alice", "reason": "wanted after all"},
            ),
        ),
    ),
    Operation(
        name="suppressed",
        summary="Suppressed memories, page by page, with who put them out of mind and why.",
        details="In the order in which they were stored.",
        request=StandingRequest,
        effect=Effect.READ,
        permission=Permission.READ,
        errors=(ValidationError,),
        examples=(Example(says="The first page", given={}),),
    ),
    Operation(
        name="archived",
        summary="Archived memories, page by page, with who put them away and why.",
        details="In the order in which they were stored.",
        request=StandingRequest,
        effect=Effect.READ,
        permission=Permission.READ,
        errors=(ValidationError,),
        examples=(Example(says="The first page", given={"limit": 20}),),
    ),
    Operation(
        name="search_archive",
        summary="What the archive holds on a question, most relevant first.",
        details=(
            "Validity and expiry hide nothing here, and looking changes nothing. Reads the whole "
            "bank: for a person's search, not for every turn of an agent."
        ),
        request=SearchArchiveRequest,
        effect=Effect.READ,
        permission=Permission.READ,
        errors=(PolicyError, ValidationError),
        examples=(Example(says="Search", given={"query": "what did we eat"}),),
    ),
    Operation(
        name="hold",
        summary="Place a legal hold: what it covers cannot be taken away.",
        details=(
            "On ids, a subject, a key prefix, a tag, a session or everything; it covers what "
            "matches now and what arrives later, and what it has covered stays covered when it is "
            "relabelled. Any number of holds may cover a memory."
        ),
        request=HoldRequest,
        effect=Effect.WRITE,
        permission=Permission.OPERATE,
        errors=(ConflictError, ValidationError),
        examples=(
            Example(
                says="All about a subject",
                given={"name": "case-7", "subject": "bob", "by": "clerk", "reason": "a claim"},
            ),
            Example(
                says="A whole bank",
                given={"name": "audit", "everything": True, "by": "clerk", "reason": "audit"},
            ),
        ),
    ),
    Operation(
        name="release",
        summary="End a hold by its name.",
        details="Other holds go on covering what they cover.",
        request=ReleaseRequest,
        effect=Effect.WRITE,
        permission=Permission.OPERATE,
        errors=(NotFoundError, ValidationError),
        examples=(
            Example(
                says="The matter is closed",
                given={"name": "matter", "by": "clerk", "reason": "closed"},
            ),
        ),
    ),
    Operation(
        name="holds",
        summary="The holds in force, by name.",
        details="With what each is placed on, by whom, when and why.",
        request=NothingRequest,
        effect=Effect.READ,
        permission=Permission.SURVEY,
        errors=(),
        examples=(Example(says="List them", given={}),),
    ),
)
