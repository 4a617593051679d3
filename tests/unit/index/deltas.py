"""Deltas for tests of the index and of recall, made of rows that name only what they are about."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from lapse.laws.traces import told_once
from lapse.model.bank import Space
from lapse.model.index_delta import MISSING, ContentRows, IndexDelta, StateRows
from lapse.model.instants import HOUR
from lapse.model.memory import JsonValue, Kind
from lapse.model.retention import Lifecycle

T0 = 1_772_355_600_000_000
"""2026-03-01T09:00:00Z."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A memory and its state. Ages are hours before `T0`; instants are microseconds."""

    row: int
    text: str = "tea"
    id: str | None = None
    age_hours: float = 1.0
    kind: Kind = Kind.SEMANTIC
    key: str | None = None
    session: str | None = None
    subject: str | None = None
    tags: tuple[str, ...] = ()
    metadata: Mapping[str, JsonValue] = field(default_factory=dict)
    occurred_at: int | None = None
    recorded_from: int | None = None
    recorded_to: int | None = None
    valid_from: int | None = None
    valid_to: int | None = None
    stated_to: int | None = None
    multi: bool = False
    expires_at: int | None = None
    is_latest: bool = True
    confidence: float = 0.5
    proof_count: int = 1
    vector: Sequence[float] | None = None
    importance: float | None = None
    last_counted_at: int | None = None
    uses: int = 0
    stability_days: float = 30.0
    pinned: bool = False
    verified: bool = False
    exempt: bool = False
    lifecycle: Lifecycle = Lifecycle.ACTIVE
    distinctions: bytes = b""

    @property
    def created_at(self) -> int:
        """When it was created."""
        return T0 - round(self.age_hours * HOUR)

    @property
    def name(self) -> str:
        """Its id."""
        return self.id or f"m{self.row}"


class Bank:
    """Hands out deltas of rows, as a store would: revisions and term ids."""

    def __init__(self, dimension: int = 0) -> None:
        self.revision = 0
        self.terms: dict[str, int] = {}
        self.space = Space(number=1, embedder="test", dimension=dimension) if dimension else None

    def delta(
        self,
        rows: Sequence[Row] = (),
        *,
        states: Sequence[Row] = (),
        removed: Sequence[int] = (),
        space_changed: bool = False,
    ) -> IndexDelta:
        """The next delta: `rows` with content and state, `states` with state only."""
        since, self.revision = self.revision, self.revision + 1
        known = len(self.terms)
        content = self._content(sorted(rows, key=lambda each: each.row))
        every = sorted([*rows, *states], key=lambda each: each.row)
        return IndexDelta(
            since=since,
            revision=self.revision,
            content=content,
            states=state_rows(every),
            removed=np.array(removed, dtype=np.int64),
            space=self.space,
            space_changed=space_changed,
            terms=dict(list(self.terms.items())[known:]),
        )

    def everything(self, rows: Sequence[Row]) -> IndexDelta:
        """What a store gives for revision 0."""
        content = self._content(sorted(rows, key=lambda each: each.row))
        return IndexDelta(
            since=0,
            revision=max(self.revision, 1),
            content=content,
            states=state_rows(sorted(rows, key=lambda each: each.row)),
            removed=np.zeros(0, np.int64),
            space=self.space,
            space_changed=False,
            terms=dict(self.terms),
        )

    def _content(self, rows: Sequence[Row]) -> ContentRows:
        return ContentRows(
            rows=ints(each.row for each in rows),
            ids=[each.name for each in rows],
            kinds=[each.kind for each in rows],
            keys=[each.key for each in rows],
            sessions=[each.session for each in rows],
            subjects=[each.subject for each in rows],
            roles=[None for _ in rows],
            tags=[each.tags for each in rows],
            metadata=[each.metadata or None for each in rows],
            created_at=ints(each.created_at for each in rows),
            occurred_at=ints(each.occurred_at for each in rows),
            recorded_from=ints(
                each.created_at if each.recorded_from is None else each.recorded_from
                for each in rows
            ),
            recorded_to=ints(each.recorded_to for each in rows),
            valid_from=ints(each.valid_from for each in rows),
            valid_to=ints(each.valid_to for each in rows),
            stated_to=ints(each.stated_to for each in rows),
            expires_at=ints(each.expires_at for each in rows),
            is_latest=np.array([each.is_latest for each in rows], dtype=np.bool_),
            multi=np.array([each.multi for each in rows], dtype=np.bool_),
            confidence=np.array([each.confidence for each in rows], dtype=np.float64),
            proof_count=ints(each.proof_count for each in rows),
            entity_count=ints(0 for _ in rows),
            content_version=ints(1 for _ in rows),
            word_count=ints(len(each.text.split()) for each in rows),
            fingerprints=[each.text.casefold().encode() for each in rows],
            distinctions=[each.distinctions for each in rows],
            term_ids=[self.term_ids(each.text) for each in rows],
            vectors=[
                None if each.vector is None else np.array(each.vector, dtype="<f4").tobytes()
                for each in rows
            ],
        )

    def term_ids(self, text: str) -> NDArray[np.int32]:
        """Ids of a text's words, new ones where needed."""
        words = terms_of(text)
        return np.array([self.terms.setdefault(w, len(self.terms)) for w in words], dtype=np.int32)


def terms_of(text: str) -> tuple[str, ...]:
    """Words of a text; no stemming, so that a test shows what matches."""
    return tuple(text.casefold().replace("?", "").split())


def ints(values: Iterable[int | None]) -> NDArray[np.int64]:
    """An instant or count column, with `MISSING` for None."""
    listed = list(values)
    return np.array([MISSING if each is None else each for each in listed], dtype=np.int64)


def state_rows(rows: Sequence[Row]) -> StateRows:
    """The states of rows: told once, used as `uses` says."""
    count = len(rows)
    traces = np.tile(np.array(told_once(), dtype=np.float64), (count, 1))
    return StateRows(
        rows=ints(each.row for each in rows),
        importance=np.array(
            [np.nan if each.importance is None else each.importance for each in rows],
            dtype=np.float64,
        ),
        traces=traces,
        traces_at=ints(each.created_at for each in rows),
        stability_days=np.array([each.stability_days for each in rows], dtype=np.float64),
        difficulty=np.full(count, 5.0),
        last_counted_at=ints(each.last_counted_at for each in rows),
        created_at=ints(each.created_at for each in rows),
        access_count=ints(each.uses for each in rows),
        reinforcement_count=ints(each.uses for each in rows),
        pinned=np.array([each.pinned for each in rows], dtype=np.bool_),
        verified=np.array([each.verified for each in rows], dtype=np.bool_),
        exempt=np.array([each.exempt for each in rows], dtype=np.bool_),
        audit_evidence=np.zeros(count, np.bool_),
        lifecycle=[each.lifecycle for each in rows],
        fades_at=ints(None for _ in rows),
        protected_until=ints(None for _ in rows),
    )
