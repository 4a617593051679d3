"""What is remembered: the memory, the draft it is made from, and where it lives.

Decides which values describe a memory's content and what they may be. Refuses to know its strength
(`retention`), its rank (`recall`) or how it is stored.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import TypeAlias

from lapse.errors import Fault, ValidationError, fault, raise_all
from lapse.model.identifier import Identifier
from lapse.model.instants import Instant

JsonValue: TypeAlias = (
    "bool | int | float | str | Sequence[JsonValue] | Mapping[str, JsonValue] | None"
)
"""A plain JSON value."""

NAME_LIMIT = 255
"""Longest id, key, tag, session, subject, tenant or bank name, in characters."""

PROOF_BITS = 63
"""Most bits of a count of proofs: what a store's signed integer holds."""

JSON_DEPTH = 64
"""Deepest nesting of a JSON value that is kept."""

JSON_INTEGER_BITS = 4096
"""Longest integer in a JSON value; Python writes none of more than 4,300 digits."""

UNKEEPABLE = "must not hold NUL or lone surrogates"
"""What is wrong with a text that not every store can keep."""

_NOTHING: Mapping[str, JsonValue] = MappingProxyType({})


class Kind(StrEnum):
    """What kind of memory it is; decides its initial stability under some laws."""

    SEMANTIC = "semantic"
    EPISODIC = "episodic"
    PROCEDURAL = "procedural"
    WORKING = "working"


KIND_ALIASES: Mapping[str, Kind] = MappingProxyType(
    {
        "conversation": Kind.EPISODIC,
        "experience": Kind.EPISODIC,
        "knowledge_base": Kind.SEMANTIC,
        "entity": Kind.SEMANTIC,
        "entities": Kind.SEMANTIC,
        "world": Kind.SEMANTIC,
        "summary": Kind.SEMANTIC,
        "observation": Kind.SEMANTIC,
        "workflow": Kind.PROCEDURAL,
    }
)
"""Other systems' names for the four kinds."""


class Role(StrEnum):
    """Who said it. Only `USER` and `HOST` speak with authority over what is stored."""

    USER = "user"
    HOST = "host"
    ASSISTANT = "assistant"
    TOOL = "tool"
    SYSTEM = "system"
    MODEL = "model"


def parse_kind(value: object, name: str = "kind") -> Kind:
    """Read a kind by its own name or another system's.

    Raises:
        ValidationError: An unknown name.
    """
    if isinstance(value, str):
        wanted = value.strip().lower()
        if wanted in KIND_ALIASES:
            return KIND_ALIASES[wanted]
        if wanted in set(Kind):
            return Kind(wanted)
    known = ", ".join([*Kind, *KIND_ALIASES])
    raise ValidationError.of(name, value, f"needs one of {known}")


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class BankRef:
    """Names one bank of one tenant; every read and write is confined to it."""

    tenant: str = "default"
    name: str

    def __post_init__(self) -> None:
        raise_all([*name_faults("tenant", self.tenant), *name_faults("bank", self.name)])

    def __str__(self) -> str:
        return f"{self.tenant}/{self.name}"


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class MemoryRef:
    """Names one memory of one bank."""

    ref: BankRef
    id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedFrom:
    """Where a copy was shared from: a memory of another bank of the same tenant."""

    bank: str
    id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """What a caller wants remembered, before Lapse adds what it computes.

    Attributes:
        text: Content, already cleaned (NFC, not blank, within the limit).
        id: Caller's own id of 1 to 255 characters, or None for a generated one.
        kind: Kind of memory, or None for the policy's default.
        key: Claim key such as `user/drink`; another value under it supersedes.
        multi: Whether the key holds several values at once: then this one stands beside the others,
            and ends only by its own word, by supersession of its id, or by retraction.
        value: Value of the claim; None stands for the normalised text.
        subject: Whom or what it is about.
        entities: Names it mentions, in the caller's spelling.
        session: Conversation it belongs to.
        role: Who said it.
        source: Where it came from, in the caller's words.
        tags: Labels to filter by.
        metadata: The user's own JSON values; Lapse never writes there.
        created_at: When it was first met; None for now.
        occurred_at: When what it tells of happened.
        valid_from: From when it holds in the world; None: open.
        valid_to: Until when it holds, exclusive; None: open.
        importance: In [0, 1], or None to have it rated.
        confidence: In [0, 1], belief in its truth; None for the policy's default.
        proof_count: Independent corroborations, ≥ 1.
        expires_at: From when it is out of every recall; None: never.
        pinned, exempt_reason, audit_evidence: Guards to start with; `exempt_reason` makes it
            exempt.
        derived_from: Ids of the memories it was made from.
    """

    text: str
    id: str | None = None
    kind: Kind | None = None
    key: str | None = None
    value: str | None = None
    multi: bool = False
    subject: str | None = None
    entities: tuple[str, ...] = ()
    session: str | None = None
    role: Role | None = None
    source: str | None = None
    tags: tuple[str, ...] = ()
    metadata: Mapping[str, JsonValue] = field(default_factory=lambda: _NOTHING)
    created_at: Instant | None = None
    occurred_at: Instant | None = None
    valid_from: Instant | None = None
    valid_to: Instant | None = None
    importance: float | None = None
    confidence: float | None = None
    proof_count: int = 1
    expires_at: Instant | None = None
    pinned: bool = False
    exempt_reason: str | None = None
    audit_evidence: bool = False
    derived_from: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        raise_all(self._faults())

    def _faults(self) -> Iterator[Fault]:
        for name in ("id", "key", "subject", "session", "source"):
            text = getattr(self, name)
            if text is not None:
                yield from name_faults(name, text)
        for name in ("tags", "entities", "derived_from"):
            for each in getattr(self, name):
                yield from name_faults(name, each)
        if self.exempt_reason is not None:
            yield from line_faults("exempt_reason", self.exempt_reason)
        yield from share_faults("importance", self.importance)
        yield from share_faults("confidence", self.confidence)
        proofs = self.proof_count
        if isinstance(proofs, bool) or proofs < 1 or proofs.bit_length() > PROOF_BITS:
            yield fault("proof_count", proofs, "needs an integer from 1 that fits into 64 bits")
        yield from value_faults(self.key, self.value)
        if self.multi and self.key is None:
            yield fault("multi", self.multi, "needs a key that holds several values")
        yield from interval_faults(self.valid_from, self.valid_to)
        yield from json_faults("metadata", self.metadata)


@dataclass(frozen=True, slots=True, kw_only=True)
class TextFacets:
    """What the text layer reads off a text when it is written.

    Attributes:
        terms: Stemmed terms in order, with repeats: what BM25 ranks by.
        fingerprint: Digest of the normalised text: equal texts have equal fingerprints.
        distinctions: Digest of its numbers, identifiers, names and negation: near duplicates must
            agree in it.
        word_count: Words separated by white space.
        identifiers: What it names, each once: what it is found by, by equality.
    """

    terms: tuple[str, ...]
    fingerprint: bytes
    distinctions: bytes
    word_count: int
    identifiers: tuple[Identifier, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """One memory as it is stored: content, provenance and the two time axes of truth.

    Attributes that a `Draft` has mean the same here.

    Attributes:
        tenant, bank: Where it lives.
        recorded_from, recorded_to: When we knew it; half-open; `recorded_to` set means retracted.
        valid_to: Until when it holds by all that is known: the earlier of `stated_to` and the start
            of what superseded it.
        stated_to: Until when it holds by its own word, whatever superseded it.
        supersedes, superseded_by: Links along one claim.
        is_latest: Whether no newer claim with the same key replaced it.
        content_version: 1 when told first, one more with every `update`.
        fingerprint: Digest of the normalised text.
        shared_from: The memory of another bank that this is a copy of, or None. What erases that
            one erases this one.
    """

    tenant: str
    bank: str
    id: str
    kind: Kind
    text: str
    created_at: Instant
    recorded_from: Instant
    fingerprint: bytes
    confidence: float
    proof_count: int = 1
    key: str | None = None
    value: str | None = None
    multi: bool = False
    subject: str | None = None
    entities: tuple[str, ...] = ()
    session: str | None = None
    role: Role | None = None
    source: str | None = None
    tags: tuple[str, ...] = ()
    metadata: Mapping[str, JsonValue] = field(default_factory=lambda: _NOTHING)
    occurred_at: Instant | None = None
    recorded_to: Instant | None = None
    valid_from: Instant | None = None
    valid_to: Instant | None = None
    stated_to: Instant | None = None
    supersedes: str | None = None
    superseded_by: str | None = None
    is_latest: bool = True
    derived_from: tuple[str, ...] = ()
    expires_at: Instant | None = None
    content_version: int = 1
    shared_from: SharedFrom | None = None

    @property
    def ref(self) -> BankRef:
        """The bank it lives in."""
        return BankRef(tenant=self.tenant, name=self.bank)

    @property
    def current(self) -> bool:
        """Whether nothing has taken its place and it was not taken back."""
        return self.is_latest and self.recorded_to is None


def json_faults(name: str, value: object, depth: int = JSON_DEPTH) -> Iterator[Fault]:
    """Find what is not plain, finite JSON that every store can keep, by dotted path.

    Args:
        name: Path of `value`.
        value: What may be JSON.
        depth: How deep it may be nested.
    """
    match value:
        case Mapping() | list() | tuple() if depth == 0:
            yield fault(name, "…", f"must not be nested deeper than {JSON_DEPTH} levels")
        case Mapping():
            for key, each in value.items():
                if not isinstance(key, str):
                    yield fault(name, key, "needs text keys")
                elif not can_be_kept(key):
                    yield fault(name, key, f"keys {UNKEEPABLE}")
                else:
                    yield from json_faults(f"{name}.{key}", each, depth - 1)
        case list() | tuple():
            for at, each in enumerate(value):
                yield from json_faults(f"{name}[{at}]", each, depth - 1)
        case _:
            yield from _scalar_faults(name, value)


def name_faults(name: str, value: object) -> Iterator[Fault]:
    """Find what keeps a text from being a name: of an id, a key, a tag, a session, a bank."""
    if not isinstance(value, str) or not 1 <= len(value) <= NAME_LIMIT:
        yield fault(name, value, f"needs text of 1 to {NAME_LIMIT} characters")
    else:
        yield from line_faults(name, value)


def line_faults(name: str, value: str) -> Iterator[Fault]:
    """Find what keeps a text of any length from being kept; a fault shows it."""
    if not can_be_kept(value):
        yield fault(name, value, UNKEEPABLE)
    elif not value.strip():
        yield fault(name, value, "must not be blank")


def value_faults(key: str | None, value: str | None) -> Iterator[Fault]:
    """Find what keeps a text from being the value of a claim; a fault never shows it."""
    if value is None:
        return
    if key is None:
        yield fault("value", "…", "needs a key to be the value of")
    if not can_be_kept(value):
        yield fault("value", "…", UNKEEPABLE)


def share_faults(name: str, value: float | None) -> Iterator[Fault]:
    """Find whether a number is no share in [0, 1]."""
    if value is None:
        return
    if isinstance(value, bool) or not 0 <= value <= 1:
        yield fault(name, value, "needs a number from 0 to 1")


def interval_faults(start: Instant | None, end: Instant | None) -> Iterator[Fault]:
    """Find whether an interval of validity ends before it begins."""
    if start is not None and end is not None and end <= start:
        yield fault("valid_to", end, "must be later than valid_from")


def can_be_kept(text: str) -> bool:
    """Whether every store can keep the text: no NUL, and nothing UTF-8 cannot write."""
    try:
        return b"\x00" not in text.encode()
    except UnicodeEncodeError:
        return False


def _scalar_faults(name: str, value: object) -> Iterator[Fault]:
    match value:
        case None | bool():
            return
        case str():
            if not can_be_kept(value):
                yield fault(name, "…", UNKEEPABLE)
        case int():
            if value.bit_length() > JSON_INTEGER_BITS:
                yield fault(name, value, f"needs an integer of at most {JSON_INTEGER_BITS} bits")
        case float():
            if not math.isfinite(value):
                yield fault(name, value, "needs a finite number")
        case _:
            yield fault(name, type(value).__name__, "needs plain JSON values")
