"""Requests: what each operation is asked with.

Decides the names of the arguments and what they mean. Refuses defaults that the policy should give.
Where the bank takes keywords of a `TypedDict`, a request holds that dictionary whole.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from lapse.engine.requests import Overrides
from lapse.faces.operations.fields import From, asked, null_empties
from lapse.intake.drafts import DraftFields, RevisionFields
from lapse.model import presets
from lapse.model.instants import InstantLike
from lapse.model.memory import JsonValue, Kind
from lapse.model.retention import Lifecycle, UseSource

HOST = "host"
"""The actor when the caller names none; `lapse.bank.HOST`, which is slow to import."""

_PRESETS = ", ".join(presets.NAMES)
_BY = asked("Who does it, for the journal.")
_IDS = asked("Ids of the memories.", source=From.POSITION)
_SESSION = asked("The current session.")
_AS_OF_VALID = asked("Ask what held in the world then; now if left out.")
_AS_OF_RECORDED = asked("Ask what was known then; now if left out.")


@dataclass(frozen=True, slots=True, kw_only=True)
class RememberRequest:
    """One memory to store."""

    text: str = field(metadata=asked("What to remember.", source=From.POSITION))
    fields: DraftFields = field(default_factory=DraftFields)
    by: str = field(default=HOST, metadata=_BY)


@dataclass(frozen=True, slots=True, kw_only=True)
class RememberManyRequest:
    """Memories to store, in order."""

    drafts: tuple[Mapping[str, object], ...] = field(
        metadata=asked("Memories: each with text and any field of remember.", source=From.POSITION)
    )
    by: str = field(default=HOST, metadata=_BY)


@dataclass(frozen=True, slots=True, kw_only=True)
class IngestRequest:
    """A chat log to store."""

    messages: tuple[Mapping[str, object], ...] = field(
        metadata=asked(
            "Messages: each with content, and role, at, id, session, importance, key, tags and "
            "metadata as far as known.",
            source=From.POSITION,
        )
    )
    session: str | None = field(
        default=None, metadata=asked("Session of the messages that name none.")
    )
    by: str = field(default=HOST, metadata=_BY)


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallRequest:
    """A question."""

    query: str = field(metadata=asked("The question, as plain text.", source=From.POSITION))
    overrides: Overrides = field(default_factory=Overrides)
    kinds: tuple[Kind | str, ...] = field(default=(), metadata=asked("Only these kinds."))
    session: str | None = field(default=None, metadata=_SESSION)
    subject: str | None = field(default=None, metadata=asked("Only what is about exactly this."))
    tags: tuple[str, ...] = field(default=(), metadata=asked("Only what carries all of these."))
    metadata: Mapping[str, JsonValue] | None = field(
        default=None, metadata=asked("Only what holds these values in its metadata.")
    )
    as_of_valid: InstantLike | None = field(default=None, metadata=_AS_OF_VALID)
    as_of_recorded: InstantLike | None = field(default=None, metadata=_AS_OF_RECORDED)


@dataclass(frozen=True, slots=True, kw_only=True)
class RankRequest:
    """What another store found for a question."""

    candidates: tuple[Mapping[str, object], ...] = field(
        metadata=asked(
            "Candidates: each with id and text, and created_at, score, key, vector … as far as "
            "known.",
            source=From.POSITION,
        )
    )
    query: str = field(metadata=asked("The question they were found for."))
    query_vector: tuple[float, ...] | None = field(
        default=None,
        metadata=asked(
            "Its vector in the other store's space; the candidates' own are compared with it."
        ),
    )
    overrides: Overrides = field(default_factory=Overrides)
    session: str | None = field(default=None, metadata=_SESSION)


@dataclass(frozen=True, slots=True, kw_only=True)
class WhyRequest:
    """A question, and one memory."""

    query: str = field(metadata=asked("The question.", source=From.POSITION))
    id: str = field(metadata=asked("The memory to explain.", source=From.POSITION))
    overrides: Overrides = field(default_factory=Overrides)
    session: str | None = field(default=None, metadata=_SESSION)
    as_of_valid: InstantLike | None = field(default=None, metadata=_AS_OF_VALID)
    as_of_recorded: InstantLike | None = field(default=None, metadata=_AS_OF_RECORDED)


@dataclass(frozen=True, slots=True, kw_only=True)
class BanksRequest:
    """Whose banks to name."""

    tenant: str = field(default="default", metadata=asked("Whose banks.", source=From.PLACE))


@dataclass(frozen=True, slots=True, kw_only=True)
class GetRequest:
    """One memory by its id."""

    id: str = field(metadata=asked("The memory.", source=From.POSITION))


@dataclass(frozen=True, slots=True, kw_only=True)
class ListRequest:
    """One page of a bank; the fields are those of `Listing`."""

    after: int = field(
        default=0, metadata=asked("Go on after this cursor (next_after of the page before).")
    )
    limit: int = field(default=100, metadata=asked("Most memories of the page, 1 to 1000."))
    kinds: tuple[Kind, ...] = field(default=(), metadata=asked("Only these kinds."))
    sessions: tuple[str, ...] = field(default=(), metadata=asked("Only these sessions."))
    lifecycles: tuple[Lifecycle, ...] = field(
        default=(), metadata=asked("Only what stands here on the axis of attention.")
    )
    key: str | None = field(default=None, metadata=asked("Only claims with exactly this key."))
    subject: str | None = field(default=None, metadata=asked("Only what is about exactly this."))
    tag: str | None = field(default=None, metadata=asked("Only what carries this tag."))
    latest_only: bool = field(
        default=False, metadata=asked("Leave out what was superseded or retracted.")
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class UpdateRequest:
    """A new content version of one memory. A field given as null is emptied."""

    id: str = field(metadata=asked("The memory.", source=From.POSITION))
    fields: RevisionFields = field(default_factory=RevisionFields, metadata=null_empties())
    if_version: int | None = field(
        default=None,
        metadata=asked("Content version you have read; another one stored is a conflict."),
    )
    by: str = field(default=HOST, metadata=_BY)


@dataclass(frozen=True, slots=True, kw_only=True)
class UsedRequest:
    """A report that memories were used."""

    ids: tuple[str, ...] = field(metadata=_IDS)
    source: UseSource | str = field(
        default=UseSource.CITED, metadata=asked("What it is evidence of.")
    )
    recall: str | None = field(default=None, metadata=asked("Id of the recall it answers."))
    event_id: str | None = field(
        default=None, metadata=asked("Your own name for the event; the same name counts once.")
    )
    at: InstantLike | None = field(
        default=None, metadata=asked("When it happened; now if left out, and never later.")
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkRequest:
    """Memories to mark."""

    ids: tuple[str, ...] = field(metadata=_IDS)
    by: str = field(default=HOST, metadata=_BY)


@dataclass(frozen=True, slots=True, kw_only=True)
class ExemptRequest:
    """Memories to keep from fading for a stated reason."""

    ids: tuple[str, ...] = field(metadata=_IDS)
    reason: str | None = field(metadata=asked("Why they must not fade; null ends the exemption."))
    by: str = field(default=HOST, metadata=_BY)


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifyOutcomeRequest:
    """Memories whose content came true."""

    ids: tuple[str, ...] = field(metadata=_IDS)
    reason: str | None = field(default=None, metadata=asked("What verified it."))
    by: str = field(default=HOST, metadata=_BY)


@dataclass(frozen=True, slots=True, kw_only=True)
class NothingRequest:
    """No arguments."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SetPolicyRequest:
    """Changes of a bank's own policy."""

    diff: Mapping[str, JsonValue] = field(
        default_factory=dict,
        metadata=asked("Settings by path, such as law.decay; blank text is inherited again."),
    )
    preset: str | None = field(
        default=None,
        metadata=asked(
            f"Ready-made policy that replaces the bank's own settings first: {_PRESETS}."
        ),
    )
    by: str = field(default=HOST, metadata=_BY)


@dataclass(frozen=True, slots=True, kw_only=True)
class LawsRequest:
    """Policies and kinds to tabulate."""

    presets: tuple[str, ...] = field(
        default=(), metadata=asked(f"Only these presets, all if left out: {_PRESETS}.")
    )
    kinds: tuple[Kind | str, ...] = field(
        default=(), metadata=asked("Only these kinds; all four if left out.")
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class BackupRequest:
    """Where to copy a store to."""

    path: str = field(metadata=asked("File to write; it must not exist yet.", source=From.POSITION))
    by: str = field(default=HOST, metadata=asked("Who copies it, for the journals."))
    reason: str = field(
        default="asked for", metadata=asked("Why, for the journals; never the text of a memory.")
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class DoctorRequest:
    """Which banks to examine."""

    tenant: str = field(default="default", metadata=asked("Whose banks.", source=From.PLACE))
    banks: tuple[str, ...] = field(
        default=(), metadata=asked("Only these banks; all if left out.", source=From.PLACE)
    )
