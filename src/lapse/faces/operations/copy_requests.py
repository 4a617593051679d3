"""Requests of the verbs by which memories leave a bank, come into one, or go from all of them.

Decides the names of the arguments and what they mean. What destroys does nothing but look until it
says yes, and then it needs a name and a reason.
"""

from dataclasses import dataclass, field

from lapse.engine.choosing import Where
from lapse.faces.operations.fields import From, asked
from lapse.faces.operations.requests import HOST

_BY = asked("Who does it, for the journal.")
_REASON = asked("Why, for the journal; never the text of a memory.")


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportRequest:
    """Where to write a bank."""

    path: str = field(metadata=asked("File to write; it must not exist yet.", source=From.POSITION))
    by: str = field(default=HOST, metadata=_BY)
    reason: str = field(default="asked for", metadata=_REASON)


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportRequest:
    """Where to read a bank."""

    path: str = field(metadata=asked("File that export wrote.", source=From.POSITION))
    by: str = field(default=HOST, metadata=_BY)
    reason: str = field(default="asked for", metadata=_REASON)


@dataclass(frozen=True, slots=True, kw_only=True)
class ShareRequest:
    """Memories to copy into another bank."""

    ids: tuple[str, ...] = field(metadata=asked("Ids of the memories.", source=From.POSITION))
    to_bank: str = field(metadata=asked("The other bank, of the same tenant."))
    by: str = field(metadata=asked("Who shares, for the journal."))
    reason: str = field(metadata=_REASON)


@dataclass(frozen=True, slots=True, kw_only=True)
class EraseEverywhereRequest:
    """What to destroy in a tenant's banks; with nothing in common named, all of it."""

    tenant: str = field(default="default", metadata=asked("Whose banks.", source=From.PLACE))
    banks: tuple[str, ...] = field(
        default=(), metadata=asked("Only these banks; all if left out.", source=From.PLACE)
    )
    where: Where = field(default_factory=Where)
    by: str | None = field(default=None, metadata=asked("Who asks for it, for the journal."))
    reason: str | None = field(default=None, metadata=_REASON)
    approved_by: str | None = field(
        default=None,
        metadata=asked("Who else stands for it; needed where the policy asks for two people."),
    )
    yes: bool = field(default=False, metadata=asked("Do it. Left out, nothing is done but shown."))
