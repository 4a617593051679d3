"""Guards: the reasons for which a memory is spared from being suppressed, archived or destroyed.

Decides their names, and what a write says of a memory that it takes away. Refuses to judge: the one
table of who is asked for what, and the judgements, are in `lapse.lifecycle.guards`.
"""

from dataclasses import dataclass
from enum import StrEnum

from lapse.model.instants import Instant


class Guard(StrEnum):
    """Why a memory is spared."""

    HOLD = "hold"
    PINNED = "pinned"
    VERIFIED = "verified"
    EXEMPT = "exempt"
    AUDIT_EVIDENCE = "audit_evidence"
    IMPORTANT = "important"
    CITED = "cited"
    RECENTLY_RESTORED = "recently_restored"
    IN_GRACE = "in_grace"
    ALREADY_THERE = "already_there"
    CHANGED = "changed"
    USED = "used"
    TAKES_PLACE = "takes_place"
    """It closed another memory that is still there, which would hold again without it."""
    SLICED = "sliced"
    """It is in the share that no score proposes, so that the access log stays unbiased."""


class Choice(StrEnum):
    """How a memory was chosen: by a person who named it, or by a score."""

    NAMED = "named"
    SCORED = "scored"


class ForgetMode(StrEnum):
    """What somebody may mean by forgetting: out of recall, out of its index too, or gone."""

    SUPPRESS = "suppress"
    ARCHIVE = "archive"
    ERASE = "erase"


class Basis(StrEnum):
    """What a score was held against, which decides since when a memory has been below it.

    `DATED` is the policy's own score and level: since `fades_at`. `SET` is anything else (another
    level, a percentile, a budget): at the earliest since the memory was last used or created.
    """

    DATED = "dated"
    SET = "set"


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """What a memory was when it was chosen: what has changed since is seen by this.

    Attributes:
        content_version: Its content version.
        current: Whether nothing had taken its place and it was not taken back.
        reinforcement_count: Its counted uses.
        last_counted_at: Its latest counted use.
        basis: What its score was held against.
    """

    content_version: int
    reinforcement_count: int
    last_counted_at: Instant | None
    current: bool = True
    basis: Basis = Basis.DATED


@dataclass(frozen=True, slots=True, kw_only=True)
class Departure:
    """What a write says of one memory that it takes out of sight, or away.

    Attributes:
        memory_id: The memory.
        choice: How it was chosen.
        planned: What it was when it was chosen, or None for a choice that is acted on at once.
    """

    memory_id: str
    choice: Choice
    planned: Planned | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Spared:
    """A memory that a guard spared, and the first guard that did."""

    memory_id: str
    guard: Guard
