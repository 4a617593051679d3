"""Row of the table. Rating: how much memories matter that wait for a rating or have none.

Decides what is said of it. Refuses to do it (`rating_calls`).
"""

from lapse.errors import ValidationError
from lapse.faces.operations.operation import Effect, Example, Operation, Permission
from lapse.faces.operations.rating_requests import RateRequest

RATING: tuple[Operation, ...] = (
    Operation(
        name="rate",
        summary="Have the background model rate what waits for it; with backfill, rate all.",
        details=(
            "Where `importance.rater` is `llm`, what is told starts with the heuristic's rating, "
            "and upkeep puts the model's in its place, once; this does it now. With backfill, what "
            "nobody rated when it was told is rated as well, by the heuristic as the bank is now. "
            "Ratings that were settled stay: repeated, it finds nothing to do."
        ),
        request=RateRequest,
        effect=Effect.WRITE,
        permission=Permission.OPERATE,
        errors=(ValidationError,),
        examples=(
            Example(says="What waits for the model", given={}),
            Example(says="What was told while ratings were off", given={"backfill": True}),
        ),
        reports_progress=True,
    ),
)
