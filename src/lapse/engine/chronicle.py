"""The journal, read: checked from its beginning, or told as one memory's life.

Decides how much of it is read at once. Refuses the rules themselves (`lapse.lifecycle.chronicle`),
and to write.
"""

from dataclasses import dataclass

from lapse.engine.core import Core
from lapse.engine.runtime import BankRuntime
from lapse.errors import CorruptStoreError, NotFoundError
from lapse.lifecycle.chronicle import (
    UNREADABLE,
    ChainFault,
    ChainWalk,
    Happening,
    life_of,
    stood_at,
)
from lapse.model.instants import Instant
from lapse.model.retention import Lifecycle

AT_ONCE = 1000
"""Entries read at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JournalCheck:
    """What a walk along a bank's whole journal found.

    Attributes:
        sound: Whether every entry is what was written, in its place, and none is missing.
        entries: Entries that are sound, from the first on.
        first_fault: Number of the first entry that is not, or None.
        problem: What is wrong with it, or empty.
        head: Hash of the last sound entry, in hexadecimal: whoever notes it elsewhere can tell
            later that nothing before it was rewritten.
    """

    sound: bool
    entries: int
    first_fault: int | None
    problem: str
    head: str


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """A memory's life.

    Attributes:
        memory_id: The memory.
        happenings: What happened to it, oldest first.
    """

    memory_id: str
    happenings: tuple[Happening, ...]


def verify_journal(core: Core, runtime: BankRuntime) -> JournalCheck:
    """Walk along the whole journal of a bank."""
    walk = ChainWalk()
    fault = _walked(core, runtime, walk)
    return JournalCheck(
        sound=fault is None,
        entries=walk.seq,
        first_fault=None if fault is None else fault.seq,
        problem="" if fault is None else f"journal entry {fault.seq} {fault.problem}",
        head=walk.hash.hex(),
    )


def history(core: Core, runtime: BankRuntime, memory_id: str) -> History:
    """What a memory lived through, as the journal and the log of uses tell it.

    Raises:
        NotFoundError: No such memory in this bank.
    """
    row = _row_of(core, runtime, memory_id)
    store = core.parts.store
    entries = store.journal_of(runtime.ref, memory_id)
    uses = store.events(runtime.ref, [memory_id])
    return History(memory_id=memory_id, happenings=life_of(row, entries, uses))


def lifecycle_at(
    core: Core, runtime: BankRuntime, memory_id: str, recorded: Instant
) -> Lifecycle | None:
    """Where a memory stood by what had been recorded at an instant; None before it was stored.

    Raises:
        NotFoundError: No such memory in this bank.
    """
    row = _row_of(core, runtime, memory_id)
    return stood_at(row, core.parts.store.journal_of(runtime.ref, memory_id), recorded)


def _walked(core: Core, runtime: BankRuntime, walk: ChainWalk) -> ChainFault | None:
    store, at_once = core.parts.store, AT_ONCE
    while True:
        try:
            part = store.journal(runtime.ref, walk.seq, at_once)
        except CorruptStoreError:
            if at_once == 1:
                return ChainFault(seq=walk.seq + 1, problem=UNREADABLE)
            # One by one, so that it is the first such entry that is named.
            at_once = 1
            continue
        if not part:
            return walk.end(store.journal_head(runtime.ref))
        fault = walk.take(part)
        if fault is not None:
            return fault


def _row_of(core: Core, runtime: BankRuntime, memory_id: str) -> int:
    found = core.get(runtime.ref, [memory_id])
    if not found:
        raise NotFoundError(f"no memory {memory_id} in this bank", fields={"id": memory_id})
    runtime.follow()
    return found[0].row - (0 if runtime.bank is None else runtime.bank.shift)
