"""What changed in a bank since a revision, as columns: the food of the RAM index.

Decides the shape in which a store hands over rows in bulk. Refuses to rank, filter or interpret.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lapse.model.bank import Space
from lapse.model.memory import JsonValue, Kind, Role
from lapse.model.retention import Lifecycle

IntArray = NDArray[np.int64]
FloatArray = NDArray[np.float64]
Float32Array = NDArray[np.float32]
BoolArray = NDArray[np.bool_]

MISSING = np.iinfo(np.int64).min
"""Stands in an instant column for an open bound or a missing instant."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ContentRows:
    """Content of n memories, in order of their internal number.

    Lists have n entries; instants are int64 microseconds with `MISSING` for none.

    Attributes:
        rows: Internal numbers, shape (n,).
        multi: Claims that stand beside the others of their key.
        stated_to: End of validity by the memory's own word.
        term_ids: For each memory its BM25 term ids in order, with repeats (int32).
        vectors: For each memory its float32 vector in `IndexDelta.space`, or None.
    """

    rows: IntArray
    ids: list[str]
    kinds: list[Kind]
    keys: list[str | None]
    sessions: list[str | None]
    subjects: list[str | None]
    roles: list[Role | None]
    tags: list[tuple[str, ...]]
    metadata: list[Mapping[str, JsonValue] | None]
    created_at: IntArray
    occurred_at: IntArray
    recorded_from: IntArray
    recorded_to: IntArray
    valid_from: IntArray
    valid_to: IntArray
    stated_to: IntArray
    expires_at: IntArray
    is_latest: BoolArray
    multi: BoolArray
    confidence: FloatArray
    proof_count: IntArray
    entity_count: IntArray
    content_version: IntArray
    word_count: IntArray
    fingerprints: list[bytes]
    distinctions: list[bytes]
    term_ids: list[NDArray[np.int32]]
    vectors: list[bytes | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class StateRows:
    """Retention states of m memories, in order of their internal number.

    Attributes:
        rows: Internal numbers, shape (m,).
        importance: NaN where nobody rated it.
        traces: Shape (m, 10).
    """

    rows: IntArray
    importance: FloatArray
    traces: FloatArray
    traces_at: IntArray
    stability_days: FloatArray
    difficulty: FloatArray
    last_counted_at: IntArray
    created_at: IntArray
    access_count: IntArray
    reinforcement_count: IntArray
    pinned: BoolArray
    verified: BoolArray
    exempt: BoolArray
    audit_evidence: BoolArray
    lifecycle: list[Lifecycle]
    fades_at: IntArray
    protected_until: IntArray


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexDelta:
    """Everything that changed after revision `since`, up to and including `revision`.

    Attributes:
        since: The revision asked for; 0 gives the whole bank.
        revision: The bank's revision that the delta leads to.
        content: Memories that are new or whose content, validity, links or vector changed. A memory
            is here at most once, as it is now.
        states: States that are new or changed (always including those of new memories).
        removed: Internal numbers that are gone for good.
        space: The space the vectors belong to, or None.
        space_changed: Whether the space is another one than at `since`; then `content` is complete.
        terms: New entries of the bank's dictionary of terms, by term.
    """

    since: int
    revision: int
    content: ContentRows
    states: StateRows
    removed: IntArray
    space: Space | None
    space_changed: bool
    terms: Mapping[str, int]
