"""Requests of the verbs that put memories out of mind, bring them back, or forbid it.

Decides the names of the arguments and what they mean. Whatever takes memories away is shown first:
a request does nothing but look until it says yes, and then it needs a name and a reason.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from lapse.engine.choosing import Covered, Where
from lapse.engine.requests import Overrides
from lapse.faces.operations.fields import From, asked
from lapse.model.guards import ForgetMode
from lapse.model.memory import JsonValue, Kind

_IDS = asked("Ids of the memories, or in plain words what is meant.", source=From.POSITION)
_IDS_ONLY = asked("Ids of the memories, unless a common trait chooses them.", source=From.POSITION)
_BY = asked("Who asks for it, for the journal.")
_REASON = asked("Why, for the journal; never the text of a memory.")
_APPROVED_BY = asked("Who else stands for it; needed where the policy asks for two people.")
_YES = asked("Do it. Left out, nothing is done but shown.")
_AFTER = asked("Go on after this cursor (next_after of the page before).")
_LIMIT = asked("Most memories of the page, 1 to 1000.")
_NAME = asked("Name of the matter.", source=From.POSITION)


@dataclass(frozen=True, slots=True, kw_only=True)
class AwayRequest:
    """Memories to put out of mind."""

    ids: tuple[str, ...] = field(default=(), metadata=_IDS)
    where: Where = field(default_factory=Where)
    by: str | None = field(default=None, metadata=_BY)
    reason: str | None = field(default=None, metadata=_REASON)
    approved_by: str | None = field(default=None, metadata=_APPROVED_BY)
    yes: bool = field(default=False, metadata=_YES)


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgetRequest:
    """Memories to forget, in one of the senses of the word."""

    ids: tuple[str, ...] = field(default=(), metadata=_IDS)
    where: Where = field(default_factory=Where)
    mode: ForgetMode = field(
        default=ForgetMode.SUPPRESS,
        metadata=asked("What is meant: out of recall, out of its index too, or gone for good."),
    )
    by: str | None = field(default=None, metadata=_BY)
    reason: str | None = field(default=None, metadata=_REASON)
    approved_by: str | None = field(default=None, metadata=_APPROVED_BY)
    yes: bool = field(default=False, metadata=_YES)


@dataclass(frozen=True, slots=True, kw_only=True)
class RestoreRequest:
    """Memories to bring back."""

    by: str = field(metadata=_BY)
    reason: str = field(metadata=_REASON)
    ids: tuple[str, ...] = field(default=(), metadata=_IDS_ONLY)
    where: Where = field(default_factory=Where)
    plan: str | None = field(
        default=None, metadata=asked("All that this plan moved, instead of naming memories.")
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingRequest:
    """One page of what stands away."""

    after: int = field(default=0, metadata=_AFTER)
    limit: int = field(default=100, metadata=_LIMIT)


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchArchiveRequest:
    """A question to the archive."""

    query: str = field(metadata=asked("The question, as plain text.", source=From.POSITION))
    overrides: Overrides = field(default_factory=Overrides)
    kinds: tuple[Kind | str, ...] = field(default=(), metadata=asked("Only these kinds."))
    session: str | None = field(
        default=None,
        metadata=asked("Only this session, where the policy keeps sessions apart."),
    )
    subject: str | None = field(default=None, metadata=asked("Only what is about exactly this."))
    tags: tuple[str, ...] = field(default=(), metadata=asked("Only what carries all of these."))
    metadata: Mapping[str, JsonValue] | None = field(
        default=None, metadata=asked("Only what holds these values in its metadata.")
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class HoldRequest:
    """A hold to place."""

    name: str = field(metadata=_NAME)
    by: str = field(metadata=asked("Who holds."))
    reason: str = field(metadata=asked("Why, for the journal."))
    covered: Covered = field(default_factory=Covered)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseRequest:
    """A hold to end."""

    name: str = field(metadata=_NAME)
    by: str = field(metadata=asked("Who ends it."))
    reason: str = field(metadata=asked("Why, for the journal."))
