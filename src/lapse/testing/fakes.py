"""Stand-ins for the outside world, and small values to test with.

Decides how a test sets the time, counts ids and draws repeatable bytes, and what a memory looks
like of which a test only cares for one field. Refuses to imitate anything that Lapse itself does:
the facets made here are white-space words, the strengths are plain counts.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from lapse.model.bank import Space
from lapse.model.changeset import Changes, ChangeSet
from lapse.model.instants import DAY, Instant, InstantLike, parse_instant
from lapse.model.journal import JournalDraft
from lapse.model.memory import BankRef, Kind, Memory, TextFacets
from lapse.model.record import NewRecord, Vector
from lapse.model.retention import (
    TRACE_COUNT,
    Checkpoint,
    ImportanceSource,
    RetentionState,
    Strength,
    UseEvent,
    UseSource,
)
from lapse.model.verbs import VERBS, Verb
from lapse.model.view import Reads, View

START = parse_instant("2026-03-01T09:00Z", "start")
"""The instant at which a fake clock starts, unless told otherwise."""

ALICE = BankRef(name="alice")
"""A bank of the default tenant."""

_NO_TRACES = (1.0,) + (0.0,) * (TRACE_COUNT - 1)


class FakeClock:
    """A clock that stands still until it is moved."""

    def __init__(self, start: InstantLike = START) -> None:
        self._now = parse_instant(start, "start")

    def now(self) -> Instant:
        """Give the instant it was set to."""
        return self._now

    def set(self, instant: InstantLike) -> Instant:
        """Move to an instant, forwards or back."""
        self._now = parse_instant(instant, "instant")
        return self._now

    def advance(self, *, days: float = 0.0, hours: float = 0.0, seconds: float = 0.0) -> Instant:
        """Move by a span."""
        span = days * DAY + hours * DAY / 24 + seconds * DAY / 86_400
        return self.set(Instant(self._now + round(span)))


class SequentialIds:
    """Numbers its ids from 1: m00000001, then m00000002."""

    def __init__(self, prefix: str = "m") -> None:
        self._prefix = prefix
        self._made = 0

    def __call__(self, now: Instant) -> str:  # noqa: ARG002 - the port passes it; order suffices here
        """Give the next id."""
        self._made += 1
        return f"{self._prefix}{self._made:08d}"


class SeededEntropy:
    """Bytes that look random and are the same for the same seed."""

    def __init__(self, seed: int = 0) -> None:
        self._seed = seed
        self._drawn = 0

    def __call__(self, count: int) -> bytes:
        """Draw the next `count` bytes."""
        drawn = b""
        while len(drawn) < count:
            self._drawn += 1
            drawn += hashlib.sha256(f"{self._seed}:{self._drawn}".encode()).digest()
        return drawn[:count]


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """A judge that has made up its mind: it answers with the same changes whatever it sees."""

    changes: Changes

    def __call__(self, view: View) -> Changes:  # noqa: ARG002 - that is its point
        """Give the changes."""
        return self.changes


def writes(
    changes: Changes,
    *,
    ref: BankRef = ALICE,
    verb: Verb = Verb.REMEMBER,
    now: Instant = START,
    reads: Reads | None = None,
) -> ChangeSet:
    """Give a write of exactly these changes, journalled when its verb is."""
    if VERBS[verb].journalled and changes.journal is None and not changes.empty:
        ids = tuple(each.memory.id for each in changes.created)
        draft = JournalDraft(verb=verb, at=now, by="test", memory_ids=ids)
        changes = replace(changes, journal=draft)
    return ChangeSet(
        verb=verb, ref=ref, now=now, reads=reads or Reads(), judge=Written(changes=changes)
    )


def facets(text: str) -> TextFacets:
    """Give facets of a text by white space alone."""
    words = text.casefold().split()
    folded = " ".join(words)
    return TextFacets(
        terms=tuple(words),
        fingerprint=hashlib.sha256(folded.encode()).digest()[:16],
        distinctions=hashlib.sha256("".join(filter(str.isdigit, folded)).encode()).digest()[:16],
        word_count=len(words),
    )


def memory(id: str, text: str = "", *, ref: BankRef = ALICE, at: Instant = START) -> Memory:  # noqa: A002 - the field's name
    """Give a memory; its text says its id where none is given."""
    text = text or f"text of {id}"
    return Memory(
        tenant=ref.tenant,
        bank=ref.name,
        id=id,
        kind=Kind.SEMANTIC,
        text=text,
        created_at=at,
        recorded_from=at,
        fingerprint=facets(text).fingerprint,
        confidence=0.5,
    )


def state(at: Instant = START, *, counted: int = 0) -> RetentionState:
    """Give the state of a memory of that age with so many counted uses."""
    strength = Strength(
        traces=_NO_TRACES,
        traces_at=at,
        stability_days=30.0,
        difficulty=5.0,
        access_count=counted,
        reinforcement_count=counted,
    )
    return RetentionState(
        importance=0.5,
        importance_source=ImportanceSource.DEFAULT,
        strength=strength,
        checkpoint=Checkpoint(strength=strength, through=at),
        created_at=at,
        updated_at=at,
        fades_at=Instant(at + 90 * DAY),
    )


def record(stored: Memory, *, vector: Vector | None = None) -> NewRecord:
    """Give a memory ready to be created, with a state of its own age."""
    return NewRecord(
        memory=stored,
        state=state(stored.created_at),
        facets=facets(stored.text),
        salt=hashlib.sha256(stored.id.encode()).digest()[:16],
        vector=vector,
    )


def use(memory_id: str, event_id: str, *, at: Instant = START, weight: float = 0.8) -> UseEvent:
    """Give an event of use."""
    return UseEvent(
        event_id=event_id,
        memory_id=memory_id,
        source=UseSource.CITED,
        weight=weight,
        at=at,
        enqueued_at=at,
    )


def space(number: int = 1, *, dimension: int = 4) -> Space:
    """Give a vector space of a small dimension."""
    return Space(number=number, embedder=f"fake-{dimension}", dimension=dimension)


def vector(number: int, values: Sequence[float]) -> Vector:
    """Give a vector of unit length along `values`, in the space of that number."""
    given = np.asarray(values, dtype="<f4")
    length = float(np.linalg.norm(given))
    unit = given / length if length > 0 else given
    return Vector(space=number, data=unit.astype("<f4").tobytes())
