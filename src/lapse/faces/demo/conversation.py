"""A conversation to be remembered: what was said when, what was drawn on later, what is asked.

Decides the form that every source is brought into, and reads the bundled one. Refuses to remember
anything itself, and to know how a tray came out.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from importlib.resources import files
from types import MappingProxyType
from typing import NotRequired, TypedDict

from lapse.intake.drafts import DraftFields
from lapse.model.instants import DAY, MINUTE, Instant, parse_instant

VISIT_DAYS = (30, 90, 240)
"""Days after the first session at which the same questions are asked again."""

START_SESSIONS = 3
"""Sessions of the bundled conversation before its first visit: enough to choose from."""


class Part(StrEnum):
    """What the story expects of a memory that it follows; nothing of one that is only drawn."""

    GROWS = "grows"
    FADES = "fades"
    KEPT = "kept"
    DRAWN = "drawn"


@dataclass(frozen=True, slots=True, kw_only=True)
class Remark:
    """One thing said, to be remembered as it is.

    Attributes:
        id: Name of the memory that it becomes, unless it only tells again what is held.
        at: When it was said.
        text: What was said.
        details: What else is known of it.
    """

    id: str
    at: Instant
    text: str
    details: DraftFields = field(default_factory=DraftFields)


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """One talk.

    Attributes:
        id: Its name.
        at: When it began.
        used: Ids of earlier remarks that it drew on; reported as cited when it begins.
        remarks: What was said, in order of time.
    """

    id: str
    at: Instant
    used: tuple[str, ...]
    remarks: tuple[Remark, ...]

    @property
    def ends_at(self) -> Instant:
        """When the last remark was made."""
        return self.remarks[-1].at if self.remarks else self.at


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What is asked at every visit.

    Attributes:
        text: The question.
        cue_of: Name of the followed memory that it asks after, or None.
        evidence: Ids of the remarks that answer it, where the source says so.
    """

    text: str
    cue_of: str | None = None
    evidence: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Followed:
    """A memory whose strength the story follows.

    Attributes:
        name: One or two words for tables and curves.
        remark_id: The remark that it was made from.
        part: What the story expects of it.
    """

    name: str
    remark_id: str
    part: Part


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit:
    """An instant at which all questions are asked.

    Attributes:
        title: Such as `30 days later`.
        short: The same for narrow places, such as `+30 days`.
        at: When.
    """

    title: str
    short: str
    at: Instant


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """Everything the story needs of a source.

    Attributes:
        title: Who talks, and when.
        sessions: In order of time.
        questions: Asked at every visit, in this order.
        followed: The memories whose strength is drawn, in this order.
        visits: In order of time.
        notes: What a reader must know of how uses, questions and memories were chosen.
    """

    title: str
    sessions: tuple[Session, ...]
    questions: tuple[Question, ...]
    followed: tuple[Followed, ...]
    visits: tuple[Visit, ...]
    notes: tuple[str, ...] = ()

    @property
    def remarks(self) -> Mapping[str, Remark]:
        """Every remark by id, in order of time."""
        return MappingProxyType(
            {remark.id: remark for session in self.sessions for remark in session.remarks}
        )


def visits_from(
    first: Instant, origin: Instant, first_title: str, later_title: str
) -> tuple[Visit, ...]:
    """The first visit, and the later ones at whole days after `origin`.

    `later_title` holds `{days}`.
    """
    titles = [later_title.format(days=days) for days in VISIT_DAYS]
    later = tuple(
        Visit(title=title, short=title, at=Instant(origin + days * DAY))
        for title, days in zip(titles, VISIT_DAYS, strict=True)
    )
    return (Visit(title=first_title, short=first_title, at=first), *later)


def companion() -> Conversation:
    """The bundled conversation of one person with their companion."""
    path = files("lapse") / "faces" / "demo" / "companion.json"
    raw: _RawConversation = json.loads(path.read_text(encoding="utf-8"))
    sessions = tuple(_session(each) for each in raw["sessions"])
    return Conversation(
        title=raw["title"],
        sessions=sessions,
        questions=tuple(
            Question(text=each["text"], cue_of=each.get("cue_of")) for each in raw["questions"]
        ),
        followed=tuple(
            Followed(name=name, remark_id=remark_id, part=_PARTS[name])
            for name, remark_id in raw["key_memories"].items()
        ),
        visits=visits_from(
            Instant(sessions[START_SESSIONS - 1].ends_at + MINUTE),
            parse_instant(raw["start"], "start"),
            "day 10",
            "day {days}",
        ),
        notes=(
            "Each session names the earlier memories that it drew on; exactly these are reported "
            "as used. Being shown in a tray counts for nothing.",
        ),
    )


_PARTS: Mapping[str, Part] = MappingProxyType(
    {"name": Part.KEPT, "loss": Part.KEPT, "lunch": Part.FADES, "tea": Part.GROWS}
)


class _RawRemark(TypedDict):
    id: str
    role: str
    at: str
    kind: str
    importance: float
    text: str
    key: NotRequired[str]
    value: NotRequired[str]
    subject: NotRequired[str]


class _RawSession(TypedDict):
    id: str
    at: str
    used: list[str]
    remarks: list[_RawRemark]


class _RawQuestion(TypedDict):
    id: str
    text: str
    cue_of: NotRequired[str]


class _RawConversation(TypedDict):
    title: str
    start: str
    key_memories: dict[str, str]
    questions: list[_RawQuestion]
    sessions: list[_RawSession]


def _session(raw: _RawSession) -> Session:
    return Session(
        id=raw["id"],
        at=parse_instant(raw["at"], "at"),
        used=tuple(raw["used"]),
        remarks=tuple(_remark(each) for each in raw["remarks"]),
    )


def _remark(raw: _RawRemark) -> Remark:
    return Remark(
        id=raw["id"],
        at=parse_instant(raw["at"], "at"),
        text=raw["text"],
        details=DraftFields(
            role=raw["role"],
            kind=raw["kind"],
            importance=raw["importance"],
            key=raw.get("key"),
            value=raw.get("value"),
            subject=raw.get("subject"),
        ),
    )
