"""Request of rating.

Decides the names of the arguments and what they mean.
"""

from dataclasses import dataclass, field

from lapse.faces.operations.fields import asked
from lapse.faces.operations.requests import HOST


@dataclass(frozen=True, slots=True, kw_only=True)
class RateRequest:
    """What to rate."""

    backfill: bool = field(
        default=False,
        metadata=asked("Rate what nobody rated when it was told, too."),
    )
    by: str = field(default=HOST, metadata=asked("Who asks for it, for the journal."))
