"""What a store decided since a copy of it was made.

Decides what counts as a decision that outlives going back to the copy: what was put out of mind,
what was taken back, what was replaced; and which of it can be done again there. Refuses to do it
(`restoring`), and to look at marks and strengths: going back to those is what a copy is for.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from lapse.model.dump import KeptMemory
from lapse.model.memory import BankRef, Memory
from lapse.model.retention import Lifecycle, RetentionState
from lapse.ports import Store

OUTWARD: Mapping[Lifecycle, int] = {
    Lifecycle.ACTIVE: 0,
    Lifecycle.SUPPRESSED: 1,
    Lifecycle.ARCHIVED: 2,
    Lifecycle.ERASED: 3,
}
"""How far out of sight a memory is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Away:
    """Where a memory stands out of mind, and why."""

    lifecycle: Lifecycle
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How the memories of one bank stand in the store that is gone back from.

    Attributes:
        ids: All that are there.
        away: Those out of mind.
        retracted: Those taken back.
        replaced: Those that another took the place of.
    """

    ids: frozenset[str]
    away: Mapping[str, Away]
    retracted: frozenset[str]
    replaced: frozenset[str]


def standing_of(store: Store, ref: BankRef) -> Standing | None:
    """How a bank stands; None where there is none."""
    if store.bank(ref) is None:
        return None
    ids: set[str] = set()
    away: dict[str, Away] = {}
    retracted: set[str] = set()
    replaced: set[str] = set()
    for piece in store.dump(ref):
        if not isinstance(piece, KeptMemory):
            continue
        name = piece.memory.id
        ids.add(name)
        if piece.state.lifecycle is not Lifecycle.ACTIVE:
            away[name] = _away(piece.state)
        if piece.memory.recorded_to is not None:
            retracted.add(name)
        if was_replaced(piece.memory):
            replaced.add(name)
    return Standing(
        ids=frozenset(ids),
        away=away,
        retracted=frozenset(retracted),
        replaced=frozenset(replaced),
    )


def was_replaced(memory: Memory) -> bool:
    """Whether another took its place."""
    return not memory.is_latest or memory.superseded_by is not None


def _away(state: RetentionState) -> Away:
    last = state.transition
    return Away(lifecycle=state.lifecycle, reason="" if last is None else last.reason)
