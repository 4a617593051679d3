"""Retention states as columns: one record per state ever seen, and who has which.

Decides how states are kept so that a write copies nothing but small arrays of record numbers.
Refuses to compute anything from a state: the laws do.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from lapse.index.growing import Growing, T
from lapse.model.index_delta import FloatArray, IntArray, StateRows
from lapse.model.retention import TRACE_COUNT, Lifecycle

PINNED: Final = 1
VERIFIED: Final = 2
EXEMPT: Final = 4
AUDIT_EVIDENCE: Final = 8
SPARED: Final = PINNED | VERIFIED | EXEMPT
"""Bits of `StateColumns.guards`; what is spared does not fade."""

ACTIVE: Final = 1
SUPPRESSED: Final = 2
ARCHIVED: Final = 3
GONE: Final = 0
"""Codes of lifecycle in `uint8` columns; GONE is a slot that holds nothing any more."""

LIFECYCLES: Final[tuple[Lifecycle, ...]] = (
    Lifecycle.ERASED,
    Lifecycle.ACTIVE,
    Lifecycle.SUPPRESSED,
    Lifecycle.ARCHIVED,
)
"""Lifecycle by its code."""

_CODES: Final = {lifecycle: code for code, lifecycle in enumerate(LIFECYCLES)}
_SPARE = 4096


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class StateColumns:
    """All state records, one array per quantity; `Columns.state` says which record a slot has.

    Attributes:
        importance: Shape (m,); NaN where nobody rated it.
        traces: Shape (m, 10).
        guards: Shape (m,), uint8; bits PINNED, VERIFIED, EXEMPT, AUDIT_EVIDENCE.
        lifecycle: Shape (m,), uint8; ACTIVE, SUPPRESSED, ARCHIVED or GONE.
        memo: What a reader worked out for each record and may find again: a function of the records
            alone, so that it does not matter who computes it. May cover fewer records than there
            are.
    """

    importance: FloatArray
    traces: FloatArray
    traces_at: IntArray
    stability_days: FloatArray
    difficulty: FloatArray
    last_counted_at: IntArray
    created_at: IntArray
    access_count: IntArray
    reinforcement_count: IntArray
    guards: NDArray[np.uint8]
    lifecycle: NDArray[np.uint8]
    fades_at: IntArray
    protected_until: IntArray
    memo: dict[object, FloatArray]


_FLOATS = ("importance", "stability_days", "difficulty")
_INTS = (
    "traces_at",
    "last_counted_at",
    "created_at",
    "access_count",
    "reinforcement_count",
    "fades_at",
    "protected_until",
)


class StateTable:
    """The writer's side of the state records."""

    def __init__(self) -> None:
        self._floats = {name: Growing[np.float64](np.float64) for name in _FLOATS}
        self._ints = {name: Growing[np.int64](np.int64) for name in _INTS}
        self._traces = Growing[np.float64](np.float64, TRACE_COUNT)
        self._guards = Growing[np.uint8](np.uint8)
        self._lifecycle = Growing[np.uint8](np.uint8)
        self._memo: dict[object, FloatArray] = {}
        self.record_of: dict[int, int] = {}

    def extend(self, states: StateRows) -> None:
        """Add a record for each state; the rows now have the new records."""
        first = len(self._guards)
        for name, floats in self._floats.items():
            floats.extend(getattr(states, name))
        for name, ints in self._ints.items():
            ints.extend(getattr(states, name))
        self._traces.extend(states.traces)
        self._guards.extend(_guards(states))
        self._lifecycle.extend(_lifecycles(states))
        self.record_of.update(
            zip(states.rows.tolist(), range(first, len(self._guards)), strict=True)
        )

    def forget(self, row: int) -> None:
        """Take a row out; its old record has no owner any more."""
        self.record_of.pop(row, None)

    def compact(self) -> bool:
        """Drop records without an owner once they are the majority; whether it was done."""
        if len(self._guards) <= 2 * len(self.record_of) + _SPARE:
            return False
        kept = np.fromiter(self.record_of.values(), np.int64, len(self.record_of))
        for name, floats in self._floats.items():
            self._floats[name] = _taken(floats, kept)
        for name, ints in self._ints.items():
            self._ints[name] = _taken(ints, kept)
        self._traces = _taken(self._traces, kept)
        self._guards = _taken(self._guards, kept)
        self._lifecycle = _taken(self._lifecycle, kept)
        self._memo = {}
        self.record_of = dict(zip(self.record_of, range(len(kept)), strict=True))
        return True

    def lifecycle_of(self, row: int) -> int:
        """Code of the row's lifecycle; a row without a state counts as active."""
        record = self.record_of.get(row)
        return ACTIVE if record is None else int(self._lifecycle.view()[record])

    def columns(self) -> StateColumns:
        """All records so far, as views."""
        floats, ints = self._floats, self._ints
        return StateColumns(
            importance=floats["importance"].view(),
            traces=self._traces.view(),
            traces_at=ints["traces_at"].view(),
            stability_days=floats["stability_days"].view(),
            difficulty=floats["difficulty"].view(),
            last_counted_at=ints["last_counted_at"].view(),
            created_at=ints["created_at"].view(),
            access_count=ints["access_count"].view(),
            reinforcement_count=ints["reinforcement_count"].view(),
            guards=self._guards.view(),
            lifecycle=self._lifecycle.view(),
            fades_at=ints["fades_at"].view(),
            protected_until=ints["protected_until"].view(),
            memo=self._memo,
        )


def _guards(states: StateRows) -> NDArray[np.uint8]:
    bits = (
        states.pinned * PINNED
        + states.verified * VERIFIED
        + states.exempt * EXEMPT
        + states.audit_evidence * AUDIT_EVIDENCE
    )
    return np.asarray(bits, dtype=np.uint8)


def _lifecycles(states: StateRows) -> NDArray[np.uint8]:
    return np.array([_CODES[each] for each in states.lifecycle], dtype=np.uint8)


def _taken(column: Growing[T], kept: IntArray) -> Growing[T]:
    values = column.view()[kept]
    taken = Growing[T](values.dtype, values.shape[1] if values.ndim == 2 else None)
    taken.extend(values)
    return taken
