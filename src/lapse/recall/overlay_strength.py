"""How strongly another store's candidates are held.

Decides that a candidate known here by id has the strength it has here, and that any other was told
once, at its own date. Refuses to store anything.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lapse.index.states import ACTIVE, StateColumns
from lapse.index.strength import strength_columns
from lapse.laws import Law, Seed, StrengthColumns, effective_decay
from lapse.laws.traces import told_once
from lapse.model.index_delta import MISSING, FloatArray, IntArray
from lapse.model.instants import Instant
from lapse.model.memory import Kind
from lapse.model.policy import Anchor, LawName, Mode, Policy
from lapse.model.query import Candidate
from lapse.recall.overlay_known import Known

_SEEDED = (LawName.EBBINGHAUS, LawName.FSRS)
"""Laws whose first stability depends on what is told."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Held:
    """What is known of c candidates beside their relevance; arrays of shape (c,).

    Attributes:
        columns: What the laws read; None where strength does not exist (mode off).
    """

    columns: StrengthColumns | None
    created_at: IntArray
    occurred_at: IntArray
    proof_count: IntArray
    guards: NDArray[np.uint8]
    lifecycle: NDArray[np.uint8]
    use_count: IntArray


def held_by(
    candidates: Sequence[Candidate],
    known: Known,
    states: StateColumns,
    now: Instant,
    rules: tuple[Policy, Law],
) -> Held:
    """Look up what the bank knows of each candidate by its id, and take the rest as told once."""
    policy, law = rules
    count = len(candidates)
    created = [now if each.created_at is None else each.created_at for each in candidates]
    occurred = [MISSING if each.occurred_at is None else each.occurred_at for each in candidates]
    held = Held(
        columns=None,
        created_at=np.array(created, dtype=np.int64),
        occurred_at=np.array(occurred, dtype=np.int64),
        proof_count=np.ones(count, np.int64),
        guards=np.zeros(count, np.uint8),
        lifecycle=np.full(count, ACTIVE, np.uint8),
        use_count=np.zeros(count, np.int64),
    )
    columns = None
    if policy.forgetting.effective_mode.allows(Mode.OBSERVE):
        columns = _told_once(candidates, held, policy, law)
    for each in (known.live, known.archived):
        records = each.columns.state[each.slots]
        held.proof_count[each.places] = each.columns.proof_count[each.slots]
        held.guards[each.places] = states.guards[records]
        held.lifecycle[each.places] = each.columns.status[each.slots]
        held.use_count[each.places] = states.reinforcement_count[records]
        if columns is not None and len(records):
            source = strength_columns(each.columns, states, each.slots, policy)
            _overwrite(columns, each.places, source)
    return Held(
        columns=columns,
        created_at=held.created_at,
        occurred_at=held.occurred_at,
        proof_count=held.proof_count,
        guards=held.guards,
        lifecycle=held.lifecycle,
        use_count=held.use_count,
    )


def _told_once(
    candidates: Sequence[Candidate], held: Held, policy: Policy, law: Law
) -> StrengthColumns:
    count = len(candidates)
    born = held.created_at
    if policy.law.anchor is Anchor.EVENT:
        born = np.where(held.occurred_at == MISSING, born, held.occurred_at)
    default = policy.scoring.default_importance
    importance: FloatArray = np.array(
        [default if each.importance is None else each.importance for each in candidates],
        dtype=np.float64,
    )
    stability, difficulty = _first_strength(candidates, importance, policy, law)
    traces = np.repeat(np.array(told_once(), dtype=np.float64)[:, np.newaxis], count, axis=1)
    return StrengthColumns(
        created_at=born.copy(),
        last_counted_at=born.copy(),
        traces_at=born.copy(),
        traces=np.ascontiguousarray(traces),
        stability_days=stability,
        difficulty=difficulty,
        importance=importance,
        decay=effective_decay(
            policy.law,
            importance=importance,
            confidence=policy.memory.confidence,
            proof_count=1,
            entity_count=0,
        ),
    )


def _first_strength(
    candidates: Sequence[Candidate], importance: FloatArray, policy: Policy, law: Law
) -> tuple[FloatArray, FloatArray]:
    """First stability and difficulty of each candidate, worked out once for each way of telling."""
    if law.name not in _SEEDED:
        told = law.initial(Seed(created_at=Instant(0)))
        count = len(candidates)
        return np.full(count, told.stability_days), np.full(count, told.difficulty)
    known: dict[tuple[Kind, float], tuple[float, float]] = {}
    first: list[tuple[float, float]] = []
    for each, rated in zip(candidates, importance.tolist(), strict=True):
        kind = policy.memory.default_kind if each.kind is None else each.kind
        key = (kind, rated)
        if key not in known:
            told = law.initial(Seed(created_at=Instant(0), kind=kind, importance=rated))
            known[key] = (told.stability_days, told.difficulty)
        first.append(known[key])
    stability, difficulty = np.array(first, dtype=np.float64).reshape(-1, 2).T
    return stability.copy(), difficulty.copy()


def _overwrite(target: StrengthColumns, places: IntArray, source: StrengthColumns) -> None:
    """Put what the bank knows in the place of what was assumed; the columns are ours alone yet."""
    for name in StrengthColumns.__dataclass_fields__:
        if name == "traces":
            target.traces[:, places] = source.traces
        else:
            getattr(target, name)[places] = getattr(source, name)
