"""What the stores in SQL do alike: each question as statements on one connection.

Decides which statements answer which question of the protocol, in whatever dialect. Refuses to know
how a connection is come by, and where a transaction begins and ends in detail: the stores do.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from itertools import chain
from typing import ClassVar, Final

from lapse.model.canary import Canary
from lapse.model.changeset import Bank, Changes, ChangeSet, Committed, Record
from lapse.model.closing import Closing
from lapse.model.due import Due, DueAfter, DueBy
from lapse.model.dump import Piece
from lapse.model.hold import Hold
from lapse.model.index_delta import IndexDelta
from lapse.model.instants import Instant
from lapse.model.journal import JournalEntry
from lapse.model.memory import BankRef, Memory, MemoryRef, can_be_kept
from lapse.model.paging import Listing, Page
from lapse.model.plan import Plan, PlanHead
from lapse.model.proposal import Proposal, ProposalStatus
from lapse.model.retention import UseEvent
from lapse.model.sweep import SweepReport
from lapse.model.term_counts import TermCounts
from lapse.model.tombstone import KeptTombstone
from lapse.stores.applying import check_standing, judged, named_ids
from lapse.stores.sql import statements
from lapse.stores.sql.banks import BankRow, Banks
from lapse.stores.sql.connections import legible
from lapse.stores.sql.copying import dump, get_copied, get_copies
from lapse.stores.sql.counting import get_term_counts
from lapse.stores.sql.deltas import get_changes
from lapse.stores.sql.doctor import Look, find_faults, find_stateless
from lapse.stores.sql.driver import Connection
from lapse.stores.sql.graves import get_tombstones
from lapse.stores.sql.holding import get_cited_by, get_derived, get_holds
from lapse.stores.sql.identifying import get_holders
from lapse.stores.sql.journal_rows import get_entries_of, get_head, read_entry
from lapse.stores.sql.planning import get_plan, get_plans
from lapse.stores.sql.reading import (
    get_contents,
    get_events,
    get_missing,
    get_page,
    get_records,
    get_rows,
    get_standing,
    get_versions,
    get_view,
)
from lapse.stores.sql.sweeping import (
    get_canaries,
    get_due,
    get_sweeps,
    leave_lease,
    take_lease,
)
from lapse.stores.sql.truths import read_closings, read_proposals, read_proposals_naming
from lapse.stores.sql.writing import Writer

_NEVER: Final = Instant(0)


class SqlStore(ABC):
    """Answers by statements; a subclass lends the connections they are run on."""

    _looks: ClassVar[Mapping[str, Look]]
    """What `doctor` looks at in a bank, by what it is called."""

    def __init__(self) -> None:
        self._banks = Banks()

    def commit(self, change: ChangeSet) -> Committed:
        """See `lapse.ports.Store.commit`."""
        with self._writing(change.ref) as connection:
            committed = self._carry_out(connection, change)
            connection.execute("COMMIT")
        return committed

    def commit_each(self, changes: Iterable[ChangeSet]) -> list[Committed]:
        """See `lapse.ports.Store.commit_each`."""
        coming = iter(changes)
        first = next(coming, None)
        if first is None:
            return []
        try:
            with self._writing(first.ref) as connection:
                done = [self._carry_out(connection, each) for each in chain((first,), coming)]
                connection.execute("COMMIT")
        except BaseException:
            # Spaces that were written and read back, and are not there after all.
            self._banks = Banks()
            raise
        return done

    def dump(self, ref: BankRef) -> Iterator[Piece]:
        """See `lapse.ports.Store.dump`."""
        with self._reading(ref.tenant) as connection:
            yield from dump(connection, self._bank(connection, ref))

    def copied(self, ref: BankRef) -> list[JournalEntry]:
        """See `lapse.ports.Store.copied`."""
        with self._reading(ref.tenant) as connection:
            return get_copied(connection, self._bank(connection, ref))

    def copies(self, ref: BankRef, ids: Sequence[str]) -> Mapping[str, tuple[MemoryRef, ...]]:
        """See `lapse.ports.Store.copies`."""
        with self._reading(ref.tenant) as connection:
            return get_copies(connection, ref, ids)

    def bank(self, ref: BankRef) -> Bank | None:
        """See `lapse.ports.Store.bank`."""
        with self._reading(ref.tenant) as connection:
            found = self._bank(connection, ref)
        return None if found.id is None else found.bank

    def banks(self, tenant: str) -> list[Bank]:
        """See `lapse.ports.Store.banks`."""
        if not can_be_kept(tenant):
            return []
        with self._reading(tenant) as connection:
            names = connection.execute(statements.BANKS, (tenant,)).fetchall()
            refs = [BankRef(tenant=tenant, name=name) for (name,) in names]
            return [self._bank(connection, each).bank for each in refs]

    def refs(self) -> list[BankRef]:
        """See `lapse.ports.Store.refs`."""
        with self._overlooking() as connection:
            found = connection.execute(statements.REFS).fetchall()
        return [BankRef(tenant=tenant, name=name) for tenant, name in found]

    def get(self, ref: BankRef, ids: Sequence[str]) -> list[Record]:
        """See `lapse.ports.Store.get`.

        Raises:
            CorruptStoreError: A memory asked for has no retention state.
        """
        with self._reading(ref.tenant) as connection:
            return get_records(connection, self._bank(connection, ref), ids)

    def contents(self, ref: BankRef, ids: Sequence[str]) -> list[Memory]:
        """See `lapse.ports.Store.contents`."""
        with self._reading(ref.tenant) as connection:
            return get_contents(connection, self._bank(connection, ref), ids)

    def count(self, ref: BankRef) -> int:
        """See `lapse.ports.Store.count`."""
        return self._number(statements.COUNT, ref)

    def active(self, ref: BankRef) -> int:
        """See `lapse.ports.Store.active`."""
        return self._number(statements.ACTIVE, ref)

    def due(
        self, ref: BankRef, by: DueBy, until: Instant, after: DueAfter, limit: int
    ) -> list[Due]:
        """See `lapse.ports.Store.due`."""
        with self._reading(ref.tenant) as connection:
            return get_due(connection, self._bank(connection, ref), by, until, after, limit)

    def sweeps(self, ref: BankRef, limit: int) -> list[SweepReport]:
        """See `lapse.ports.Store.sweeps`."""
        with self._reading(ref.tenant) as connection:
            return get_sweeps(connection, self._bank(connection, ref), limit)

    def canaries(self, ref: BankRef) -> list[Canary]:
        """See `lapse.ports.Store.canaries`."""
        with self._reading(ref.tenant) as connection:
            return get_canaries(connection, self._bank(connection, ref))

    def take_lease(
        self, ref: BankRef, name: str, holder: str, *, now: Instant, until: Instant
    ) -> bool:
        """See `lapse.ports.Leasing.take_lease`."""
        with self._leasing(ref) as connection:
            bank = self._bank(connection, ref)
            taken = bank.id is not None and self._take_lease(
                connection, bank.id, name, holder, now, until
            )
            connection.execute("COMMIT")
        return taken

    def leave_lease(self, ref: BankRef, name: str, holder: str) -> None:
        """See `lapse.ports.Leasing.leave_lease`."""
        with self._leasing(ref) as connection:
            bank = self._bank(connection, ref)
            if bank.id is not None:
                leave_lease(connection, bank.id, name, holder)
            connection.execute("COMMIT")

    def holders(self, ref: BankRef, canonicals: Sequence[str]) -> list[str]:
        """See `lapse.ports.Store.holders`."""
        with self._reading(ref.tenant) as connection:
            return get_holders(connection, self._bank(connection, ref).id, canonicals)

    def term_counts(self, ref: BankRef, terms: Sequence[str]) -> TermCounts:
        """See `lapse.ports.Store.term_counts`."""
        with self._reading(ref.tenant) as connection:
            return get_term_counts(connection, self._bank(connection, ref), terms)

    def versions(self, ref: BankRef, memory_id: str) -> list[Memory]:
        """See `lapse.ports.Store.versions`."""
        with self._reading(ref.tenant) as connection:
            return get_versions(connection, self._bank(connection, ref), memory_id)

    def page(self, ref: BankRef, listing: Listing) -> Page:
        """See `lapse.ports.Store.page`.

        Raises:
            CorruptStoreError: A memory on the page has no retention state.
        """
        with self._reading(ref.tenant) as connection:
            return get_page(connection, self._bank(connection, ref), listing)

    def changes(self, ref: BankRef, since: int) -> IndexDelta:
        """See `lapse.ports.Store.changes`."""
        with self._reading(ref.tenant) as connection:
            return get_changes(connection, self._bank(connection, ref), since)

    def revision(self, ref: BankRef) -> int:
        """See `lapse.ports.Store.revision`."""
        return self._number(statements.REVISION, ref)

    def events(self, ref: BankRef, memory_ids: Sequence[str]) -> list[UseEvent]:
        """See `lapse.ports.Store.events`."""
        with self._reading(ref.tenant) as connection:
            return get_events(connection, self._bank(connection, ref), memory_ids)

    def pending_count(self, ref: BankRef) -> int:
        """See `lapse.ports.Store.pending_count`."""
        with self._reading(ref.tenant) as connection:
            bank = self._bank(connection, ref)
            (count,) = connection.execute(statements.PENDING_COUNT, (bank.id,)).fetchone()
        return int(count)

    def missing_vectors(self, ref: BankRef, space: int, limit: int) -> list[Record]:
        """See `lapse.ports.Store.missing_vectors`.

        Raises:
            CorruptStoreError: Such a memory has no retention state.
        """
        with self._reading(ref.tenant) as connection:
            return get_missing(connection, self._bank(connection, ref), space, limit)

    def stateless(self, ref: BankRef) -> list[str]:
        """See `lapse.ports.Store.stateless`."""
        with self._reading(ref.tenant) as connection:
            return find_stateless(connection, self._bank(connection, ref))

    def holds(self, ref: BankRef) -> list[Hold]:
        """See `lapse.ports.Store.holds`."""
        with self._reading(ref.tenant) as connection:
            return list(get_holds(connection, self._bank(connection, ref).id))

    def cited_by(self, ref: BankRef, ids: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
        """See `lapse.ports.Store.cited_by`."""
        with self._reading(ref.tenant) as connection:
            bank = self._bank(connection, ref)
            return get_cited_by(connection, bank.id, filter(can_be_kept, ids))

    def plan(self, ref: BankRef, plan_id: str) -> Plan | None:
        """See `lapse.ports.Store.plan`."""
        if not can_be_kept(plan_id):
            return None
        with self._reading(ref.tenant) as connection:
            return get_plan(connection, self._bank(connection, ref).id, plan_id)

    def plans(self, ref: BankRef, limit: int) -> list[PlanHead]:
        """See `lapse.ports.Store.plans`."""
        with self._reading(ref.tenant) as connection:
            return get_plans(connection, self._bank(connection, ref).id, limit)

    def journal(self, ref: BankRef, after: int, limit: int) -> list[JournalEntry]:
        """See `lapse.ports.Store.journal`."""
        with self._reading(ref.tenant) as connection:
            bank = self._bank(connection, ref)
            rows = connection.execute(statements.JOURNAL, (bank.id, after, limit)).fetchall()
            return [read_entry(each) for each in rows]

    def journal_head(self, ref: BankRef) -> tuple[int, bytes]:
        """See `lapse.ports.Store.journal_head`."""
        with self._reading(ref.tenant) as connection:
            return get_head(connection, self._bank(connection, ref).id)

    def journal_of(self, ref: BankRef, memory_id: str) -> list[JournalEntry]:
        """See `lapse.ports.Store.journal_of`."""
        with self._reading(ref.tenant) as connection:
            bank = self._bank(connection, ref)
            rows = get_rows(connection, bank, [memory_id])
            numbers = [row - bank.bank.shift for row in rows]
            return [each for row in numbers for each in get_entries_of(connection, bank.id, row)]

    def closings(self, ref: BankRef, ids: Sequence[str] | None = None) -> list[Closing]:
        """See `lapse.ports.Store.closings`."""
        with self._reading(ref.tenant) as connection:
            bank = self._bank(connection, ref)
            rows = None if ids is None else get_rows(connection, bank, ids)
            return read_closings(connection, bank.id, rows)

    def proposals(
        self, ref: BankRef, status: ProposalStatus | None = None, limit: int | None = None
    ) -> list[Proposal]:
        """See `lapse.ports.Store.proposals`."""
        with self._reading(ref.tenant) as connection:
            return read_proposals(connection, self._bank(connection, ref).id, status, limit)

    def proposals_naming(self, ref: BankRef, ids: Sequence[str]) -> list[Proposal]:
        """See `lapse.ports.Store.proposals_naming`."""
        with self._reading(ref.tenant) as connection:
            bank = self._bank(connection, ref)
            return read_proposals_naming(connection, bank.id, get_rows(connection, bank, ids))

    def faults(self, ref: BankRef) -> Iterator[str]:
        """See `lapse.ports.Store.faults`."""
        with self._reading(ref.tenant) as connection:
            found = find_faults(
                connection,
                lambda: self._bank(connection, ref),
                lambda: self._faults(connection),
                self._looks,
            )
        return iter(found)

    def tombstones(self, ref: BankRef, after: int, limit: int) -> list[KeptTombstone]:
        """See `lapse.ports.Store.tombstones`."""
        with self._reading(ref.tenant) as connection:
            return list(get_tombstones(connection, ref, after, limit))

    def derived(self, ref: BankRef, ids: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
        """See `lapse.ports.Store.derived`."""
        with self._reading(ref.tenant) as connection:
            return get_derived(connection, self._bank(connection, ref).id, ids)

    def _carry_out(self, connection: Connection, change: ChangeSet) -> Committed:
        """Read, judge and write inside a write to the bank; the end of it is the caller's."""
        with legible():
            before = self._banks.read(connection, change.ref, change.now)
            view = get_view(connection, before, change.reads)
        changes = judged(change, view)
        if changes.empty:
            revision = before.bank.revision
            return Committed(revision=revision, changes=changes, enqueued=0, journal_seq=None)
        self._before(connection, changes)
        standing = get_standing(connection, before, named_ids(changes))
        check_standing(changes, standing)
        writer = Writer(connection, self._banks, before, standing)
        revision, enqueued, seq = writer.write(changes)
        return Committed(revision=revision, changes=changes, enqueued=enqueued, journal_seq=seq)

    def _before(self, _: Connection, __: Changes) -> None:  # noqa: B027 - most have nothing to do
        """Do what must be done between a judgement and its write."""

    def _leasing(self, ref: BankRef) -> AbstractContextManager[Connection]:
        """Lend a connection for the leases of a bank."""
        return self._writing(ref)

    @abstractmethod
    def _faults(self, connection: Connection) -> Iterator[str]:
        """Say what is wrong with the store itself, whatever the bank."""

    def _take_lease(
        self,
        connection: Connection,
        bank: int,
        name: str,
        holder: str,
        now: Instant,
        until: Instant,
    ) -> bool:
        return take_lease(connection, bank, name, holder, now, until)

    @abstractmethod
    def _reading(self, tenant: str) -> AbstractContextManager[Connection]:
        """Lend a connection whose statements all read one moment of a tenant's banks."""

    @abstractmethod
    def _glancing(self, tenant: str) -> AbstractContextManager[Connection]:
        """Lend a connection for one statement about a tenant's banks."""

    @abstractmethod
    def _overlooking(self) -> AbstractContextManager[Connection]:
        """Lend a connection for one statement about the names of all banks."""

    @abstractmethod
    def _writing(self, ref: BankRef) -> AbstractContextManager[Connection]:
        """Lend a connection inside a write to a bank; what is not committed is taken back."""

    def _number(self, statement: str, ref: BankRef) -> int:
        with self._glancing(ref.tenant) as connection:
            found = connection.execute(statement, (ref.tenant, ref.name)).fetchone()
        return 0 if found is None else int(found[0])

    def _bank(self, connection: Connection, ref: BankRef) -> BankRow:
        return self._banks.read(connection, ref, _NEVER)
