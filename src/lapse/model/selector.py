"""What a selection answers: which memories are meant, why each is, and which nearly were.

Decides the shape of the answer. Refuses to choose (`selecting` does).
"""

from dataclasses import dataclass
from enum import StrEnum


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
