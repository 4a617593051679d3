"""Reading: memories as they are stored, and what can be counted about a bank.

Decides how a page continues and what the statistics are. Refuses to count a read as a use: looking
changes nothing.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from lapse.engine.answers import counts
from lapse.engine.core import Core
from lapse.engine.embedding import contradiction_of
from lapse.engine.runtime import BankRuntime
from lapse.errors import CorruptStoreError, NotFoundError
from lapse.model.answer import CacheCounts
from lapse.model.instants import Instant
from lapse.model.memory import Kind
from lapse.model.paging import PAGE_LIMIT, Listing
from lapse.model.policy import Mode
from lapse.model.record import Record
from lapse.model.retention import ImportanceSource, Lifecycle
from lapse.model.sweep import SweepReport
from lapse.text.fingerprints import fingerprint

HISTORY = 52
"""Sweeps that a history goes back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stats:
    """What can be counted about a bank, at one instant.

    Attributes:
        at: When it was counted.
        revision: Committed writes so far.
        memories: All stored memories.
        by_lifecycle, by_kind: The same, divided.
        by_rater: The same, by who rated their importance.
        current: Claims and memories that hold: latest and not retracted.
        faded: Active memories whose `fades_at` has passed.
        pinned: Memories with a pin.
        pending_events: Events waiting to be folded in.
        late_events: Events refused because they came too late to count.
        embedder: Embedder of the bank's vectors, or None without any.
        epoch: Number of memories at the snapshot of the IDF in use.
        without_vector: Memories found by text only.
        tombstones: In force, of memories that were erased from this bank.
        mode: Mode in force.
        policy: Fingerprint of the policy in force.
        store_bytes: Bytes the whole store takes where it is kept.
        cache: How the cache of answers stands; its counts of use are this process's own.
        sweeps: Reports of the latest sweeps, oldest first; None where they were not asked for.
    """

    at: Instant
    revision: int
    memories: int
    by_lifecycle: dict[Lifecycle, int]
    by_kind: dict[Kind, int]
    by_rater: dict[ImportanceSource, int]
    current: int
    faded: int
    pinned: int
    pending_events: int
    late_events: int
    embedder: str | None
    epoch: int
    without_vector: int
    mode: Mode
    policy: str
    store_bytes: int
    tombstones: int = 0
    cache: CacheCounts = field(default_factory=CacheCounts)
    sweeps: tuple[SweepReport, ...] | None = None


def fetch(core: Core, runtime: BankRuntime, ids: Sequence[str]) -> list[Record]:
    """Memories by id, in the order asked.

    Raises:
        NotFoundError: Some are not in this bank; all of them are named.
    """
    records = core.get(runtime.ref, ids)
    found = {each.memory.id: each for each in records}
    missing = [each for each in ids if each not in found]
    if missing:
        raise NotFoundError(
            f"no such memories in this bank: {', '.join(missing)}",
            fields={"ids": ", ".join(missing)},
        )
    return [found[each] for each in ids]


def count(core: Core, runtime: BankRuntime, *, history: bool = False) -> Stats:
    """Count what the bank holds; with its history, tell of its latest sweeps too."""
    now = core.now()
    runtime.follow()
    store, rule, bank = core.parts.store, runtime.rule, runtime.bank
    space = None if bank is None else bank.space
    tally = core.tally(runtime.ref, now, None if space is None else space.number)
    return Stats(
        at=now,
        revision=0 if bank is None else bank.revision,
        memories=tally.memories,
        by_lifecycle=dict(sorted(tally.by_lifecycle.items())),
        by_kind=dict(sorted(tally.by_kind.items())),
        by_rater=dict(sorted(tally.by_rater.items())),
        current=tally.current,
        faded=tally.faded,
        pinned=tally.pinned,
        pending_events=store.pending_count(runtime.ref),
        late_events=0 if bank is None else bank.late_events,
        embedder=None if space is None else space.embedder,
        epoch=0 if space is None else space.epoch,
        without_vector=tally.without_vector,
        tombstones=tally.tombstones,
        mode=rule.mode,
        policy=rule.fingerprint,
        store_bytes=store.size_bytes(),
        cache=counts(core, runtime),
        sweeps=tuple(store.sweeps(runtime.ref, HISTORY)) if history else None,
    )


def diagnose(core: Core, runtime: BankRuntime) -> list[str]:
    """One sentence for each thing in the bank that contradicts another; none when all is well."""
    stored = list(core.parts.store.faults(runtime.ref))
    try:
        runtime.follow()
    except CorruptStoreError:
        # The store has just said so, and without the bank's record there is nothing to compare.
        return stored
    contradicted = [f"the bank's policy is not in force: {each}" for each in runtime.policy_faults]
    odd = contradiction_of(runtime.bank, core.parts.embedder)
    return [*stored, *contradicted, *odd, *_altered(core, runtime)]


def _altered(core: Core, runtime: BankRuntime) -> Iterator[str]:
    """Memories whose text is not the one they were written with."""
    after: int | None = 0
    while after is not None:
        try:
            # Straight from the store: whoever examines must not mend.
            page = core.parts.store.page(runtime.ref, Listing(after=after, limit=PAGE_LIMIT))
        except CorruptStoreError:
            return  # the store has said which memories cannot be read
        for memory in (each.memory for each in page.records):
            if fingerprint(memory.text) != memory.fingerprint:
                yield (
                    f"memory {memory.id!r} has another text than it was written with: "
                    "restore a backup, or update it"
                )
        after = page.next_after
