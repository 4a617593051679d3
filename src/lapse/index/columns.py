"""Content as columns: one slot per content version that is or was in the index.

Decides that a changed memory takes a new slot and leaves its old one dead, so that nothing a reader
holds ever changes. Refuses to hold texts, vectors or terms, and to judge any row.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from lapse.index.growing import Codes, Growing
from lapse.index.states import GONE
from lapse.model.index_delta import MISSING, BoolArray, ContentRows, FloatArray, IntArray
from lapse.model.instants import EARLIEST
from lapse.model.memory import JsonValue, Kind

KINDS: Final[tuple[Kind, ...]] = tuple(Kind)
"""Kind by its code."""

_KIND_CODES: Final = {kind: code for code, kind in enumerate(KINDS)}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Columns:
    """n slots of content, one array per quantity.

    Instants are int64 microseconds, `MISSING` for none.

    Attributes:
        ids, metadata, previous: By slot; may be longer than n, and only the first n belong to this
            snapshot. `previous` is the slot that the same memory had before, or -1.
        latest_slot: Latest slot by id; may know of later slots.
        rows: Internal numbers.
        kind: Index into `KINDS`.
        key, session, subject: Codes, -1 for none. A claim that stands beside the others of its key
            has no key here: none outdates it.
        fingerprint: Code of the normalised text: equal texts have equal codes.
        distinctions: Code of a text's numbers, identifiers, names and negation.
        starts_at: From when a claim counts as told: `valid_from`, or always.
        status: uint8; ACTIVE, SUPPRESSED, ARCHIVED, or GONE for a dead slot.
        state: Record in `StateColumns` of each slot.
        outdated_from: Instant in the world from which a newer claim with the same key counts, by
            all that is known now; the largest int64 for never.
        dated: Names of the columns of optional instants in which any slot has one.
    """

    ids: Sequence[str]
    metadata: Sequence[Mapping[str, JsonValue] | None]
    previous: Sequence[int]
    latest_slot: Mapping[str, int]
    rows: IntArray
    kind: NDArray[np.uint8]
    key: NDArray[np.int32]
    session: NDArray[np.int32]
    subject: NDArray[np.int32]
    fingerprint: NDArray[np.int32]
    distinctions: NDArray[np.int32]
    created_at: IntArray
    occurred_at: IntArray
    recorded_from: IntArray
    recorded_to: IntArray
    valid_from: IntArray
    valid_to: IntArray
    stated_to: IntArray
    starts_at: IntArray
    expires_at: IntArray
    is_latest: BoolArray
    confidence: FloatArray
    proof_count: IntArray
    entity_count: IntArray
    content_version: IntArray
    word_count: IntArray
    has_vector: BoolArray
    status: NDArray[np.uint8]
    state: NDArray[np.int64]
    outdated_from: IntArray
    dated: frozenset[str]

    def __len__(self) -> int:
        return len(self.rows)

    def find(self, memory_id: str) -> int | None:
        """Living slot of a memory in this snapshot, or None."""
        slot = self.latest_slot.get(memory_id, -1)
        while slot >= len(self):
            # The map is ahead of this snapshot; the slot the memory had before it may not be.
            slot = self.previous[slot]
        return None if slot < 0 or self.status[slot] == GONE else slot


_INTS = (
    "rows",
    "created_at",
    "occurred_at",
    "recorded_from",
    "recorded_to",
    "valid_from",
    "valid_to",
    "stated_to",
    "expires_at",
    "proof_count",
    "entity_count",
    "content_version",
    "word_count",
)
_OPTIONAL = ("occurred_at", "recorded_to", "valid_from", "valid_to", "stated_to", "expires_at")
_CODED = ("key", "session", "subject", "fingerprint", "distinctions")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CodeBook:
    """Codes of the texts that rows are filtered by; shared by all tables of one index."""

    key: Codes[str] = field(default_factory=Codes)
    session: Codes[str] = field(default_factory=Codes)
    subject: Codes[str] = field(default_factory=Codes)
    fingerprint: Codes[bytes] = field(default_factory=Codes)
    distinctions: Codes[bytes] = field(default_factory=Codes)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Lists:
    """What is kept by slot in plain lists."""

    ids: list[str] = field(default_factory=list)
    metadata: list[Mapping[str, JsonValue] | None] = field(default_factory=list)
    previous: list[int] = field(default_factory=list)
    latest_slot: dict[str, int] = field(default_factory=dict)


class ColumnTable:
    """The writer's side of `Columns`.

    `status`, `state` and `outdated_from` belong to the snapshot last published until `detach` gives
    the writer copies of its own.
    """

    def __init__(self, codes: CodeBook) -> None:
        self._codes = codes
        self.ints = {name: Growing[np.int64](np.int64) for name in (*_INTS, "starts_at")}
        self.coded = {name: Growing[np.int32](np.int32) for name in _CODED}
        self.kind = Growing[np.uint8](np.uint8)
        self.is_latest = Growing[np.bool_](np.bool_)
        self.has_vector = Growing[np.bool_](np.bool_)
        self.confidence = Growing[np.float64](np.float64)
        self.lists = Lists()
        self.slot_of: dict[int, int] = {}
        self.status: NDArray[np.uint8] = np.zeros(0, np.uint8)
        self.state: IntArray = np.zeros(0, np.int64)
        self.outdated_from: IntArray = np.zeros(0, np.int64)
        self.dated: frozenset[str] = frozenset()

    def __len__(self) -> int:
        return len(self.kind)

    def detach(self) -> None:
        """Copy what is written in place, so that published snapshots keep theirs."""
        self.status = self.status.copy()
        self.state = self.state.copy()
        self.outdated_from = self.outdated_from.copy()

    def extend(self, content: ContentRows, picked: IntArray) -> IntArray:
        """Give the picked rows of a delta a new slot each; returns the slots. They start dead."""
        for name in _INTS:
            self.ints[name].extend(getattr(content, name)[picked])
        self.dated |= {name for name in _OPTIONAL if np.any(getattr(content, name) != MISSING)}
        starts_at = np.where(content.valid_from == MISSING, EARLIEST, content.valid_from)
        self.ints["starts_at"].extend(starts_at[picked])
        for name, codes in _coded(content, self._codes).items():
            self.coded[name].extend(codes[picked])
        kinds = np.array([_KIND_CODES[each] for each in content.kinds], dtype=np.uint8)
        self.kind.extend(kinds[picked])
        self.is_latest.extend(content.is_latest[picked])
        self.confidence.extend(content.confidence[picked])
        # A text without a word that the model knows has a vector of zeros: none to compare.
        present = np.array([bool(v and v.strip(b"\0")) for v in content.vectors], dtype=np.bool_)
        self.has_vector.extend(present[picked])
        at = picked.tolist()
        self.lists.ids.extend(content.ids[i] for i in at)
        self.lists.metadata.extend(content.metadata[i] for i in at)
        return self._placed(len(picked))

    def take_over(self, other: "ColumnTable", slots: IntArray) -> IntArray:
        """Give copies of another table's slots a new slot each; returns the new slots, dead yet."""
        self.dated |= other.dated
        for name, ints in self.ints.items():
            ints.extend(other.ints[name].view()[slots])
        for name, coded in self.coded.items():
            coded.extend(other.coded[name].view()[slots])
        self.kind.extend(other.kind.view()[slots])
        self.is_latest.extend(other.is_latest.view()[slots])
        self.confidence.extend(other.confidence.view()[slots])
        self.has_vector.extend(other.has_vector.view()[slots])
        at = slots.tolist()
        self.lists.ids.extend(other.lists.ids[i] for i in at)
        self.lists.metadata.extend(other.lists.metadata[i] for i in at)
        return self._placed(len(slots))

    def scrub(self, slot: int) -> None:
        """Overwrite what a dead slot still says of an erased memory."""
        lists = self.lists
        lists.latest_slot.pop(lists.ids[slot], None)
        lists.ids[slot] = ""
        self.coded["fingerprint"].overwrite(slot, -1)
        self.coded["distinctions"].overwrite(slot, -1)
        lists.metadata[slot] = None

    def columns(self) -> Columns:
        """All slots so far. What is written in place belongs to the caller from now on."""
        ints, coded, lists = self.ints, self.coded, self.lists
        return Columns(
            ids=lists.ids,
            metadata=lists.metadata,
            previous=lists.previous,
            latest_slot=lists.latest_slot,
            rows=ints["rows"].view(),
            kind=self.kind.view(),
            key=coded["key"].view(),
            session=coded["session"].view(),
            subject=coded["subject"].view(),
            fingerprint=coded["fingerprint"].view(),
            distinctions=coded["distinctions"].view(),
            created_at=ints["created_at"].view(),
            occurred_at=ints["occurred_at"].view(),
            recorded_from=ints["recorded_from"].view(),
            recorded_to=ints["recorded_to"].view(),
            valid_from=ints["valid_from"].view(),
            valid_to=ints["valid_to"].view(),
            stated_to=ints["stated_to"].view(),
            starts_at=ints["starts_at"].view(),
            expires_at=ints["expires_at"].view(),
            is_latest=self.is_latest.view(),
            confidence=self.confidence.view(),
            proof_count=ints["proof_count"].view(),
            entity_count=ints["entity_count"].view(),
            content_version=ints["content_version"].view(),
            word_count=ints["word_count"].view(),
            has_vector=self.has_vector.view(),
            status=self.status,
            state=self.state,
            outdated_from=self.outdated_from,
            dated=self.dated,
        )

    def _placed(self, count: int) -> IntArray:
        first = len(self) - count
        slots = np.arange(first, first + count, dtype=np.int64)
        self.status = np.concatenate((self.status, np.zeros(count, np.uint8)))
        self.state = np.concatenate((self.state, np.zeros(count, np.int64)))
        never = np.full(count, np.iinfo(np.int64).max, np.int64)
        self.outdated_from = np.concatenate((self.outdated_from, never))
        rows = self.ints["rows"].view()[first:].tolist()
        lists = self.lists
        lists.previous.extend(self.slot_of.get(row, -1) for row in rows)
        self.slot_of.update(zip(rows, slots.tolist(), strict=True))
        # Last, so that whoever finds a slot here finds what it had before, too.
        lists.latest_slot.update(zip(lists.ids[first:], slots.tolist(), strict=True))
        return slots


def key_codes(content: ContentRows, codes: CodeBook) -> NDArray[np.int32]:
    """Code of the key under which each memory can outdate others; -1 for none."""
    found: NDArray[np.int32] = np.where(content.multi, -1, codes.key.many(content.keys))
    return found


def _coded(content: ContentRows, codes: CodeBook) -> dict[str, NDArray[np.int32]]:
    return {
        "key": key_codes(content, codes),
        "session": codes.session.many(content.sessions),
        "subject": codes.subject.many(content.subjects),
        "fingerprint": codes.fingerprint.many(content.fingerprints),
        "distinctions": codes.distinctions.many(content.distinctions),
    }
