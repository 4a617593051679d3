"""What the stores in SQL do alike: each question as statements on one connection.

Decides which statements answer which question of the protocol, in whatever dialect. Refuses to know
how a connection is come by, and where a transaction begins and ends in detail: the stores do.
"""

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import ClassVar

from lapse.model.bank import Bank
from lapse.model.changeset import Changes, ChangeSet, Committed
from lapse.model.dump import Piece
from lapse.model.index_delta import IndexDelta
from lapse.model.instants import Instant
from lapse.model.journal import JournalEntry
from lapse.model.memory import BankRef, Memory, MemoryRef, can_be_kept
from lapse.model.paging import Listing, Page
from lapse.model.record import Record
from lapse.model.shown import Shown
from lapse.model.tally import Tally
from lapse.model.term_counts import TermCounts
from lapse.stores.applying import check_standing, judged, named_ids
from lapse.stores.sql import statements
from lapse.stores.sql.banks import Banks
from lapse.stores.sql.connections import legible
from lapse.stores.sql.copying import dump, get_copied, get_copies
from lapse.stores.sql.counting import get_tally, get_term_counts
from lapse.stores.sql.deltas import get_changes
from lapse.stores.sql.doctor import Look, find_faults, find_stateless
from lapse.stores.sql.driver import Connection
from lapse.stores.sql.governed import Governed
from lapse.stores.sql.holding import get_cited_by, get_derived
from lapse.stores.sql.identifying import get_holders
from lapse.stores.sql.reading import (
    get_contents,
    get_missing,
    get_page,
    get_records,
    get_standing,
    get_versions,
    get_view,
)
from lapse.stores.sql.showing import get_shown
from lapse.stores.sql.writing import Writer


class SqlStore(Governed):
    """Answers by statements; a subclass lends the connections they are run on."""

    _looks: ClassVar[Mapping[str, Look]]
    """What `doctor` looks at in a bank, by what it is called."""

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

    def shown(self, ref: BankRef, ids: Sequence[str]) -> Shown:
        """See `lapse.ports.Store.shown`."""
        with self._reading(ref.tenant) as connection:
            return get_shown(connection, self._bank(connection, ref), ids)

    def count(self, ref: BankRef) -> int:
        """See `lapse.ports.Store.count`."""
        return self._number(statements.COUNT, ref)

    def active(self, ref: BankRef) -> int:
        """See `lapse.ports.Store.active`."""
        return self._number(statements.ACTIVE, ref)

    def holders(self, ref: BankRef, canonicals: Sequence[str]) -> list[str]:
        """See `lapse.ports.Store.holders`."""
        with self._reading(ref.tenant) as connection:
            return get_holders(connection, self._bank(connection, ref).id, canonicals)

    def term_counts(self, ref: BankRef, terms: Sequence[str]) -> TermCounts:
        """See `lapse.ports.Store.term_counts`."""
        with self._reading(ref.tenant) as connection:
            return get_term_counts(connection, self._bank(connection, ref), terms)

    def tally(self, ref: BankRef, now: Instant, space: int | None) -> Tally:
        """See `lapse.ports.Store.tally`."""
        with self._reading(ref.tenant) as connection:
            return get_tally(connection, self._bank(connection, ref), now, space)

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

    def cited_by(self, ref: BankRef, ids: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
        """See `lapse.ports.Store.cited_by`."""
        with self._reading(ref.tenant) as connection:
            bank = self._bank(connection, ref)
            return get_cited_by(connection, bank.id, filter(can_be_kept, ids))

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
        self._after(connection, change.ref, revision, writer.entered)
        return Committed(revision=revision, changes=changes, enqueued=enqueued, journal_seq=seq)

    def _before(self, _: Connection, __: Changes) -> None:
        """Do what must be done between a judgement and its write."""

    def _after(self, _: Connection, __: BankRef, ___: int, ____: JournalEntry | None) -> None:
        """Note what a write leaves behind: its bank, the revision, the entry in the journal."""

    @abstractmethod
    def _faults(self, connection: Connection) -> Iterator[str]:
        """Say what is wrong with the store itself, whatever the bank."""
