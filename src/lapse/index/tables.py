"""How a delta becomes columns.

Decides that changed content takes a new slot and its old slot dies, and that an archived memory
leaves the vectors and postings: its old slot stays parked, so that it can be restored without being
read again. Refuses to publish anything: `BankIndex` does.
"""

from collections.abc import Iterable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from lapse.errors import ConflictError
from lapse.index.claims import Claims, outdated_from
from lapse.index.columns import CodeBook, ColumnTable, key_codes
from lapse.index.facets import FacetTable
from lapse.index.growing import Growing
from lapse.index.postings import PostingTable
from lapse.index.snapshot import Snapshot
from lapse.index.states import ARCHIVED, GONE, StateTable
from lapse.laws.law import INERT_DIFFICULTY, INERT_STABILITY
from lapse.laws.traces import told_once
from lapse.model.bank import Space
from lapse.model.index_delta import (
    MISSING,
    ContentRows,
    FloatArray,
    IndexDelta,
    IntArray,
    StateRows,
)
from lapse.model.memory import BankRef
from lapse.model.retention import Lifecycle

_LEAST_DEAD: Final = 1024
"""Dead slots, some four kilobytes each, that never make a rebuild worth while."""


class Tables:
    """All tables of one index: what `apply` writes to and `snapshot` shows."""

    def __init__(self, space: Space | None) -> None:
        codes = CodeBook()
        self.codes = codes
        self.space = space
        self.live = ColumnTable(codes)
        self.archived = ColumnTable(codes)
        self.states = StateTable()
        self.vectors = Growing[np.float32](np.float32, space.dimension if space else 0)
        self.postings = PostingTable()
        self.facets = FacetTable()
        self._id_by_fingerprint: dict[int, str] = {}
        self._rows_of_key: dict[int, set[int]] = {}
        self._touched_keys: set[int] = set()

    @property
    def wasteful(self) -> bool:
        """Whether dead slots are the majority, so that a rebuild pays."""
        dead = len(self.live) - int(np.count_nonzero(self.live.status))
        return dead > _LEAST_DEAD and 2 * dead > len(self.live)

    def emptied(self, space: Space | None) -> "Tables":
        """Tables without content, for another space; states and terms stay."""
        tables = Tables(space)
        tables.states = self.states
        tables.postings.terms.update(self.postings.terms)
        return tables

    def check(self, delta: IndexDelta) -> None:
        """Find out, before anything is written, whether `apply` can be done.

        Raises:
            ConflictError: A memory was restored whose content left the index.
        """
        given = set(delta.content.rows.tolist())
        for row, lifecycle in zip(delta.states.rows.tolist(), delta.states.lifecycle, strict=True):
            if row not in given and _searchable(lifecycle) and row not in self.live.slot_of:
                raise ConflictError(
                    f"memory {row} came back and its content is not in the index: read everything"
                )

    def apply(self, delta: IndexDelta) -> None:
        """Write what changed. What was published before stays as it was."""
        self.live.detach()
        self.archived.detach()
        self.space = delta.space
        self.postings.terms.update(delta.terms)
        self.states.extend(delta.states)
        stateless = [r for r in delta.content.rows.tolist() if r not in self.states.record_of]
        if stateless:
            self.states.extend(_default_states(delta.content, stateless))
        for row in delta.removed.tolist():
            self._remove(row)
        self._replace_content(delta.content)
        given = set(delta.content.rows.tolist())
        self._move([row for row in delta.states.rows.tolist() if row not in given])
        self._settle_claims()
        if self.states.compact():
            self._renumber_states()

    def snapshot(self, ref: BankRef, revision: int) -> Snapshot:
        """Everything as it is now."""
        return Snapshot(
            ref=ref,
            revision=revision,
            space=self.space,
            live=self.live.columns(),
            archived=self.archived.columns(),
            states=self.states.columns(),
            vectors=self.vectors.view(),
            postings=self.postings.postings(),
            facets=self.facets,
            codes=self.codes,
            id_by_fingerprint=self._id_by_fingerprint,
        )

    # --- content ----------------------------------------------------------------------------

    def _replace_content(self, content: ContentRows) -> None:
        rows = content.rows.tolist()
        if not rows:
            return
        for row in rows:
            self._withdraw(row)
        lifecycles = np.fromiter(map(self.states.lifecycle_of, rows), np.uint8, len(rows))
        searchable = np.flatnonzero((lifecycles != ARCHIVED) & (lifecycles != GONE))
        shelved = np.flatnonzero(lifecycles == ARCHIVED)
        self._enter_live(content, searchable, lifecycles)
        slots = self.archived.extend(content, shelved)
        self.archived.status[slots] = ARCHIVED
        self.archived.state[slots] = self._records(content.rows[shelved])
        for at in shelved.tolist():
            self.live.slot_of.pop(rows[at], None)
        codes = self.codes.fingerprint.many(content.fingerprints).tolist()
        self._id_by_fingerprint.update(zip(codes, content.ids, strict=True))
        self._note_keys(content)

    def _enter_live(
        self, content: ContentRows, picked: IntArray, lifecycles: NDArray[np.uint8]
    ) -> None:
        if len(picked) == 0:
            return
        slots = self.live.extend(content, picked)
        self.live.status[slots] = lifecycles[picked]
        self.live.state[slots] = self._records(content.rows[picked])
        at = picked.tolist()
        self.vectors.extend(_matrix([content.vectors[i] for i in at], self.space))
        self.postings.extend([content.term_ids[i] for i in at])
        self.postings.count_in(slots)
        for slot, i in zip(slots.tolist(), at, strict=True):
            if content.tags[i] or content.metadata[i]:
                self.facets.add(slot, content.tags[i], content.metadata[i])

    def _withdraw(self, row: int) -> None:
        """Kill the slots that a row has."""
        slot = self.live.slot_of.get(row)
        if slot is not None and self.live.status[slot] != GONE:
            self.live.status[slot] = GONE
            self.postings.count_out(np.array([slot]))
            self._touch_key(self.live, slot, row)
        shelf = self.archived.slot_of.pop(row, None)
        if shelf is not None and self.archived.status[shelf] != GONE:
            self.archived.status[shelf] = GONE
            self._touch_key(self.archived, shelf, row)

    def _remove(self, row: int) -> None:
        """Kill a row's slots and overwrite what they say: it is gone for good."""
        live, shelf = self.live.slot_of.get(row), self.archived.slot_of.get(row)
        self._withdraw(row)
        self.live.slot_of.pop(row, None)
        self.states.forget(row)
        if shelf is not None:
            self._forget_fingerprint(self.archived, shelf)
            self.archived.scrub(shelf)
        slot = -1 if live is None else live
        while slot >= 0:
            self._forget_fingerprint(self.live, slot)
            self.vectors.overwrite(slot)
            self.postings.scrub(slot)
            self.facets.scrub(slot)
            self.live.scrub(slot)
            slot = self.live.lists.previous[slot]

    def _forget_fingerprint(self, table: ColumnTable, slot: int) -> None:
        code = int(table.coded["fingerprint"].view()[slot])
        if self._id_by_fingerprint.get(code) == table.lists.ids[slot]:
            del self._id_by_fingerprint[code]
            self.codes.fingerprint.forget(code)

    # --- states -----------------------------------------------------------------------------

    def _move(self, rows: Iterable[int]) -> None:
        """Give rows whose content stayed their new state, and the place it asks for."""
        for row in rows:
            lifecycle, record = self.states.lifecycle_of(row), self.states.record_of[row]
            slot = self.live.slot_of.get(row)
            if lifecycle == GONE:
                self._remove(row)
            elif lifecycle == ARCHIVED:
                self._shelve(row, record)
            elif slot is not None:
                self._unshelve(row, slot)
                self.live.status[slot] = lifecycle
                self.live.state[slot] = record

    def _shelve(self, row: int, record: int) -> None:
        shelf = self.archived.slot_of.get(row)
        slot = self.live.slot_of.get(row)
        if shelf is None and slot is not None:
            self.live.status[slot] = GONE
            self.postings.count_out(np.array([slot]))
            shelf = int(self.archived.take_over(self.live, np.array([slot]))[0])
            self.archived.status[shelf] = ARCHIVED
            self._touch_key(self.archived, shelf)
        if shelf is not None:
            self.archived.state[shelf] = record

    def _unshelve(self, row: int, slot: int) -> None:
        shelf = self.archived.slot_of.pop(row, None)
        if shelf is not None:
            self.archived.status[shelf] = GONE
            self.postings.count_in(np.array([slot]))
            self._touch_key(self.live, slot)

    def _records(self, rows: IntArray) -> IntArray:
        record_of = self.states.record_of
        return np.fromiter((record_of[row] for row in rows.tolist()), np.int64, len(rows))

    def _renumber_states(self) -> None:
        for table in (self.live, self.archived):
            placed = [
                (slot, record)
                for row, slot in table.slot_of.items()
                if (record := self.states.record_of.get(row)) is not None
            ]
            if placed:
                slots, records = np.array(placed, dtype=np.int64).T
                # Dead slots keep a record that may now be another's; nobody reads it.
                table.state[:] = 0
                table.state[slots] = records

    # --- claims -----------------------------------------------------------------------------

    def _note_keys(self, content: ContentRows) -> None:
        for row, key in zip(content.rows.tolist(), key_codes(content, self.codes), strict=True):
            if key >= 0:
                self._rows_of_key.setdefault(int(key), set()).add(row)
                self._touched_keys.add(int(key))

    def _touch_key(self, table: ColumnTable, slot: int, leaving: int | None = None) -> None:
        key = int(table.coded["key"].view()[slot])
        if key >= 0:
            self._touched_keys.add(key)
            if leaving is not None:
                self._rows_of_key.get(key, set()).discard(leaving)

    def _settle_claims(self) -> None:
        """Find anew which claims of the touched keys are outdated."""
        rows = [row for key in self._touched_keys for row in self._rows_of_key.get(key, ())]
        self._touched_keys = set()
        if not rows:
            return
        live = [s for row in rows if (s := self.live.slot_of.get(row)) is not None]
        mine = np.array(live, dtype=np.int64)
        mine = mine[self.live.status[mine] != GONE]
        shelves = [s for row in rows if (s := self.archived.slot_of.get(row)) is not None]
        shelved = np.array(shelves, dtype=np.int64)
        shelved = shelved[self.archived.status[shelved] != GONE]

        def both(name: str) -> IntArray:
            return np.concatenate(
                (self.live.ints[name].view()[mine], self.archived.ints[name].view()[shelved])
            )

        keys = (self.live.coded["key"].view()[mine], self.archived.coded["key"].view()[shelved])
        claims = Claims(
            key=np.concatenate(keys).astype(np.int64),
            row=both("rows"),
            starts_at=both("starts_at"),
            recorded_from=both("recorded_from"),
            recorded_to=both("recorded_to"),
            valid_from=both("valid_from"),
        )
        self.live.outdated_from[mine] = outdated_from(claims)[: len(mine)]


_MOST_SQUARED: Final = 2.0
"""Squared length from which a stored vector cannot be one of ours."""


def _searchable(lifecycle: Lifecycle) -> bool:
    return lifecycle in (Lifecycle.ACTIVE, Lifecycle.SUPPRESSED)


def _matrix(vectors: list[bytes | None], space: Space | None) -> NDArray[np.float32]:
    """Vectors as rows; zeros where there is none, or one that was damaged where it was kept."""
    dimension = space.dimension if space else 0
    blank = bytes(4 * dimension)
    joined = b"".join(
        vector if vector is not None and len(vector) == len(blank) else blank for vector in vectors
    )
    rows = np.frombuffer(joined, dtype="<f4").reshape(len(vectors), dimension)
    with np.errstate(all="ignore"):
        # Of unit length, so that the sum of squares tells both what is no number and what is huge.
        sound = np.einsum("ij,ij->i", rows, rows) < _MOST_SQUARED
    return rows if sound.all() else np.where(sound[:, None], rows, np.float32(0))


def _default_states(content: ContentRows, rows: list[int]) -> StateRows:
    """States for memories that have lost theirs: active, once told, at the memory's own date.

    They stand in until the engine gives the memories states again.
    """
    count = len(rows)
    born = content.created_at[np.isin(content.rows, rows)]
    traces: FloatArray = np.tile(np.array(told_once(), dtype=np.float64), (count, 1))
    none: IntArray = np.full(count, MISSING, np.int64)
    zero: IntArray = np.zeros(count, np.int64)
    false = np.zeros(count, np.bool_)
    return StateRows(
        rows=np.array(rows, dtype=np.int64),
        importance=np.full(count, np.nan),
        traces=traces,
        traces_at=born,
        stability_days=np.full(count, INERT_STABILITY),
        difficulty=np.full(count, INERT_DIFFICULTY),
        last_counted_at=none,
        created_at=born,
        access_count=zero,
        reinforcement_count=zero,
        pinned=false,
        verified=false,
        exempt=false,
        audit_evidence=false,
        lifecycle=[Lifecycle.ACTIVE] * count,
        fades_at=none,
        protected_until=none,
    )
