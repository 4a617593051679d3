"""Stores to sweep, made quickly: real memories of a few kinds, written over and over.

Decides what such a store holds. Refuses to measure it. One memory of each kind is told to a bank in
RAM, which reads, dates and counts it as it would any other; its copies differ in id and fingerprint
alone, and are written through the store's own commit.
"""

import os
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from lapse.engine.core import Core
from lapse.engine.parts import Parts
from lapse.engine.plan_requests import Wish
from lapse.engine.products import SharedProduct
from lapse.faces.app import Lapse
from lapse.faces.keys import HeldKeys
from lapse.faces.outside import TimeOrderedIds
from lapse.model.changeset import Changes, ChangeSet, Committed
from lapse.model.instants import DAY, Instant, parse_instant
from lapse.model.journal import JournalDraft
from lapse.model.memory import BankRef
from lapse.model.policy import Policy
from lapse.model.policy_layers import DEFAULT, Layer, Origin, apply, difference
from lapse.model.policy_sources import from_diff
from lapse.model.record import NewRecord
from lapse.model.verbs import Verb
from lapse.model.view import Reads
from lapse.ports import Store
from lapse.stores.memory import MemoryStore
from lapse.testing.fakes import FakeClock, Written

REF = BankRef(name="swept")
NOW = parse_instant("2026-06-01T03:00Z", "now")
OLD = Instant(NOW - 120 * DAY)
BATCH = 5_000
CITING = 100
"""Memories that one summary cites."""

POLICY: Policy = apply(
    DEFAULT,
    from_diff(
        {
            "forgetting.mode": "lifecycle",
            "forgetting.auto_apply": True,
            "retention.max_active": "none",
        }
    ),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Contents:
    """How many memories of each kind a store holds.

    Attributes:
        healthy: Told yesterday, of middling importance.
        due: Told long ago, trivial, past level and grace.
        pinned: As those that are due, but pinned.
        held, cited: As those that are due, but under a hold, or cited by an active memory.
    """

    healthy: int
    due: int
    pinned: int = 0
    held: int = 0
    cited: int = 0


def composed(store: Store, clock: FakeClock) -> Core:
    """An engine over a store, without vectors and without a thread of its own."""
    return Core(
        Parts(
            store=store,
            clock=clock,
            new_id=TimeOrderedIds(os.urandom),
            entropy=os.urandom,
            embedder=None,
            count_tokens=None,
            rerank=None,
            deployment=(Layer(origin=Origin.PRESET, diff=difference(POLICY)),),
            wake=lambda: None,
            stopwatch=time.perf_counter,
            product=SharedProduct(1),
            keys=HeldKeys(os.urandom),
        )
    )


def fill(path: Path, contents: Contents) -> None:
    """Make a store in a file."""
    clock = FakeClock(NOW)
    with Lapse.open(path, policy=POLICY, embedder=None, clock=clock, background=False) as mind:
        fill_store(mind, contents)


def fill_store(mind: Lapse, contents: Contents) -> None:
    """Fill the bank of a store that is empty."""
    bank = mind.bank(REF.name)
    bank.remember("The first ship of the year", id="first", importance=0.5)
    store = mind._core.parts.store  # noqa: SLF001 - the fastest way in is no verb
    _write(store, "healthy", contents.healthy, _example(Instant(NOW - DAY), 0.5))
    trivial = _example(OLD, 0.0)
    pinned = replace(trivial.state, pinned=True, fades_at=None, expires_at=None)
    _write(store, "due", contents.due, trivial)
    _write(store, "pinned", contents.pinned, replace(trivial, state=pinned))
    _write(store, "held", contents.held, trivial)
    _write(store, "cited", contents.cited, trivial)
    if contents.held:
        bank.hold("case", ids=list(_ids("held", contents.held)), by="counsel", reason="a case")
    for number, ids in enumerate(portions(_ids("cited", contents.cited), CITING)):
        bank.remember(
            f"Ships seen, part {number}", derived_from=list(ids), importance=0.8, by="host"
        )


def level_wish() -> Wish:
    """A plan by the policy's own score and level."""
    return Wish(verb="archive", by="benchmark")


class _Kept(MemoryStore):
    """A store that keeps what the last commit created."""

    created: tuple[NewRecord, ...] = ()

    def commit(self, change: ChangeSet) -> Committed:
        committed = super().commit(change)
        self.created = committed.changes.created or self.created
        return committed


def _example(at: Instant, importance: float) -> NewRecord:
    """A memory as a bank composes and dates it."""
    store = _Kept()
    mind = Lapse(composed(store, FakeClock(at)), None)
    mind.bank(REF.name).remember("A ship called at the quay at noon", importance=importance)
    (created,) = store.created
    return created


def _ids(kind: str, count: int) -> Iterator[str]:
    return (f"{kind}{number:07}" for number in range(count))


def _write(store: Store, kind: str, count: int, example: NewRecord) -> None:
    for ids in portions(_ids(kind, count), BATCH):
        created = tuple(_copy(example, each) for each in ids)
        draft = JournalDraft(verb=Verb.REMEMBER_MANY, at=NOW, by="benchmark")
        judge = Written(changes=Changes(created=created, journal=draft))
        store.commit(
            ChangeSet(verb=Verb.REMEMBER_MANY, ref=REF, now=NOW, reads=Reads(), judge=judge)
        )


def _copy(example: NewRecord, memory_id: str) -> NewRecord:
    # Fingerprints that grow with the ids keep the index of fingerprints compact, and the writing
    # of a million rows short.
    fingerprint = memory_id.encode().ljust(16, b" ")[:16]
    return replace(
        example,
        memory=replace(example.memory, id=memory_id, fingerprint=fingerprint),
        facets=replace(example.facets, fingerprint=fingerprint),
    )


def portions(ids: Iterator[str], size: int) -> Iterator[tuple[str, ...]]:
    """The ids, so many at a time."""
    while portion := tuple(islice(ids, size)):
        yield portion
