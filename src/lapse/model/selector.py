"""What a selection asks and answers: which memories are meant, why each is, which nearly were.

Decides the shape of the question and of the answer. Refuses to choose (`selecting` does).
"""

from collections.abc import Iterator
from dataclasses import dataclass, fields
from enum import StrEnum

from lapse.errors import Fault, fault, raise_all
from lapse.model.instants import Instant
from lapse.model.memory import line_faults, name_faults

QUERY_LIMIT = 2_000
"""Longest wish in plain words, in characters: it is compared with every memory."""


class Reach(StrEnum):
    """How far a selection looks."""

    BANK = "bank"
    TENANT = "tenant"


@dataclass(frozen=True, slots=True, kw_only=True)
class Selector:
    """Which memories are meant: all that is given must hold.

    Attributes:
        ids: These memories.
        subject: Whom or what they are about, exactly.
        key: Claim key they have, exactly.
        tag: Label they carry, exactly.
        session: Conversation they belong to, exactly.
        since, until: When what they tell of happened, or else when they were created; half-open.
        identifier: An address, number, code, date or path that they name, in any spelling.
        entity: A name or identifier that they are about: everything about it.
        query: What is meant, in plain words.
        reach: This bank, or all banks of its tenant.
        everything: All there is; needs no other mark, and is never meant by leaving all out.
    """

    ids: tuple[str, ...] = ()
    subject: str | None = None
    key: str | None = None
    tag: str | None = None
    session: str | None = None
    since: Instant | None = None
    until: Instant | None = None
    identifier: str | None = None
    entity: str | None = None
    query: str | None = None
    reach: Reach = Reach.BANK
    everything: bool = False

    def __post_init__(self) -> None:
        raise_all(self._faults())

    def _faults(self) -> Iterator[Fault]:
        marks = [each.name for each in fields(self) if each.name != "reach"]
        if not any(getattr(self, each) not in {None, (), False} for each in marks):
            yield fault("selector", "nothing", f"needs at least one of {', '.join(marks)}")
        for name in ("subject", "key", "tag", "session"):
            value = getattr(self, name)
            if value is not None:
                yield from name_faults(name, value)
        for name in ("identifier", "entity", "query"):
            value = getattr(self, name)
            if value is not None:
                yield from _wish_faults(name, value)
        if self.entity is not None and self.query is not None:
            yield fault("query", "…", "stands in the place of entity: give one of both")
        if self.since is not None and self.until is not None and self.until <= self.since:
            yield fault("until", self.until, "must be later than since")


def _wish_faults(name: str, value: str) -> Iterator[Fault]:
    if len(value) > QUERY_LIMIT:
        yield fault(name, f"{len(value):,} characters", f"must be at most {QUERY_LIMIT:,}")
    else:
        yield from line_faults(name, value)


class Ground(StrEnum):
    """Why a memory is among the chosen."""

    ID = "id"
    SUBJECT = "subject"
    ENTITY = "entity"
    KEY = "key"
    TAG = "tag"
    SESSION = "session"
    TIME = "time"
    IDENTIFIER = "identifier"
    NAME = "name"
    LINK = "link"
    WORDS = "words"
    SCOPE = "scope"


class Sparing(StrEnum):
    """Why a memory that lies near is not among the chosen."""

    LONGER_IDENTIFIER = "longer_identifier"
    OTHER_CASE = "other_case"
    PART_OF_NAME = "part_of_name"
    OTHER_TOPIC = "other_topic"
    OTHER_POLARITY = "other_polarity"
    FEWER_WORDS = "fewer_words"
    LONGER_NAME = "longer_name"


class Certainty(StrEnum):
    """Whether a rule settles it, or a reader should."""

    CERTAIN = "certain"
    LIKELY = "likely"


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """What selecting in plain words reads of a memory.

    Attributes:
        id: The memory.
        text: Its text.
        subject: Whom or what it is about, in the caller's words.
        entities: Names it mentions, in the caller's words.
    """

    id: str
    text: str
    subject: str | None = None
    entities: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Reason:
    """One reason for choosing a memory, with what it rests on."""

    ground: Ground
    detail: str
    certainty: Certainty = Certainty.CERTAIN


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """A memory that is meant.

    Attributes:
        id: The memory.
        reasons: Why, at least one.
        rest: What it says of others, clause by clause, when that can be told apart; else None.
    """

    id: str
    reasons: tuple[Reason, ...]
    rest: str | None = None

    @property
    def certainty(self) -> Certainty:
        """Certain if any reason is."""
        sure = any(each.certainty is Certainty.CERTAIN for each in self.reasons)
        return Certainty.CERTAIN if sure else Certainty.LIKELY


@dataclass(frozen=True, slots=True, kw_only=True)
class Near:
    """A memory that is not meant although it lies near, and the difference."""

    id: str
    sparing: Sparing
    detail: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """The answer to a selection.

    Attributes:
        matches: The memories that are meant, in the order they were given.
        nearest: Others that lie nearest, the nearest first.
    """

    matches: tuple[Match, ...] = ()
    nearest: tuple[Near, ...] = ()
