"""Requests of the verbs that destroy for good, allow again, and show what was done.

Decides the names of the arguments and what they mean. What would go is shown first: a request does
nothing but look until it says yes, and then it needs a name and a reason.
"""

from dataclasses import dataclass, field

from lapse.engine.choosing import Where
from lapse.faces.operations.fields import From, asked


@dataclass(frozen=True, slots=True, kw_only=True)
class EraseRequest:
    """Memories to destroy."""

    ids: tuple[str, ...] = field(
        default=(),
        metadata=asked("Ids of the memories, unless a common trait chooses.", source=From.POSITION),
    )
    where: Where = field(default_factory=Where)
    by: str | None = field(default=None, metadata=asked("Who asks for it, for the journal."))
    reason: str | None = field(
        default=None, metadata=asked("Why, for the journal; never the text of a memory.")
    )
    approved_by: str | None = field(
        default=None,
        metadata=asked("Who else stands for it; needed where the policy asks for two people."),
    )
    yes: bool = field(default=False, metadata=asked("Do it. Left out, nothing is done but shown."))


@dataclass(frozen=True, slots=True, kw_only=True)
class SubjectRequest:
    """A person."""

    subject: str = field(
        metadata=asked("Of whom, exactly as memories name them.", source=From.POSITION)
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class LiftRequest:
    """A tombstone to lift."""

    id: str = field(
        metadata=asked("The tombstone, as a refused write names it.", source=From.POSITION)
    )
    by: str = field(metadata=asked("Who allows it."))
    reason: str = field(metadata=asked("Why, for the journal."))


@dataclass(frozen=True, slots=True, kw_only=True)
class TombstonesRequest:
    """One page of what was erased."""

    after: int = field(
        default=0, metadata=asked("Go on after this cursor (next_after of the page before).")
    )
    limit: int = field(default=100, metadata=asked("Most tombstones of the page, 1 to 1000."))


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifyReceiptRequest:
    """A receipt to verify."""

    path: str = field(
        metadata=asked("File with the receipt, as erase gave it in JSON.", source=From.POSITION)
    )
