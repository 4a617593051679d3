"""Requests of sweeping, and of the canaries that watch over it.

Decides the names of the arguments and what they mean.
"""

from dataclasses import dataclass, field

from lapse.faces.operations.fields import From, asked
from lapse.faces.operations.requests import HOST

_BY = asked("Who does it, for the journal.")


@dataclass(frozen=True, slots=True, kw_only=True)
class SweepRequest:
    """Which banks to sweep, and for how long."""

    tenant: str = field(default="default", metadata=asked("Whose banks.", source=From.PLACE))
    banks: tuple[str, ...] = field(
        default=(), metadata=asked("Only these banks; all if left out.", source=From.PLACE)
    )
    limit: int | None = field(
        default=None,
        metadata=asked("Most memories that go or are planned; all that are due if left out."),
    )
    time_budget_s: float | None = field(
        default=None, metadata=asked("Seconds after which no new portion is begun.")
    )
    by: str = field(default=HOST, metadata=_BY)


@dataclass(frozen=True, slots=True, kw_only=True)
class StatsRequest:
    """What to count."""

    history: bool = field(
        default=False, metadata=asked("Show the latest sweeps too, and the active set over them.")
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class AddCanaryRequest:
    """A question with the answers it should keep having."""

    query: str | None = field(
        default=None,
        metadata=asked("The question, unless a recall tells it.", source=From.POSITION),
    )
    recall: str | None = field(
        default=None,
        metadata=asked(
            "Id of a recall that this very process answered, in place of a question; left-out "
            "expected_ids are what was reported as used of it, else its hits."
        ),
    )
    expected_ids: tuple[str, ...] | None = field(
        default=None,
        metadata=asked(
            "Ids of the memories that should be among its answers; the answers it has now if left "
            "out."
        ),
    )
    by: str = field(default=HOST, metadata=_BY)


@dataclass(frozen=True, slots=True, kw_only=True)
class DropCanaryRequest:
    """A canary to drop."""

    canary: str = field(metadata=asked("Its id or its question.", source=From.POSITION))
    by: str = field(default=HOST, metadata=_BY)
