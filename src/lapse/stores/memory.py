"""The in-memory store: the reference that every other store is compared with.

Decides nothing but what the protocol says, in the plainest way: each bank is a value that a write
copies, changes and puts back under one lock, so a write that fails leaves no trace. Refuses to be
fast: its cost grows with the bank. It keeps nothing beyond the process.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from threading import RLock

import numpy as np

from lapse.errors import StoreError
from lapse.model.bank import Bank
from lapse.model.canary import Canary
from lapse.model.changeset import Changes, ChangeSet, Committed
from lapse.model.closing import Closing
from lapse.model.due import Due, DueAfter, DueBy
from lapse.model.hold import Hold
from lapse.model.index_delta import IndexDelta
from lapse.model.instants import Instant
from lapse.model.journal import GENESIS, JournalEntry, follows
from lapse.model.memory import BankRef, Memory
from lapse.model.paging import Listing, Page
from lapse.model.plan import Plan, PlanHead
from lapse.model.record import Record
from lapse.model.retention import UseEvent
from lapse.model.sweep import SweepReport
from lapse.model.tombstone import KeptTombstone
from lapse.stores.applying import (
    check_standing,
    judged,
    named_ids,
    new_bank,
    stateless_error,
    stateless_fault,
)
from lapse.stores.memory_answers import Answering
from lapse.stores.memory_bank import BankData, Row
from lapse.stores.memory_columns import content_rows, state_rows
from lapse.stores.memory_copying import Copying
from lapse.stores.memory_counts import MemoryCounts
from lapse.stores.memory_graves import Graves
from lapse.stores.memory_notes import HeldNotes
from lapse.stores.memory_showing import Showing
from lapse.stores.memory_views import (
    active_of,
    cited_by_of,
    closings_of,
    due_of,
    holds_of,
    pending_of,
)
from lapse.stores.memory_words import redact, whole_view, words_of


class MemoryStore(Copying, MemoryCounts, Showing, Answering):
    """A store in RAM. Threads may share it; another process sees nothing of it."""

    def __init__(self) -> None:
        self.notes = HeldNotes()
        self.begin_anew()
        self._banks: dict[BankRef, BankData] = {}
        self._graves = Graves()
        self._next_row = 1
        self._leases: dict[tuple[BankRef, str], tuple[str, Instant]] = {}
        self._closed = False

    def begin_anew(self) -> None:
        """Let go of a lock that a thread of the parent may hold, in a forked process."""
        self._lock = RLock()
        self.notes.begin_anew()

    def commit(self, change: ChangeSet) -> Committed:
        """See `lapse.ports.Store.commit`."""
        with self._lock:
            return self._carry_out(change)

    def commit_each(self, changes: Iterable[ChangeSet]) -> list[Committed]:
        """See `lapse.ports.Store.commit_each`."""
        with self._lock:
            before = (dict(self._banks), self._graves.copy(), self._next_row)
            try:
                return [self._carry_out(each) for each in changes]
            except BaseException:
                self._banks, self._graves, self._next_row = before
                raise

    def _carry_out(self, change: ChangeSet) -> Committed:
        data = self._data(change.ref, change.now)
        changes = judged(change, whole_view(data, self._graves, change.reads))
        if changes.empty:
            revision = data.record.revision
            return Committed(revision=revision, changes=changes, enqueued=0, journal_seq=None)
        standing = {
            each: data.rows[each].standing for each in named_ids(changes) if each in data.rows
        }
        check_standing(changes, standing)
        draft = data.copy()
        self._next_row, fresh = draft.apply(changes, standing, self._next_row)
        self._banks[change.ref] = draft
        self._graves.keep(changes.tombstones)
        redact(draft, self._graves, changes.redacted)
        self._note(data, draft, changes)
        return Committed(
            revision=draft.record.revision,
            changes=changes,
            enqueued=fresh,
            journal_seq=None if changes.journal is None else draft.journal_head[0],
        )

    def bank(self, ref: BankRef) -> Bank | None:
        """See `lapse.ports.Store.bank`."""
        data = self._read(ref)
        return data.record if data.record.revision else None

    def banks(self, tenant: str) -> list[Bank]:
        """See `lapse.ports.Store.banks`."""
        with self._lock:
            self._stand_ready()
            records = [each.record for each in self._banks.values()]
        return sorted((each for each in records if each.ref.tenant == tenant), key=_by_name)

    def refs(self) -> list[BankRef]:
        """See `lapse.ports.Store.refs`."""
        with self._lock:
            self._stand_ready()
            return sorted(self._banks)

    def get(self, ref: BankRef, ids: Sequence[str]) -> list[Record]:
        """See `lapse.ports.Store.get`.

        Raises:
            CorruptStoreError: A memory asked for has no retention state.
        """
        rows = self._read(ref).rows
        return [_record(rows[each]) for each in dict.fromkeys(ids) if each in rows]

    def count(self, ref: BankRef) -> int:
        """See `lapse.ports.Store.count`."""
        return len(self._read(ref).rows)

    def active(self, ref: BankRef) -> int:
        """See `lapse.ports.Store.active`."""
        return len(active_of(self._read(ref)))

    def due(
        self, ref: BankRef, by: DueBy, until: Instant, after: DueAfter, limit: int
    ) -> list[Due]:
        """See `lapse.ports.Store.due`."""
        found = [each for each in due_of(self._read(ref), by) if each.at <= until]
        found.sort(key=lambda each: each.place)
        return [each for each in found if each.place > after][:limit]

    def sweeps(self, ref: BankRef, limit: int) -> list[SweepReport]:
        """See `lapse.ports.Store.sweeps`."""
        return self._read(ref).sweeps[-limit:] if limit > 0 else []

    def canaries(self, ref: BankRef) -> list[Canary]:
        """See `lapse.ports.Store.canaries`."""
        return list(self._read(ref).canaries.values())

    def take_lease(
        self, ref: BankRef, name: str, holder: str, *, now: Instant, until: Instant
    ) -> bool:
        """See `lapse.ports.Leasing.take_lease`."""
        with self._lock:
            self._stand_ready()
            held = self._leases.get((ref, name))
            if ref not in self._banks:
                return False
            if held is not None and held[0] != holder and 0 < held[1] - now <= 2 * (until - now):
                return False
            self._leases[(ref, name)] = (holder, until)
            return True

    def leave_lease(self, ref: BankRef, name: str, holder: str) -> None:
        """See `lapse.ports.Leasing.leave_lease`."""
        with self._lock:
            self._stand_ready()
            if self._leases.get((ref, name), ("", None))[0] == holder:
                del self._leases[(ref, name)]

    def holders(self, ref: BankRef, canonicals: Sequence[str]) -> list[str]:
        """See `lapse.ports.Store.holders`."""
        wanted = frozenset(canonicals)
        return [
            name
            for name, row in self._read(ref).rows.items()
            if any(each.canonical in wanted for each in row.facets.identifiers)
        ]

    def versions(self, ref: BankRef, memory_id: str) -> list[Memory]:
        """See `lapse.ports.Store.versions`."""
        row = self._read(ref).rows.get(memory_id)
        return [] if row is None else list(row.versions)

    def page(self, ref: BankRef, listing: Listing) -> Page:
        """See `lapse.ports.Store.page`.

        Raises:
            CorruptStoreError: A memory on the page has no retention state.
        """
        rows = self._read(ref).rows.values()
        found = [each for each in rows if each.row > listing.after and _listed(each, listing)]
        shown = tuple(_record(each) for each in found[: listing.limit])
        more = len(found) > listing.limit
        return Page(records=shown, next_after=shown[-1].row if more else None)

    def changes(self, ref: BankRef, since: int) -> IndexDelta:
        """See `lapse.ports.Store.changes`."""
        data = self._read(ref)
        rows = list(data.rows.values())
        space = data.record.space
        space_changed = data.space_revision > since
        everything = since == 0 or space_changed
        removed = [row for revision, row in data.removals if revision > since]
        return IndexDelta(
            since=since,
            revision=data.record.revision,
            content=content_rows(
                [each for each in rows if everything or each.content_revision > since], space
            ),
            states=state_rows([each for each in rows if each.state_revision > since]),
            removed=np.array(sorted(removed), dtype=np.int64),
            space=space,
            space_changed=space_changed,
            terms={name: each.id for name, each in data.terms.items() if each.revision > since},
        )

    def revision(self, ref: BankRef) -> int:
        """See `lapse.ports.Store.revision`."""
        return self._read(ref).record.revision

    def events(self, ref: BankRef, memory_ids: Sequence[str]) -> list[UseEvent]:
        """See `lapse.ports.Store.events`."""
        rows = self._read(ref).rows
        wanted = [rows[each] for each in dict.fromkeys(memory_ids) if each in rows]
        found = [use.event for row in wanted for use in row.uses]
        return sorted(found, key=lambda each: (each.at, each.memory_id, each.event_id))

    def pending_count(self, ref: BankRef) -> int:
        """See `lapse.ports.Store.pending_count`."""
        return len(pending_of(self._read(ref)))

    def pending_since(self, ref: BankRef) -> Instant | None:
        """See `lapse.ports.Store.pending_since`."""
        return next((each.event.enqueued_at for each in pending_of(self._read(ref))), None)

    def missing_vectors(self, ref: BankRef, space: int, limit: int) -> list[Record]:
        """See `lapse.ports.Store.missing_vectors`.

        Raises:
            CorruptStoreError: Such a memory has no retention state.
        """
        rows = [each for each in self._read(ref).rows.values() if space not in each.vectors]
        return [_record(each) for each in rows[:limit]]

    def stateless(self, ref: BankRef) -> list[str]:
        """See `lapse.ports.Store.stateless`."""
        return [name for name, row in self._read(ref).rows.items() if row.state is None]

    def holds(self, ref: BankRef) -> list[Hold]:
        """See `lapse.ports.Store.holds`."""
        return list(holds_of(self._read(ref)))

    def cited_by(self, ref: BankRef, ids: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
        """See `lapse.ports.Store.cited_by`."""
        data = self._read(ref)
        return cited_by_of(data, {each: data.rows[each] for each in ids if each in data.rows})

    def plan(self, ref: BankRef, plan_id: str) -> Plan | None:
        """See `lapse.ports.Store.plan`."""
        return self._read(ref).plans.get(plan_id)

    def plans(self, ref: BankRef, limit: int) -> list[PlanHead]:
        """See `lapse.ports.Store.plans`."""
        found = self._read(ref).plans.values()
        newest = sorted(found, key=lambda each: (-each.created_at, each.id))
        return [each.head for each in newest[:limit]]

    def journal(self, ref: BankRef, after: int, limit: int) -> list[JournalEntry]:
        """See `lapse.ports.Store.journal`."""
        return [each for each in self._read(ref).journal if each.seq > after][:limit]

    def words(self, ref: BankRef) -> list[str]:
        """See `lapse.ports.Store.words`."""
        with self._lock:
            return words_of(self._read(ref), self._graves)

    def closings(self, ref: BankRef, ids: Sequence[str] | None = None) -> list[Closing]:
        """See `lapse.ports.Store.closings`."""
        return closings_of(self._read(ref), ids)

    def journal_head(self, ref: BankRef) -> tuple[int, bytes]:
        """See `lapse.ports.Store.journal_head`."""
        return self._read(ref).journal_head

    def journal_of(self, ref: BankRef, memory_id: str) -> list[JournalEntry]:
        """See `lapse.ports.Store.journal_of`."""
        data = self._read(ref)
        row = data.rows.get(memory_id)
        if row is None:
            return []
        number = row.row - data.record.shift
        return [each for each in data.journal if any(item.row == number for item in each.items)]

    def faults(self, ref: BankRef) -> Iterator[str]:
        """See `lapse.ports.Store.faults`."""
        data = self._read(ref)
        yield from (stateless_fault(each) for each in self.stateless(ref))
        previous = GENESIS
        for entry in data.journal:
            if not follows(entry, previous):
                yield f"journal entry {entry.seq} does not follow the one before it"
            previous = entry.hash
        yield from data.faults()

    def tombstones(self, ref: BankRef, after: int, limit: int) -> list[KeptTombstone]:
        """See `lapse.ports.Store.tombstones`."""
        with self._lock:
            self._stand_ready()
            return list(self._graves.after(ref, after)[:limit])

    def derived(self, ref: BankRef, ids: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
        """See `lapse.ports.Store.derived`."""
        rows = self._read(ref).rows
        found = {
            source: tuple(
                name
                for name, row in rows.items()
                if source in row.memory.derived_from and name != source
            )
            for source in ids
        }
        return {source: names for source, names in found.items() if names}

    def close(self) -> None:
        """See `lapse.ports.Store.close`."""
        with self._lock:
            self._closed = True
            self._banks = {}

    def _note(self, before: BankData, after: BankData, changes: Changes) -> None:
        """Take note of a bank's new value, where it is kept in another place as well."""

    def _data(self, ref: BankRef, now: Instant) -> BankData:
        self._stand_ready()
        return self._banks.get(ref) or BankData(record=new_bank(ref, now))

    def _read(self, ref: BankRef) -> BankData:
        # A bank's data is replaced, never changed, so what is read here stays as it is.
        with self._lock:
            return self._data(ref, Instant(0))

    def _stand_ready(self) -> None:
        # A store that others write to as well takes in here what they wrote.
        if self._closed:
            raise StoreError("the store is closed: open it again")


def _listed(row: Row, listing: Listing) -> bool:
    memory, state = row.memory, row.state
    return (
        (not listing.kinds or memory.kind in listing.kinds)
        and (not listing.sessions or memory.session in listing.sessions)
        and (not listing.lifecycles or state is None or state.lifecycle in listing.lifecycles)
        and (listing.key is None or memory.key == listing.key)
        and (listing.subject is None or memory.subject == listing.subject)
        and (listing.tag is None or listing.tag in memory.tags)
        and (not listing.latest_only or (memory.is_latest and memory.recorded_to is None))
    )


def _record(row: Row) -> Record:
    record = row.record
    if record is None:
        raise stateless_error(row.memory.id)
    return record


def _by_name(bank: Bank) -> str:
    return bank.ref.name
