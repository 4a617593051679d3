"""The engine's heart: open banks, and the one way to commit and to fetch.

Decides how a bank is found, that every verb goes through one `commit`, and that whoever meets a
memory whose state was lost has it repaired and goes on. Refuses any rule.
"""

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from lapse.cache.dying import letting_die
from lapse.engine.parts import Parts
from lapse.engine.repairing import gate_of, repair
from lapse.engine.runtime import SYSTEM, BankRuntime
from lapse.engine.untyped import check_actor
from lapse.erasure.checking import Refusal
from lapse.errors import CorruptStoreError, GuardedError, StoreError, TombstonedError
from lapse.model.bank import Bank
from lapse.model.changeset import Changes, ChangeSet, Committed, Judge
from lapse.model.guards import Spared
from lapse.model.instants import Instant
from lapse.model.memory import BankRef, Memory, TextFacets
from lapse.model.paging import Listing, Page
from lapse.model.record import Record
from lapse.model.tally import Tally
from lapse.model.verbs import VERBS, Verb
from lapse.model.view import Reads, View
from lapse.text.classes import classes_told
from lapse.text.distinctions import distinctions_of
from lapse.text.fingerprints import fingerprint
from lapse.text.identifiers.kept import kept_identifiers
from lapse.text.tokens import Tokeniser

T = TypeVar("T")

_BY_NO_POLICY = frozenset({Verb.SET_POLICY, Verb.BACKUP, Verb.ADOPT, Verb.RESTORE_BACKUP})
"""Verbs that go by no policy, so that one in contradiction does not stop them."""

__all__ = ["SYSTEM", "Core", "check_actor", "facets_of", "guarded", "tombstoned"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Write:
    """One write of `Core.commit_each`; see `ChangeSet`."""

    verb: Verb
    ref: BankRef
    reads: Reads
    judge: Judge


class Core:
    """Open banks of one store. Thread-safe."""

    def __init__(self, parts: Parts) -> None:
        """Compose; nothing is read until a bank is asked for."""
        self.parts = parts
        self._closed = False
        self.begin_anew()

    def begin_anew(self) -> None:
        """Forget every open bank, as a process must that was forked while threads used them.

        Their locks may be held by threads that are not here, and what they hold in RAM may be half
        changed. What waits there to be written is written by the parent.
        """
        self.parts.product.begin_anew()
        self.parts.turns.begin_anew()
        self._lock = threading.Lock()
        self._banks: OrderedDict[BankRef, BankRuntime] = OrderedDict()

    @property
    def closed(self) -> bool:
        """Whether `shut` was called."""
        return self._closed

    def runtime(self, ref: BankRef) -> BankRuntime:
        """The open bank of that name.

        Raises:
            StoreError: The engine was closed.
        """
        with self._lock:
            if self._closed:
                raise StoreError("this Lapse is closed; open it again")
            if ref not in self._banks:
                self._banks[ref] = BankRuntime(self.parts, ref)
                self._make_room()
            self._banks.move_to_end(ref)
            return self._banks[ref]

    def _make_room(self) -> None:
        """Let go of the banks used longest ago; whoever works on one goes on with it.

        What waits there in RAM to be written is not let go.
        """
        excess = len(self._banks) - self.parts.open_banks
        idle = [ref for ref, each in list(self._banks.items())[:-1] if not each.returned]
        for ref in idle[: max(excess, 0)]:
            del self._banks[ref]

    def open_banks(self) -> list[BankRuntime]:
        """The banks this process has touched, by name."""
        with self._lock:
            return [self._banks[ref] for ref in sorted(self._banks)]

    def now(self) -> Instant:
        """Read the clock: once per operation."""
        return self.parts.clock.now()

    def commit(
        self, verb: Verb, ref: BankRef, now: Instant, reads: Reads, judge: Judge
    ) -> Committed:
        """Commit one verb. Every write passes the gate here, inside its transaction.

        Raises:
            KeyMissingError: A key that something was erased under is missing, and content is told.
            TombstonedError: It would have brought back what was erased; that it was refused is
                journalled, and nothing else was written.
            GuardedError: It would have taken away what a guard spares; that it was refused is
                journalled, and nothing else was written.
            PolicyError: The bank's policy contradicts the deployment's, so that nothing but
                another policy can be written, and that a copy is made.
        """
        runtime = self.runtime(ref)
        if verb not in _BY_NO_POLICY:
            runtime.check_policy()
        gate = gate_of(runtime, verb, now)
        watch = runtime.watch()
        change = ChangeSet(
            verb=verb,
            ref=ref,
            now=now,
            reads=replace(
                reads,
                cited=reads.cited or VERBS[verb].departs,
                tombstones=watch.index.seen,
            ),
            judge=_through(self.parts.via(), gate.around(watch.around(letting_die(judge)))),
        )
        committed = self._mending(ref, lambda: self.parts.store.commit(change))
        runtime.wrote(committed)
        if gate.stopped:
            raise guarded(gate.stopped)
        if watch.refused:
            raise tombstoned(watch.refused)
        return committed

    def commit_each(self, now: Instant, writes: Iterable[Write]) -> list[Committed]:
        """Commit many writes as one, whatever their banks: all of them, or none.

        Each is held against guards and tombstones as by `commit`; what stops one stops all. That it
        was refused is journalled in the bank that refused, by a write of its own.
        """
        touched: dict[BankRef, BankRuntime] = {}
        refused: list[tuple[Write, Changes]] = []

        def drawn() -> Iterator[ChangeSet]:
            for each in writes:
                touched[each.ref] = self.runtime(each.ref)
                yield self._change_of(touched[each.ref], now, each, refused)

        try:
            return self.parts.store.commit_each(drawn())
        except BaseException:
            # What was seen inside the transaction is not there after all.
            for each in touched.values():
                each.unwatch()
            for write, changes in refused:
                self._journal_refusal(write, changes, now)
            raise

    def _journal_refusal(self, write: Write, changes: Changes, now: Instant) -> None:
        if changes.journal is not None and self.parts.store.bank(write.ref) is not None:
            self.commit(write.verb, write.ref, now, Reads(), lambda _: changes)

    def _change_of(
        self,
        runtime: BankRuntime,
        now: Instant,
        write: Write,
        refused: list[tuple[Write, Changes]],
    ) -> ChangeSet:
        runtime.check_policy()
        gate = gate_of(runtime, write.verb, now)
        watch = runtime.watch()
        passing = _through(self.parts.via(), gate.around(watch.around(letting_die(write.judge))))

        def judge(view: View) -> Changes:
            changes = passing(view)
            if gate.stopped or watch.refused:
                refused.append((write, changes))
            if gate.stopped:
                raise guarded(gate.stopped)
            if watch.refused:
                raise tombstoned(watch.refused)
            return changes

        reads = replace(
            write.reads,
            cited=write.reads.cited or VERBS[write.verb].departs,
            tombstones=watch.index.seen,
        )
        return ChangeSet(verb=write.verb, ref=write.ref, now=now, reads=reads, judge=judge)

    def contents(self, ref: BankRef, ids: Sequence[str]) -> list[Memory]:
        """`Store.contents`."""
        return self.parts.store.contents(ref, ids)

    def get(self, ref: BankRef, ids: Sequence[str]) -> list[Record]:
        """`Store.get`."""
        return self._mending(ref, lambda: self.parts.store.get(ref, ids))

    def page(self, ref: BankRef, listing: Listing) -> Page:
        """`Store.page`."""
        return self._mending(ref, lambda: self.parts.store.page(ref, listing))

    def tally(self, ref: BankRef, now: Instant, space: int | None) -> Tally:
        """`Store.tally`, of a bank in which no memory lacks its state."""
        found = self.parts.store.tally(ref, now, space)
        if sum(found.by_lifecycle.values()) < found.memories and self.repair(ref):
            return self.parts.store.tally(ref, now, space)
        return found

    def missing_vectors(self, ref: BankRef, space: int, limit: int) -> list[Record]:
        """`Store.missing_vectors`."""
        return self._mending(ref, lambda: self.parts.store.missing_vectors(ref, space, limit))

    def look(self, ref: BankRef, ids: Sequence[str]) -> View:
        """What a judge would see of these memories, outside any transaction: for a preview."""
        store = self.parts.store
        records = {each.memory.id: each for each in self.get(ref, ids)}
        return View(
            bank=store.bank(ref) or Bank(ref=ref, created_at=self.now()),
            records=records,
            same_text={},
            same_key={},
            pending=(),
            events={},
            stateless={},
            holds=tuple(store.holds(ref)),
        )

    def repair(self, ref: BankRef) -> int:
        """Give every memory of the bank whose state was lost a new one. Returns how many."""
        runtime = self.runtime(ref)
        runtime.check_policy()
        return repair(self.parts, runtime)

    def shut(self) -> None:
        """Refuse further work and close the store."""
        with self._lock:
            self._closed = True
        self.parts.product.close()
        self.parts.store.close()

    def _mending(self, ref: BankRef, act: Callable[[], T]) -> T:
        try:
            return act()
        except CorruptStoreError:
            if self.repair(ref) == 0:
                raise
            return act()


def _through(via: str, judge: Judge) -> Judge:
    """A judge whose journal entry says through which face the act came."""

    def judged(view: View) -> Changes:
        changes = judge(view)
        if changes.journal is None:
            return changes
        return replace(changes, journal=replace(changes.journal, via=via))

    return judged if via else judge


def guarded(spared: Sequence[Spared]) -> GuardedError:
    """The error of a write that guards refused."""
    told = ", ".join(f"{each.memory_id} ({each.guard})" for each in spared)
    return GuardedError(
        f"spared by a guard, nothing was done: {told}",
        fields={
            "ids": ", ".join(each.memory_id for each in spared),
            "guards": ", ".join(each.guard for each in spared),
        },
    )


def tombstoned(refused: Sequence[Refusal]) -> TombstonedError:
    """The error of a write that would have brought back what was erased."""
    memories = [each for each in refused if each.memory_id and not each.telling]
    if not memories:
        return TombstonedError(
            "the reason, name, id or question repeats what was erased, nothing was done "
            f"({refused[0].tombstone}): say it without those words",
            fields={"tombstones": refused[0].tombstone, "met": refused[0].met.value},
        )
    told = ", ".join(f"{each.memory_id} ({each.met}, {each.tombstone})" for each in memories)
    return TombstonedError(
        f"erased before, nothing was stored: {told}; lift_tombstone allows it again",
        fields={
            "ids": ", ".join(each.memory_id for each in memories),
            "tombstones": ", ".join(dict.fromkeys(each.tombstone for each in refused)),
            "met": ", ".join(dict.fromkeys(each.met.value for each in refused)),
        },
    )


def facets_of(runtime: BankRuntime, texts: Sequence[str]) -> list[TextFacets]:
    """What the text layer reads off each text."""
    return facets_by(runtime.tokeniser, texts)


def facets_by(tokeniser: Tokeniser, texts: Sequence[str]) -> list[TextFacets]:
    """What the text layer reads off each text with one tokeniser."""
    return [
        TextFacets(
            terms=(*tokeniser.terms(text), *classes_told(text)),
            fingerprint=fingerprint(text),
            distinctions=_digest(text),
            word_count=len(text.split()),
            identifiers=kept_identifiers(text),
        )
        for text in texts
    ]


def _digest(text: str) -> bytes:
    # What must be equal in two texts whatever else is: a cheap test before the whole comparison.
    read = distinctions_of(text)
    parts = (read.numbers, read.identifiers, read.negations)
    joined = "\x1e".join("\x1f".join(each) for each in parts)
    return hashlib.blake2b(joined.encode("utf-8", "surrogatepass"), digest_size=8).digest()
