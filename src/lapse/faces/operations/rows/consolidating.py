"""Row of the table. Consolidating: one memory derived from what a session has gathered.

Decides what is said of it. Refuses to do it (`consolidation_calls`).
"""

from lapse.errors import ValidationError
from lapse.faces.operations.consolidation_requests import ConsolidateRequest
from lapse.faces.operations.operation import Effect, Example, Operation, Permission

CONSOLIDATING: tuple[Operation, ...] = (
    Operation(
        name="consolidate",
        summary="Derive one memory from what each session has gathered, with its sources.",
        details=(
            "Upkeep does it by itself where `reflection.enabled` says so and a session has "
            "gathered `reflection.threshold`; this does it now. The host's model writes the "
            "summary where there is one, else it is made of the session's own sentences. What was "
            "read once is not read again, and what was erased is not told again."
        ),
        request=ConsolidateRequest,
        effect=Effect.WRITE,
        permission=Permission.WRITE,
        errors=(ValidationError,),
        examples=(
            Example(says="Whatever is due", given={}),
            Example(says="One session, however little it holds", given={"session": "monday"}),
        ),
    ),
)
