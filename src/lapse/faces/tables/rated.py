"""What a round of rating did, for people.

Decides how it reads. Refuses to judge.
"""

from collections.abc import Iterator

from rich.console import RenderableType

from lapse.faces.tables.shapes import pairs
from lapse.model.rating import RatingRun


def parts_of(result: RatingRun) -> Iterator[RenderableType]:
    """One fact a line."""
    yield pairs(
        [
            ("rated that nobody had rated", str(result.given)),
            ("rated by the model", str(result.by_model)),
            ("left as the heuristic rated", str(result.fallbacks)),
            ("waiting for the model", str(result.waiting)),
            ("questions asked", str(result.asked)),
            ("questions not answered", str(result.failed)),
        ]
    )
