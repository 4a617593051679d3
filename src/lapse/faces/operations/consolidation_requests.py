"""Request of consolidating.

Decides the names of the arguments and what they mean.
"""

from dataclasses import dataclass, field

from lapse.faces.operations.fields import From, asked
from lapse.faces.operations.requests import HOST


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsolidateRequest:
    """What to consolidate."""

    session: str | None = field(
        default=None,
        metadata=asked(
            "Only this session, however little it has gathered; all that are due if left out.",
            source=From.POSITION,
        ),
    )
    by: str = field(default=HOST, metadata=asked("Who asks for it, for the journal."))
