"""A question and its answer: what is asked, what came to mind, what did not, and why.

Decides the values that recall takes and gives. Refuses to rank: `lapse.recall` does.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import ClassVar, Protocol, runtime_checkable

from lapse.errors import Fault, ValidationError, fault, raise_all
from lapse.model.instants import Instant, parse_instant
from lapse.model.memory import (
    UNKEEPABLE,
    JsonValue,
    Kind,
    Memory,
    can_be_kept,
    interval_faults,
    json_faults,
    name_faults,
    share_faults,
    value_faults,
)
from lapse.model.policy import Mode
from lapse.model.retention import Lifecycle
from lapse.model.timings import Timings

_NOTHING: Mapping[str, JsonValue] = MappingProxyType({})


class Reason(StrEnum):
    """Why a candidate is not a hit; in the order of judging, the first that applies is given."""

    OTHER_TENANT = "other_tenant"
    OUT_OF_SCOPE = "out_of_scope"
    OTHER_SESSION = "other_session"
    TOO_OLD = "too_old"
    EXPIRED = "expired"
    NOT_YET_VALID = "not_yet_valid"
    SUPERSEDED = "superseded"
    RETRACTED = "retracted"
    SUPPRESSED = "suppressed"
    ARCHIVED = "archived"
    ERASED = "erased"
    NO_MATCH = "no_match"
    FADED = "faded"
    DUPLICATE = "duplicate"
    NOT_DIVERSE = "not_diverse"
    OVER_COUNT = "over_count"
    OVER_BUDGET = "over_budget"


class Axis(StrEnum):
    """Which of the four things called forgetting a reason belongs to, or the query itself."""

    SCOPE = "scope"
    ATTENTION = "attention"
    TRUTH = "truth"
    EXISTENCE = "existence"
    CAPACITY = "capacity"
    RELEVANCE = "relevance"


AXES: Mapping[Reason, Axis] = MappingProxyType(
    {
        Reason.OTHER_TENANT: Axis.SCOPE,
        Reason.OUT_OF_SCOPE: Axis.SCOPE,
        Reason.OTHER_SESSION: Axis.SCOPE,
        Reason.TOO_OLD: Axis.SCOPE,
        Reason.EXPIRED: Axis.EXISTENCE,
        Reason.NOT_YET_VALID: Axis.TRUTH,
        Reason.SUPERSEDED: Axis.TRUTH,
        Reason.RETRACTED: Axis.TRUTH,
        Reason.SUPPRESSED: Axis.ATTENTION,
        Reason.ARCHIVED: Axis.ATTENTION,
        Reason.ERASED: Axis.EXISTENCE,
        Reason.NO_MATCH: Axis.RELEVANCE,
        Reason.FADED: Axis.ATTENTION,
        Reason.DUPLICATE: Axis.CAPACITY,
        Reason.NOT_DIVERSE: Axis.CAPACITY,
        Reason.OVER_COUNT: Axis.CAPACITY,
        Reason.OVER_BUDGET: Axis.CAPACITY,
    }
)
"""Every exclusion names its axis."""


class Flag(StrEnum):
    """What a reader of an explanation should know besides the numbers."""

    CLOCK_SKEW = "clock_skew"
    PINNED = "pinned"
    VERIFIED = "verified"
    EXEMPT = "exempt"
    STRONG_CUE = "strong_cue"
    NO_VECTOR = "no_vector"
    PENDING_USE = "pending_use"
    APPROXIMATE = "approximate"


@dataclass(frozen=True, slots=True, kw_only=True)
class AsOf:
    """The two times a question can be asked at; whatever `parse_instant` reads becomes an instant.

    Attributes:
        valid: What held in the world then; None for now.
        recorded: What was known then; None for now.
    """

    valid: Instant | None = None
    recorded: Instant | None = None

    def __post_init__(self) -> None:
        faults: list[Fault] = []
        for name in ("valid", "recorded"):
            given = getattr(self, name)
            try:
                read = None if given is None else parse_instant(given, name)
            except ValidationError as error:
                faults.extend(error.faults)
            else:
                object.__setattr__(self, name, read)
        raise_all(faults)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """Hard filters: what is outside is never a hit.

    Attributes:
        kinds: Only these kinds; empty for all.
        session: The current session; with `include_other_sessions` off in the policy, the only one.
        subject: Only memories about exactly this.
        tags: Memories that carry every one of these.
        metadata: Memories whose metadata holds each of these values.
        max_age_hours: Inclusive age limit since `created_at`; None for none.
    """

    kinds: tuple[Kind, ...] = ()
    session: str | None = None
    subject: str | None = None
    tags: tuple[str, ...] = ()
    metadata: Mapping[str, JsonValue] = field(default_factory=lambda: _NOTHING)

    max_age_hours: float | None = None

    def __post_init__(self) -> None:
        faults: list[Fault] = []
        if self.max_age_hours is not None and not self.max_age_hours >= 0:
            faults.append(fault("max_age_hours", self.max_age_hours, "needs a number from 0"))
        for name in ("session", "subject"):
            faults.extend(text_faults(name, getattr(self, name)))
        faults.extend(_object_faults("metadata", self.metadata))
        raise_all(faults)


def text_faults(name: str, value: object) -> Iterator[Fault]:
    """Find whether what may be left out is given and no text."""
    if value is not None and not isinstance(value, str):
        yield fault(name, value, "needs text")


def _object_faults(name: str, value: object) -> Iterator[Fault]:
    if not isinstance(value, Mapping):
        yield fault(name, type(value).__name__, "needs an object")


@runtime_checkable
class NumberRow(Protocol):
    """A row of numbers of another library, such as a NumPy array, as it is."""

    def __len__(self) -> int:
        """How many."""
        ...

    def tolist(self) -> list[float]:
        """Python's own numbers."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A memory of any store, offered to `rank`.

    Attributes:
        id: The other store's id.
        text: Its text.
        created_at: When it was made; None for unknown (counts as now).
        score: The other store's own score, any finite number, or None.
        kind, key, value, session, subject, role, tags, importance, occurred_at, expires_at,
            valid_from, valid_to: As in `Draft`.
        vector: The other store's vector, or None. An array is kept as it is: not copied, and
            looked at only when it is compared. Equality of candidates does not look at vectors.
    """

    id: str
    text: str
    created_at: Instant | None = None
    score: float | None = None
    kind: Kind | None = None
    key: str | None = None
    value: str | None = None
    session: str | None = None
    subject: str | None = None
    tags: tuple[str, ...] = ()
    metadata: Mapping[str, JsonValue] = field(default_factory=lambda: _NOTHING)
    importance: float | None = None
    occurred_at: Instant | None = None
    expires_at: Instant | None = None
    valid_from: Instant | None = None
    valid_to: Instant | None = None
    vector: tuple[float, ...] | NumberRow | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        raise_all(self._faults())

    def _faults(self) -> Iterator[Fault]:
        # Once used it is stored here, so it must be all that a draft must be.
        for name in ("id", "key", "session", "subject"):
            text = getattr(self, name)
            if text is not None:
                yield from name_faults(name, text)
        for tag in self.tags:
            yield from name_faults("tags", tag)
        if not can_be_kept(self.text):
            yield fault("text", "…", UNKEEPABLE)
        yield from value_faults(self.key, self.value)
        if self.score is not None and not math.isfinite(self.score):
            yield fault("score", self.score, "needs a finite number")
        yield from share_faults("importance", self.importance)
        yield from interval_faults(self.valid_from, self.valid_to)
        if isinstance(self.vector, tuple) and not all(map(math.isfinite, self.vector)):
            yield fault("vector", "…", "needs finite numbers")
        if self.metadata:
            yield from json_faults("metadata", self.metadata)


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """Everything that decided where a candidate came out.

    Attributes:
        lexical: BM25 score of the lexical arm, ≥ 0; None when that arm was not asked.
        lexical_rank, vector_rank: Rank in each arm's list, from 1; None when not in it.
        cosine: Raw cosine in [-1, 1], or None without a vector.
        relevance: In [0, 1]; what `min_relevance` is compared with.
        coverage: Share in [0, 1] of the query's IDF mass that the text covers.
        base: What forgetting bends: fused or reranked score times the bounded factors, ≥ 0.
        event_recency, temporal, proof: The bounded factors, 1 where a policy does not use them.
        retrievability: R in [0, 1] under the law in force; 1 for what is spared.
        need: Calibrated probability in [0, 1] of use within the next 30 days.
        stability_days: S of the law in force (meaning differs by law).
        half_life_days: Days from the last use until R is half of its value then; None beyond 100
            years.
        base_level_activation: B in nats, ages in seconds.
        importance: In [0, 1], the default where nobody rated it.
        anchor: Instant that age is counted from.
        last_used_at: Latest counted use, or None.
        use_count: Counted uses.
        boost: The factor that forgetting put on `base`; 1 where it did not act.
        terms: The scorer's terms, raw and normalised, by name.
        score: Final ranking number.
        lifecycle: Where the memory stands.
        flags: Further facts.
    """

    relevance: float
    coverage: float
    base: float
    score: float
    retrievability: float
    need: float
    importance: float
    anchor: Instant
    lifecycle: Lifecycle
    lexical: float | None = None
    lexical_rank: int | None = None
    cosine: float | None = None
    vector_rank: int | None = None
    event_recency: float = 1.0
    temporal: float = 1.0
    proof: float = 1.0
    stability_days: float | None = None
    half_life_days: float | None = None
    base_level_activation: float | None = None
    last_used_at: Instant | None = None
    use_count: int = 0
    boost: float = 1.0
    terms: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))
    flags: tuple[Flag, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A memory that came to mind.

    Attributes:
        rank: 1 for the first.
        memory: The memory as stored; for an overlay's candidate, made from the candidate.
        score: Final ranking number; comparable within one recall only.
        explanation: Why.
        qualifier: `current`, `until …`, `retracted` or `disputed`.
        words: Words it takes of the budget.
    """

    rank: int
    memory: Memory
    score: float
    explanation: Explanation
    qualifier: str = "current"
    words: int = 0

    @property
    def id(self) -> str:
        """Id of the memory."""
        return self.memory.id

    @property
    def text(self) -> str:
        """Text of the memory. Untrusted input, as every recalled text is."""
        return self.memory.text


@dataclass(frozen=True, slots=True, kw_only=True)
class Exclusion:
    """A candidate that is not a hit, and the first reason why.

    Attributes:
        id: Id of the memory.
        reason: The first reason that applies, in the order of `Reason`.
        explanation: The same numbers as for a hit.
        detail: What made the reason apply, e.g. the id of the duplicate; never text.
    """

    TOLD: ClassVar[tuple[str, ...]] = ("axis",)

    id: str
    reason: Reason
    explanation: Explanation
    detail: str = ""

    @property
    def axis(self) -> Axis:
        """The axis the reason belongs to."""
        return AXES[self.reason]


@dataclass(frozen=True, slots=True, kw_only=True)
class Recall:
    """What came to mind, what did not, and why.

    Attributes:
        id: Names this recall for `used(recall=…)`.
        at: The one instant it was judged at.
        mode: The mode it was judged in.
        hits: In order of rank; at most k and within the budget.
        revived: Suppressed memories that a strong cue brought up; outside k and budget.
        exclusions: Every other candidate with its first reason, best score first.
        warnings: What the caller should know, e.g. that the vectors belong to another model.
        approximate: Whether a large bank's own index was used instead of exact search.
        words: Words of all hits.
        policy: Fingerprint of the policy in force.
        timings: Where the time went.
    """

    id: str
    at: Instant
    mode: Mode
    hits: tuple[Hit, ...]
    revived: tuple[Hit, ...] = ()
    exclusions: Sequence[Exclusion] = ()
    warnings: tuple[str, ...] = ()
    approximate: bool = False
    words: int = 0
    policy: str = ""
    timings: Timings = field(default_factory=Timings)
