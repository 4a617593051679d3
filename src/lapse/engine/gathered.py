"""What waits to be consolidated in a bank: sessions that have gathered enough, as they are read.

Decides what is read of a bank for it, and at which revision. Refuses to summarise and to write.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from lapse.engine.core import Core
from lapse.engine.runtime import BankRuntime
from lapse.index.snapshot import Snapshot
from lapse.index.states import ACTIVE
from lapse.model.instants import Instant
from lapse.model.memory import Memory
from lapse.model.record import Record
from lapse.model.verbs import Verb
from lapse.reflection.gathering import DECIMALS, Gathered, enough, gathered
from lapse.reflection.ledger import Ledger

MOST_READ: Final = 200
"""Memories read by one pass, those told first; what is left of a session waits for the next."""

OBSERVATIONS_LOOKED_AT: Final = 200
"""Latest memories made by earlier passes that sentences are compared with."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """One session to consolidate.

    Attributes:
        session: The session.
        records: Its memories that were not considered yet, in the order told; those that were
            derived themselves are among them, and are not read.
        total: Importance gathered by those that are read or wait for a later pass.
        rows: Numbers of `records` in the bank's journal.
    """

    session: str
    records: tuple[Record, ...]
    total: float
    rows: tuple[int, ...]

    @property
    def memories(self) -> tuple[Memory, ...]:
        """What is read: nobody summarises summaries."""
        return tuple(each.memory for each in self.records if not each.memory.derived_from)

    @property
    def ids(self) -> tuple[str, ...]:
        """Ids of all of its memories."""
        return tuple(each.memory.id for each in self.records)


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """A bank at one revision, with the ledger of what was consolidated up to it.

    Attributes:
        snapshot: The bank.
        ledger: See `Ledger`.
        shift: How far internal numbers lie above the journal's.
        now: When it was looked at.
        default_importance: Of what nobody rated.
    """

    core: Core = field(repr=False)
    runtime: BankRuntime = field(repr=False)
    snapshot: Snapshot
    ledger: Ledger
    shift: int
    now: Instant
    default_importance: float

    def due(self, threshold: float) -> Iterator[Work]:
        """The sessions that have gathered so much, those with the oldest memory first."""
        for each in self._gathered():
            # What was derived is in the sum of the index: the memories themselves decide.
            work = self._work(each) if enough(each.total, threshold) else None
            if work is not None and enough(work.total, threshold):
                yield work

    def of(self, session: str) -> Work | None:
        """What a session has gathered, however little; None for nothing at all."""
        code = self.snapshot.codes.session.find(session)
        found = next((each for each in self._gathered() if each.session == code), None)
        return None if found is None else self._work(found)

    def observations(self) -> list[Record]:
        """The latest memories that passes made and that stand, in the order made."""
        live = self.snapshot.live
        made = np.array(self.ledger.made, dtype=np.int64) + self.shift
        slots = np.flatnonzero(np.isin(live.rows, made) & (live.status == ACTIVE))
        slots = slots[np.argsort(live.rows[slots])][-OBSERVATIONS_LOOKED_AT:]
        records = self.core.get(self.runtime.ref, [live.ids[int(each)] for each in slots])
        return [each for each in records if each.memory.current]

    def _gathered(self) -> list[Gathered]:
        considered = {each + self.shift for each in self.ledger.considered}
        snapshot = self.snapshot
        return gathered(
            snapshot.live, snapshot.states, considered, self.default_importance, self.now
        )

    def _work(self, found: Gathered) -> Work | None:
        ids = [self.snapshot.live.ids[int(each)] for each in found.slots]
        records = self.core.get(self.runtime.ref, ids)
        told = [each for each in records if not each.memory.derived_from]
        if not told:
            return None
        first = records[:MOST_READ]
        weights = [self._importance(each) for each in told]
        return Work(
            session=told[0].memory.session or "",
            records=tuple(first),
            total=round(sum(weights), DECIMALS),
            rows=tuple(each.row - self.shift for each in first),
        )

    def _importance(self, record: Record) -> float:
        rated = record.state.importance
        return self.default_importance if rated is None else rated


def look(core: Core, runtime: BankRuntime) -> Waiting:
    """Read the bank, and what its journal tells of consolidation since the last look."""
    snapshot = runtime.refresh()
    store, ref = core.parts.store, runtime.ref
    with runtime.lock:
        ledger = runtime.ledger
        head = store.journal_head(ref)[0]
        ledger.take(store.journal_by(ref, Verb.CONSOLIDATE, ledger.through))
        ledger.through = max(ledger.through, head)
    bank = runtime.bank
    return Waiting(
        core=core,
        runtime=runtime,
        snapshot=snapshot,
        ledger=ledger,
        shift=0 if bank is None else bank.shift,
        now=core.now(),
        default_importance=runtime.rule.policy.scoring.default_importance,
    )


def unchanged(before: Sequence[Record], after: Sequence[Record]) -> bool:
    """Whether memories that were read are as they were read."""
    return [_read(each) for each in before] == [_read(each) for each in after]


def _read(record: Record) -> tuple[object, ...]:
    memory = record.memory
    return memory.id, memory.content_version, memory.current, record.state.lifecycle
