"""What is read of c candidates once they are found, whichever store they come from.

Decides the columns that scoring, selection and explanation share. Refuses to compute anything but
their look-up.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lapse.index.snapshot import Snapshot
from lapse.laws import StrengthColumns
from lapse.model.index_delta import BoolArray, FloatArray, IntArray
from lapse.recall.candidates import Found

_MOST_CODES = 2**62


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Field:
    """c candidates. Arrays have shape (c,) unless said otherwise.

    Attributes:
        found: Where they were found, and how relevant they are.
        base: What forgetting bends, before the bounded factors: the fused ranks, a reranker's
            score, or the other store's own.
        own_score: Whether `base` says how relevant a candidate is better than `found.relevance`
            does.
        strengths: What the laws read, or None where strength does not exist (mode off).
        rows: Internal numbers, or places among the candidates of another store.
        fingerprint, distinctions: Codes; equal texts, and texts that differ in no number,
            identifier, name or negation, have equal ones.
        matter: Codes of what a memory is about, its subject and its key; memories of two matters
            are never duplicates.
        guards: Bits of `index.states`.
        lifecycle: Codes of `index.states`.
        use_count: Counted uses.
        vectors: Shape (c, dimension), float32; zeros where there is none.
    """

    found: Found
    base: FloatArray
    own_score: bool
    strengths: StrengthColumns | None
    rows: IntArray
    ids: Sequence[str]
    fingerprint: IntArray
    distinctions: IntArray
    matter: IntArray
    created_at: IntArray
    occurred_at: IntArray
    recorded_from: IntArray
    proof_count: IntArray
    words: IntArray
    guards: NDArray[np.uint8]
    lifecycle: NDArray[np.uint8]
    use_count: IntArray
    vectors: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def open(self) -> BoolArray:
        """Which candidates no filter took out."""
        passed: BoolArray = self.found.reasons == 0
        return passed


def codes_of(*columns: NDArray[np.signedinteger]) -> IntArray:
    """One code per row for the values that some columns have there together."""
    codes: IntArray = np.zeros(len(columns[0]), np.int64)
    count = 1  # how many codes there may be
    for column in columns:
        values: IntArray = column.astype(np.int64)
        low, high = int(values.min(initial=0)), int(values.max(initial=0))
        if count * (high - low + 1) > _MOST_CODES:
            # Numbered anew, codes stay below the count of rows, and no combination overflows.
            codes, values = _numbered(codes), _numbered(values)
            count, low, high = len(codes), 0, len(codes) - 1
        codes = codes * (high - low + 1) + (values - low)
        count *= high - low + 1
    return codes


def _numbered(values: IntArray) -> IntArray:
    _, numbers = np.unique(values, return_inverse=True)
    return numbers.astype(np.int64)


def field_of(snapshot: Snapshot, found: Found, strengths: StrengthColumns | None) -> Field:
    """Read the candidates off the snapshot they were found in."""
    live, slots = snapshot.live, found.slots
    records = live.state[slots]
    places = slots.tolist()
    return Field(
        found=found,
        base=found.fused,
        own_score=False,
        strengths=strengths,
        rows=live.rows[slots],
        ids=[live.ids[at] for at in places],
        fingerprint=live.fingerprint[slots].astype(np.int64),
        distinctions=live.distinctions[slots].astype(np.int64),
        matter=codes_of(live.subject[slots], live.key[slots]),
        created_at=live.created_at[slots],
        occurred_at=live.occurred_at[slots],
        recorded_from=live.recorded_from[slots],
        proof_count=live.proof_count[slots],
        words=live.word_count[slots],
        guards=snapshot.states.guards[records],
        lifecycle=live.status[slots],
        use_count=snapshot.states.reinforcement_count[records],
        vectors=found.vectors,
    )
