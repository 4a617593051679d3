"""Requests of the verbs that correct what is held true.

Decides the names of the arguments and what they mean. Refuses defaults that the policy should give.
"""

from dataclasses import dataclass, field

from lapse.faces.operations.fields import From, asked
from lapse.faces.operations.requests import HOST
from lapse.intake.drafts import CorrectionFields
from lapse.model.instants import InstantLike
from lapse.model.proposal import ProposalStatus

_BY = asked("Who corrects, for the journal.")
_WHY = asked("Why, for the journal; never the text of a memory.")
_IDS = asked("Ids of the memories.", source=From.POSITION)
_ID = asked("The memory.", source=From.POSITION)
_PROPOSAL = asked("The conflict, by the id that conflicts lists.", source=From.POSITION)


@dataclass(frozen=True, slots=True, kw_only=True)
class SupersedeRequest:
    """Something that takes the place of what was told before."""

    new: str = field(metadata=asked("What is so now.", source=From.POSITION))
    old: tuple[str, ...] = field(
        default=(), metadata=asked("The memories it replaces, by id. Or name a key or a query.")
    )
    key: str | None = field(default=None, metadata=asked("The claim key whose value changes."))
    query: str | None = field(default=None, metadata=asked("What it replaces, in words."))
    fields: CorrectionFields = field(default_factory=CorrectionFields)
    by: str = field(default=HOST, metadata=_BY)
    reason: str | None = field(default=None, metadata=_WHY)


@dataclass(frozen=True, slots=True, kw_only=True)
class UnsupersedeRequest:
    """A memory that was not replaced after all."""

    id: str = field(metadata=_ID)
    by: str = field(default=HOST, metadata=_BY)
    reason: str | None = field(default=None, metadata=_WHY)


@dataclass(frozen=True, slots=True, kw_only=True)
class RetractRequest:
    """Memories that were never so."""

    reason: str = field(metadata=_WHY)
    ids: tuple[str, ...] = field(default=(), metadata=_IDS)
    query: str | None = field(
        default=None, metadata=asked("What is taken back, in words, instead of ids.")
    )
    by: str = field(default=HOST, metadata=_BY)


@dataclass(frozen=True, slots=True, kw_only=True)
class UnretractRequest:
    """Memories that are so after all."""

    ids: tuple[str, ...] = field(metadata=_IDS)
    by: str = field(default=HOST, metadata=_BY)
    reason: str | None = field(default=None, metadata=_WHY)


@dataclass(frozen=True, slots=True, kw_only=True)
class AsOfRequest:
    """One memory, or a page of them, at two times."""

    id: str | None = field(default=None, metadata=asked("Only this memory."))
    valid: InstantLike | None = field(
        default=None, metadata=asked("What held in the world then; now if left out.")
    )
    recorded: InstantLike | None = field(
        default=None, metadata=asked("What was known then; now if left out.")
    )
    after: int = field(default=0, metadata=asked("Go on after this cursor."))
    limit: int = field(default=100, metadata=asked("Most memories looked at, 1 to 1000."))


@dataclass(frozen=True, slots=True, kw_only=True)
class ConflictsRequest:
    """What nobody has decided."""

    status: ProposalStatus = field(
        default=ProposalStatus.OPEN, metadata=asked("Open ones, or what was decided.")
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class DecideRequest:
    """A conflict, and who decides it."""

    id: str = field(metadata=_PROPOSAL)
    by: str = field(default=HOST, metadata=_BY)
    reason: str | None = field(default=None, metadata=_WHY)
