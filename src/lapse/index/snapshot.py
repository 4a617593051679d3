"""What a reader sees of a bank: all its columns as they were at one revision.

Decides how a row is found by id and which claims are outdated at two given times. Refuses to rank,
to filter and to change anything.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lapse.index.claims import Claims, outdated_at
from lapse.index.columns import CodeBook, Columns
from lapse.index.facets import FacetTable
from lapse.index.postings import Postings
from lapse.index.states import GONE, StateColumns
from lapse.model.bank import Space
from lapse.model.index_delta import BoolArray, IntArray
from lapse.model.memory import BankRef


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Snapshot:
    """A bank at one revision. Immutable; readers may keep it as long as they like.

    Attributes:
        ref: The bank.
        revision: Its revision; 0 before anything was read.
        space: Space of the vectors, or None.
        live: Active and suppressed memories: what recall searches.
        archived: Archived memories: no vectors, no terms; kept for claims and for overlays.
        states: Retention states of both.
        vectors: Shape (n, dimension), float32, unit length; zeros where there is none.
        postings: Terms of `live`.
        facets: Tags and metadata of `live`.
        codes: Codes of keys, sessions and subjects.
        id_by_fingerprint: Id by the code of a fingerprint; may be ahead or stale: `id_with` checks
            what it finds.
    """

    ref: BankRef
    revision: int
    space: Space | None
    live: Columns
    archived: Columns
    states: StateColumns
    vectors: NDArray[np.float32]
    postings: Postings
    facets: FacetTable
    codes: CodeBook
    id_by_fingerprint: Mapping[int, str]

    def id_with(self, fingerprint: bytes) -> str | None:
        """Id of a live or archived memory with this normalised text, or None."""
        code = self.codes.fingerprint.find(fingerprint)
        memory_id = self.id_by_fingerprint.get(code)
        if memory_id is None:
            return None
        for columns in (self.live, self.archived):
            slot = columns.find(memory_id)
            if slot is not None and columns.fingerprint[slot] == code:
                return memory_id
        return None

    def outdated(self, valid: int, recorded: int, retracted: Iterable[str] = ()) -> BoolArray:
        """For each live slot, whether a newer claim with its key counted at these two times.

        Costs a sort of all claims. `Columns.outdated_from` answers without it for any `valid`, as
        long as all that is known now counts.

        Args:
            valid, recorded: See `claims.outdated_at`.
            retracted: Ids of memories that were held to be retracted at `recorded`.
        """
        mine, claims = self._claims()
        outdated: BoolArray = np.zeros(len(self.live), np.bool_)
        found = outdated_at(claims, valid, recorded, self._rows_of(retracted))
        outdated[mine] = found[: len(mine)]
        return outdated

    def _rows_of(self, ids: Iterable[str]) -> IntArray:
        """Internal numbers of those memories that are live or archived."""
        rows = [
            int(columns.rows[slot])
            for each in ids
            for columns in (self.live, self.archived)
            if (slot := columns.find(each)) is not None
        ]
        return np.array(rows, dtype=np.int64)

    def _claims(self) -> tuple[IntArray, Claims]:
        """Slots of the live claims, and all claims with those first."""
        live, archived = self.live, self.archived
        mine = np.flatnonzero((live.key >= 0) & (live.status != GONE))
        shelved = np.flatnonzero((archived.key >= 0) & (archived.status != GONE))
        claims = Claims(
            key=np.concatenate((live.key[mine], archived.key[shelved])).astype(np.int64),
            row=np.concatenate((live.rows[mine], archived.rows[shelved])),
            starts_at=np.concatenate((live.starts_at[mine], archived.starts_at[shelved])),
            recorded_from=np.concatenate(
                (live.recorded_from[mine], archived.recorded_from[shelved])
            ),
            recorded_to=np.concatenate((live.recorded_to[mine], archived.recorded_to[shelved])),
            valid_from=np.concatenate((live.valid_from[mine], archived.valid_from[shelved])),
        )
        return mine, claims
